import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { OfApplication, type Principal } from '../auth/principal.js';
import { ClaimPlayerInput, LookAtClaimInput } from './player-claims.inputs.js';
import { PlayerClaims } from './player-claims.service.js';
import { CLAIM_PLAYER, CREATE_CLAIM_LINK, LOOK_AT_CLAIM } from './player-claims.verbs.js';
import { PlayerParam } from './players.inputs.js';

@ApiTags('applications')
@Controller('v1')
export class PlayerClaimsController {
  constructor(private readonly claims: PlayerClaims) {}

  @Post('application/players/:externalId/claim-links')
  @RouteOf(CREATE_CLAIM_LINK, 201)
  createClaimLink(
    @OfApplication() application: Principal,
    @Param() { externalId }: PlayerParam,
  ): Promise<RestPayloadOf<typeof CREATE_CLAIM_LINK>> {
    return this.claims.link(application, externalId);
  }

  @Post('claims/look')
  @RouteOf(LOOK_AT_CLAIM)
  lookAtClaim(
    @Body() { token }: LookAtClaimInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof LOOK_AT_CLAIM>> {
    return this.claims.look(token, client);
  }

  @Post('claims')
  @RouteOf(CLAIM_PLAYER)
  async claimPlayer(
    @Body() { token, ...ways }: ClaimPlayerInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof CLAIM_PLAYER>> {
    return { session: await this.claims.claim(token, ways, client) };
  }
}
