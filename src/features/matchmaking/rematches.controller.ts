import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { Needs } from '../../platform/contract/access.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { IdParam } from '../games/games.inputs.js';
import { Challenge } from './challenges.model.js';
import { OFFER_REMATCH } from './challenges.verbs.js';
import { ChallengesView } from './challenges.view.js';
import { OfferRematchBody } from './rematches.inputs.js';
import { RematchesService } from './rematches.service.js';

@ApiTags('challenges')
@Controller('v1/games/:id/rematch')
export class RematchesController {
  constructor(
    private readonly rematches: RematchesService,
    private readonly view: ChallengesView,
  ) {}

  @Needs('challenges:read')
  @Get()
  @ApiOperation({ operationId: 'rematch', summary: 'The rematch of your game, offered or accepted.' })
  @ApiOkResponse({ type: Challenge })
  async rematch(@SignedIn() viewer: Principal, @Param() { id }: IdParam): Promise<Challenge> {
    return this.view.challenge(await this.rematches.rematch(viewer, id), viewer);
  }

  @Post()
  @RouteOf(OFFER_REMATCH)
  @ApiBody({ type: OfferRematchBody, required: false, examples: { plain: { value: {} } } })
  async offer(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() seed: OfferRematchBody,
    @OfQuotas() quotas: Quotas,
  ): Promise<RestPayloadOf<typeof OFFER_REMATCH>> {
    const row = await this.rematches.offer(viewer, { gameId: id, ...seed }, quotas);
    return this.view.withDocument(row, await this.view.gameOf(row), viewer);
  }
}
