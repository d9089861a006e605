import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query } from '@nestjs/common';
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
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { IdParam } from '../games/games.inputs.js';
import { GameDocument } from '../games/games.model.js';
import { GamesView } from '../games/games.view.js';
import {
  AcceptInput,
  ChallengesArgs,
  CounterInput,
  CreateChallengeInput,
  DeclineInput,
  LinkArgs,
  SeedInput,
} from './challenges.inputs.js';
import { Challenge, ChallengeConnection, ClientSeedGivenDocument } from './challenges.model.js';
import { ChallengesService } from './challenges.service.js';
import { ClientSeedsService } from './client-seeds.service.js';
import { ChallengesView } from './challenges.view.js';

const INVITATION = {
  ruleset: 'banqi-taiwan',
  options: { quietLimit: 80 },
  opponent: 'ben',
  side: 'any',
  timeControl: { type: 'perMove', seconds: 259_200 },
};

const COUNTER = { ruleset: 'chess', timeControl: { type: 'perMove', seconds: 604_800 } };

@ApiTags('challenges')
@ApiBearerAuth()
@Controller('v1')
export class ChallengesController {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly seeds: ClientSeedsService,
    private readonly view: ChallengesView,
    private readonly games: GamesView,
  ) {}

  @Get('challenges')
  @ApiOperation({ summary: 'Your open challenges, newest first; your seeks are outgoing' })
  @ApiQuery({ name: 'box', enum: ['incoming', 'outgoing'] })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiOkResponse({ type: ChallengeConnection })
  open(@SignedIn() viewer: Viewer, @Query() { box, ...page }: ChallengesArgs): Promise<ChallengeConnection> {
    return this.view.open(viewer, box, page);
  }

  @Get('challenges/:id')
  @ApiOperation({ summary: 'A challenge to you, from you, or whose link you have; any seek' })
  @ApiOkResponse({ type: Challenge })
  async challenge(
    @Viewing() viewer: Viewer | null,
    @Param() { id }: IdParam,
    @Query() { linkToken }: LinkArgs,
  ): Promise<Challenge> {
    return this.view.challenge(await this.challenges.challenge(viewer, id, linkToken), viewer);
  }

  @Post('challenges')
  @ApiOperation({ summary: 'Invites a user, or, by link, whoever comes first' })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'The same key makes no second challenge.',
  })
  @ApiBody({ type: CreateChallengeInput, examples: { invitation: { value: INVITATION } } })
  @ApiCreatedResponse({ type: Challenge })
  async create(
    @SignedIn() viewer: Viewer,
    @Body() input: CreateChallengeInput,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<Challenge> {
    return this.view.challenge(await this.challenges.create(viewer, { ...input, idempotencyKey }), viewer);
  }

  @Post('challenges/:id/accept')
  @HttpCode(200)
  @ApiOperation({ summary: 'Takes a challenge or a seek of the lobby up: the game begins' })
  @ApiBody({ type: AcceptInput, examples: { plain: { value: {} } } })
  @ApiOkResponse({ type: GameDocument })
  async accept(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: AcceptInput,
  ): Promise<GameDocument> {
    return this.games.document(await this.challenges.accept(viewer, { id, ...input }), viewer);
  }

  @Post('challenges/:id/decline')
  @HttpCode(200)
  @ApiOperation({ summary: 'Turns a challenge down' })
  @ApiBody({ type: DeclineInput, required: false, examples: { later: { value: { reason: 'later' } } } })
  @ApiOkResponse({ type: Challenge })
  async decline(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { reason }: DeclineInput,
  ): Promise<Challenge> {
    return this.view.challenge(await this.challenges.decline(viewer, id, reason ?? undefined), viewer);
  }

  @Post('challenges/:id/counter')
  @ApiOperation({
    summary: 'Turns a challenge down and offers the challenger another one, on other terms',
  })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'The same key makes no second challenge.',
  })
  @ApiBody({ type: CounterInput, examples: { slower: { value: COUNTER } } })
  @ApiCreatedResponse({ type: Challenge })
  async counter(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() input: CounterInput,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<Challenge> {
    return this.view.challenge(
      await this.challenges.counter(viewer, { ...input, id, idempotencyKey }),
      viewer,
    );
  }

  @Post('challenges/:id/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Takes a challenge or a seek back' })
  @ApiOkResponse({ type: Challenge })
  async cancel(@SignedIn() viewer: Viewer, @Param() { id }: IdParam): Promise<Challenge> {
    return this.view.challenge(await this.challenges.cancel(viewer, id), viewer);
  }

  @Post('challenges/:id/client-seed')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Gives your part in the shuffle: for your challenge or seek, or the game that waits for it',
  })
  @ApiOkResponse({ type: ClientSeedGivenDocument })
  async giveClientSeed(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() { clientSeed }: SeedInput,
  ): Promise<ClientSeedGivenDocument> {
    const { challenge, game } = await this.seeds.give(viewer, id, clientSeed);
    return {
      challenge: await this.view.challenge(challenge, viewer),
      game: game && (await this.games.document(game, viewer)),
    };
  }
}
