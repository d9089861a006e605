import { Body, Controller, Get, Headers, Post, Query } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { listPage, Lists } from '../../platform/listed.js';
import { RouteOf, type RestPayloadOf } from '../../platform/verb.js';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { ChallengePage } from './challenges.model.js';
import { CREATE_SEEK } from './challenges.verbs.js';
import { ChallengesView } from './challenges.view.js';
import { LobbyView } from './lobby.view.js';
import { CreateSeekBody, LobbyQuery } from './seeks.inputs.js';
import { SeeksService } from './seeks.service.js';

const SEEK = {
  ruleset: 'banqi-taiwan',
  timeControl: { perMove: { seconds: 259_200 } },
  rated: true,
  minRating: 1300,
  maxRating: 1700,
};

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
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'The same key makes no second seek.' })
  @ApiBody({ type: CreateSeekBody, examples: { seek: { value: SEEK } } })
  async create(
    @SignedIn() viewer: Viewer,
    @Body() input: CreateSeekBody,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof CREATE_SEEK>> {
    const row = await this.seeks.create(viewer, { ...input, idempotencyKey });
    return this.view.withDocument(row, await this.view.gameOf(row), viewer);
  }

  @Get('lobby')
  @ApiOperation({
    summary: 'The open seeks, newest first; without those of users who block you, or whom you block',
  })
  @ApiQuery({ name: 'ruleset', type: String, required: false })
  @ApiQuery({ name: 'rated', type: Boolean, required: false })
  @ApiQuery({ name: 'timeControl', enum: TIME_CONTROL_TYPES, required: false })
  @ApiQuery({ name: 'maxSeconds', type: 'integer', required: false })
  @ApiQuery({ name: 'acceptable', type: Boolean, required: false })
  @Lists(ChallengePage)
  async lobby(
    @Viewing() viewer: Viewer | null,
    @Query() { first, after, ...filter }: LobbyQuery,
  ): Promise<ChallengePage> {
    return listPage(await this.lobbyView.page(viewer, filter, { first, after }));
  }
}
