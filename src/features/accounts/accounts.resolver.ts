import { Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { CloseAccountInput } from './accounts.inputs.js';
import { AccountsService } from './accounts.service.js';
import { CLOSE_ACCOUNT } from './accounts.verbs.js';

@Resolver()
export class AccountsResolver {
  constructor(private readonly accounts: AccountsService) {}

  @MutationOf(CLOSE_ACCOUNT)
  async close(
    @SignedIn() viewer: Principal,
    @InputArg() { password }: CloseAccountInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof CLOSE_ACCOUNT>> {
    return { user: await this.accounts.close(viewer, password, client) };
  }
}
