import { Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { ClaimAccountInput, CreateGuestInput } from './guests.inputs.js';
import { GuestsService } from './guests.service.js';
import { CLAIM_ACCOUNT, CREATE_GUEST } from './guests.verbs.js';

@Resolver()
export class GuestsResolver {
  constructor(private readonly guests: GuestsService) {}

  @MutationOf(CREATE_GUEST)
  async createGuest(
    @InputArg() { displayName }: CreateGuestInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof CREATE_GUEST>> {
    return { session: await this.guests.create(displayName ?? null, client) };
  }

  @MutationOf(CLAIM_ACCOUNT)
  async claimAccount(
    @SignedIn() viewer: Principal,
    @InputArg() input: ClaimAccountInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof CLAIM_ACCOUNT>> {
    return { session: await this.guests.claim(viewer, input, client) };
  }
}
