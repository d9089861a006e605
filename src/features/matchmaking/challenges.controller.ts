import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { Needs } from '../../platform/contract/access.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { Revalidated, TAG, taggedBody, type Tagged } from '../../platform/http/etag.js';
import { SignedIn, Viewing, type Principal } from '../auth/principal.js';
import { listPage, Paginated } from '../../platform/contract/paginated.js';
import { IdParam } from '../games/games.inputs.js';
import { GamesView } from '../games/games.view.js';
import {
  AcceptChallengeBody,
  BOX,
  ChallengesArgs,
  CounterChallengeBody,
  CreateChallengeBody,
  DeclineChallengeBody,
  GiveClientSeedBody,
  LinkArgs,
} from './challenges.inputs.js';
import { Challenge, ChallengePage } from './challenges.model.js';
import { ChallengesService } from './challenges.service.js';
import { ClientSeedsService } from './client-seeds.service.js';
import {
  ACCEPT_CHALLENGE,
  CANCEL_CHALLENGE,
  COUNTER_CHALLENGE,
  CREATE_CHALLENGE,
  DECLINE_CHALLENGE,
  GIVE_CLIENT_SEED,
} from './challenges.verbs.js';
import { ChallengesView } from './challenges.view.js';

const INVITATION = {
  ruleset: 'banqi-taiwan',
  options: { quietLimit: 80 },
  opponent: { username: 'ben' },
  seat: 'any',
  timeControl: { perMove: { seconds: 259_200 } },
};

const COUNTER = { ruleset: 'chess', timeControl: { perMove: { seconds: 604_800 } } };

@ApiTags('challenges')
@Controller('v1')
export class ChallengesController {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly seeds: ClientSeedsService,
    private readonly view: ChallengesView,
    private readonly games: GamesView,
  ) {}

  @Needs('challenges:read')
  @Get('challenges')
  @ApiOperation({
    operationId: 'challenges',
    summary: 'Your open challenges, newest first; your seeks are outgoing.',
  })
  @ApiQuery({ name: 'box', enum: ['incoming', 'outgoing'], description: BOX })
  @Paginated(ChallengePage)
  async open(
    @SignedIn() viewer: Principal,
    @Query() { box, ...page }: ChallengesArgs,
  ): Promise<ChallengePage> {
    return listPage(await this.view.open(viewer, box, page));
  }

  @Needs('challenges:read')
  @Get('challenges/:id')
  @ApiOperation({
    operationId: 'challenge',
    summary: 'A challenge to you, from you or whose link you have, or any seek.',
  })
  @ApiOkResponse({ type: Challenge, headers: TAG })
  @Revalidated()
  async challenge(
    @Viewing() viewer: Principal | null,
    @Param() { id }: IdParam,
    @Query() { linkToken }: LinkArgs,
  ): Promise<Tagged<Challenge>> {
    return taggedBody(
      await this.view.challenge(await this.challenges.challenge(viewer, id, linkToken), viewer),
    );
  }

  @Post('challenges')
  @RouteOf(CREATE_CHALLENGE, 201)
  @ApiBody({ type: CreateChallengeBody, examples: { invitation: { value: INVITATION } } })
  async create(
    @SignedIn() viewer: Principal,
    @Body() input: CreateChallengeBody,
    @OfQuotas() quotas: Quotas,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof CREATE_CHALLENGE>> {
    return this.view.created(
      await this.challenges.create(viewer, { ...input, idempotencyKey }, quotas),
      viewer,
    );
  }

  @Post('challenges/:id/accept')
  @RouteOf(ACCEPT_CHALLENGE)
  @ApiBody({ type: AcceptChallengeBody, required: false, examples: { plain: { value: {} } } })
  async accept(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() input: AcceptChallengeBody,
  ): Promise<RestPayloadOf<typeof ACCEPT_CHALLENGE>> {
    const game = await this.challenges.accept(viewer, { id, ...input });
    return { game: await this.games.document(game, viewer) };
  }

  @Post('challenges/:id/decline')
  @RouteOf(DECLINE_CHALLENGE)
  @ApiBody({
    type: DeclineChallengeBody,
    required: false,
    examples: { later: { value: { reason: 'later' } } },
  })
  async decline(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() { reason }: DeclineChallengeBody,
  ): Promise<RestPayloadOf<typeof DECLINE_CHALLENGE>> {
    return this.view.payload(await this.challenges.decline(viewer, id, reason ?? undefined), viewer);
  }

  @Post('challenges/:id/counter')
  @RouteOf(COUNTER_CHALLENGE, 201)
  @ApiBody({ type: CounterChallengeBody, examples: { slower: { value: COUNTER } } })
  async counter(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() input: CounterChallengeBody,
    @OfQuotas() quotas: Quotas,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof COUNTER_CHALLENGE>> {
    return this.view.payload(
      await this.challenges.counter(viewer, { ...input, id, idempotencyKey }, quotas),
      viewer,
    );
  }

  @Post('challenges/:id/cancel')
  @RouteOf(CANCEL_CHALLENGE)
  async cancel(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
  ): Promise<RestPayloadOf<typeof CANCEL_CHALLENGE>> {
    return this.view.payload(await this.challenges.cancel(viewer, id), viewer);
  }

  @Post('challenges/:id/client-seed')
  @RouteOf(GIVE_CLIENT_SEED)
  async giveSeed(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Body() { clientSeed }: GiveClientSeedBody,
  ): Promise<RestPayloadOf<typeof GIVE_CLIENT_SEED>> {
    const { challenge, game } = await this.seeds.give(viewer, id, clientSeed);
    return this.view.withDocument(challenge, game, viewer);
  }
}
