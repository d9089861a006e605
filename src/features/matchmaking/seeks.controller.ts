import { Body, Controller, Get, Headers, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { Needs } from '../../platform/contract/access.js';
import { TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { listPage, Paginated } from '../../platform/contract/paginated.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, Viewing, type Principal } from '../auth/principal.js';
import { ChallengePage } from './challenges.model.js';
import { CREATE_SEEK } from './challenges.verbs.js';
import { ChallengesView } from './challenges.view.js';
import { LobbyView } from './lobby.view.js';
import { CreateSeekBody, FILTER, LobbyQuery } from './seeks.inputs.js';
import { SeeksService } from './seeks.service.js';

const SEEK = {
  ruleset: 'banqi-taiwan',
  timeControl: { perMove: { seconds: 259_200 } },
  rated: true,
  minRating: 1300,
  maxRating: 1700,
};

const filter = (name: keyof typeof FILTER) => ({
  name,
  required: false,
  description: FILTER[name].shown.description!,
});

@ApiTags('challenges')
@Controller('v1')
export class SeeksController {
  constructor(
    private readonly seeks: SeeksService,
    private readonly view: ChallengesView,
    private readonly lobbyView: LobbyView,
  ) {}

  @Post('seeks')
  @RouteOf(CREATE_SEEK, 201)
  @ApiBody({ type: CreateSeekBody, examples: { seek: { value: SEEK } } })
  async create(
    @SignedIn() viewer: Principal,
    @Body() input: CreateSeekBody,
    @OfQuotas() quotas: Quotas,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof CREATE_SEEK>> {
    const row = await this.seeks.create(viewer, { ...input, idempotencyKey }, quotas);
    return this.view.withDocument(row, await this.view.gameOf(row), viewer);
  }

  @Needs('challenges:read')
  @Get('lobby')
  @ApiOperation({
    operationId: 'lobby',
    summary: 'The open seeks, newest first, without those of users who block you or whom you block.',
  })
  @ApiQuery({ ...filter('ruleset'), type: String })
  @ApiQuery({ ...filter('rated'), type: Boolean })
  @ApiQuery({ ...filter('timeControl'), enum: TIME_CONTROL_TYPES })
  @ApiQuery({ ...filter('maxSeconds'), type: 'integer' })
  @ApiQuery({ ...filter('acceptable'), type: Boolean })
  @Paginated(ChallengePage)
  async lobby(
    @Viewing() viewer: Principal | null,
    @Query() { first, after, ...filter }: LobbyQuery,
  ): Promise<ChallengePage> {
    return listPage(await this.lobbyView.page(viewer, filter, { first, after }));
  }
}
