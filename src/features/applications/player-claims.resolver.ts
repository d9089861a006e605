import { Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { OfApplication, type Principal } from '../auth/principal.js';
import { ClaimPlayerInput, CreateClaimLinkInput } from './player-claims.inputs.js';
import { PlayerClaims } from './player-claims.service.js';
import { CLAIM_PLAYER, CREATE_CLAIM_LINK } from './player-claims.verbs.js';

@Resolver()
export class PlayerClaimsResolver {
  constructor(private readonly claims: PlayerClaims) {}

  @MutationOf(CREATE_CLAIM_LINK)
  createClaimLink(
    @OfApplication() application: Principal,
    @InputArg() { externalId }: CreateClaimLinkInput,
  ): Promise<PayloadOf<typeof CREATE_CLAIM_LINK>> {
    return this.claims.link(application, externalId);
  }

  @MutationOf(CLAIM_PLAYER)
  async claimPlayer(
    @InputArg() { token, ...ways }: ClaimPlayerInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof CLAIM_PLAYER>> {
    return { session: await this.claims.claim(token, ways, client) };
  }
}
