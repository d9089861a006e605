import { Body, Controller, Get, Headers, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { Challenge, ChallengeConnection } from './challenges.model.js';
import { ChallengesView } from './challenges.view.js';
import { LobbyView } from './lobby.view.js';
import { CreateSeekInput, LobbyQuery } from './seeks.inputs.js';
import { SeeksService } from './seeks.service.js';

const SEEK = {
  ruleset: 'banqi-taiwan',
  timeControl: { type: 'perMove', seconds: 259_200 },
  rated: true,
  minRating: 1300,
  maxRating: 1700,
};

@ApiTags('challenges')
@ApiBearerAuth()
@Controller('v1')
export class SeeksController {
  constructor(
    private readonly seeks: SeeksService,
    private readonly view: ChallengesView,
    private readonly lobbyView: LobbyView,
  ) {}

  @Post('seeks')
  @ApiOperation({
    summary: 'Pairs you at once with the oldest seek that fits, else lists yours in the lobby',
  })
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'The same key makes no second seek.' })
  @ApiBody({ type: CreateSeekInput, examples: { seek: { value: SEEK } } })
  @ApiCreatedResponse({ type: Challenge })
  async create(
    @SignedIn() viewer: Viewer,
    @Body() input: CreateSeekInput,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<Challenge> {
    return this.view.challenge(await this.seeks.create(viewer, { ...input, idempotencyKey }), viewer);
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
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiOkResponse({ type: ChallengeConnection })
  lobby(
    @Viewing() viewer: Viewer | null,
    @Query() { first, after, ...filter }: LobbyQuery,
  ): Promise<ChallengeConnection> {
    return this.lobbyView.page(viewer, filter, { first, after });
  }
}
