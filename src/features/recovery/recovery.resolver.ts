import { Query, Resolver } from '@nestjs/graphql';
import { Needs } from '../../platform/contract/access.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { EmailsService } from './emails.service.js';
import { RecoveriesService } from './recoveries.service.js';
import {
  ChangeEmailInput,
  CompleteRecoveryInput,
  RequestRecoveryInput,
  VerifyEmailInput,
} from './recovery.inputs.js';
import { Account } from './recovery.model.js';
import { CHANGE_EMAIL, COMPLETE_RECOVERY, REQUEST_RECOVERY, VERIFY_EMAIL } from './recovery.verbs.js';

@Resolver()
export class RecoveryResolver {
  constructor(
    private readonly emails: EmailsService,
    private readonly recoveries: RecoveriesService,
  ) {}

  @Needs('account')
  @Query(() => Account, { description: 'What only you see of your account.' })
  myAccount(@SignedIn() viewer: Principal): Promise<Account> {
    return this.emails.of(viewer);
  }

  @MutationOf(CHANGE_EMAIL)
  async changeEmail(
    @SignedIn() viewer: Principal,
    @InputArg() { email }: ChangeEmailInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof CHANGE_EMAIL>> {
    return { account: await this.emails.change(viewer, email ?? null, client) };
  }

  @MutationOf(VERIFY_EMAIL)
  async verifyEmail(@InputArg() { token }: VerifyEmailInput): Promise<PayloadOf<typeof VERIFY_EMAIL>> {
    return { email: await this.emails.verify(token) };
  }

  @MutationOf(REQUEST_RECOVERY)
  async requestRecovery(
    @InputArg() { usernameOrEmail }: RequestRecoveryInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof REQUEST_RECOVERY>> {
    await this.recoveries.request(usernameOrEmail, client);
    return { accepted: true };
  }

  @MutationOf(COMPLETE_RECOVERY)
  async completeRecovery(
    @InputArg() { token, password }: CompleteRecoveryInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof COMPLETE_RECOVERY>> {
    return { user: await this.recoveries.complete(token, password, client) };
  }
}
