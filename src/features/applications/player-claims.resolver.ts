import { Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { OfApplication, type Principal } from '../auth/principal.js';
import { ClaimPlayerInput, CreateClaimLinkInput, LookAtClaimInput } from './player-claims.inputs.js';
import { PlayerClaims } from './player-claims.service.js';
import { CLAIM_PLAYER, CREATE_CLAIM_LINK, LOOK_AT_CLAIM } from './player-claims.verbs.js';

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

  @MutationOf(LOOK_AT_CLAIM)
  lookAtClaim(
    @InputArg() { token }: LookAtClaimInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof LOOK_AT_CLAIM>> {
    return this.claims.look(token, client);
  }

  @MutationOf(CLAIM_PLAYER)
  async claimPlayer(
    @InputArg() { token, ...ways }: ClaimPlayerInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof CLAIM_PLAYER>> {
    return { session: await this.claims.claim(token, ways, client) };
  }
}
