import { Args, Query, Resolver } from '@nestjs/graphql';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { Needs } from '../../platform/contract/access.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, Viewing, type Principal } from '../auth/principal.js';
import { Cost } from '../../platform/contract/cost.js';
import { GamesView } from '../games/games.view.js';
import {
  AcceptChallengeInput,
  CancelChallengeInput,
  ChallengeArgs,
  ChallengesArgs,
  CounterChallengeInput,
  CreateChallengeInput,
  DeclineChallengeInput,
  GiveClientSeedInput,
} from './challenges.inputs.js';
import { Challenge, ChallengeConnection } from './challenges.model.js';
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
import { ChallengesView, USERS_AND_RATINGS } from './challenges.view.js';

@Resolver(() => Challenge)
export class ChallengesResolver {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly seeds: ClientSeedsService,
    private readonly view: ChallengesView,
    private readonly games: GamesView,
  ) {}

  @Needs('challenges:read')
  @Query(() => Challenge, {
    nullable: true,
    description: 'A challenge to you, from you or whose link you have, or any seek; null for any other id.',
  })
  async challenge(
    @Viewing() viewer: Principal | null,
    @Args() { id, linkToken }: ChallengeArgs,
  ): Promise<Challenge | null> {
    const row = await this.challenges.found(viewer, id, linkToken);
    return row && this.view.challenge(row, viewer);
  }

  @Cost({ perRow: USERS_AND_RATINGS })
  @Needs('challenges:read')
  @Query(() => ChallengeConnection, {
    name: 'challenges',
    description: 'Your open challenges, newest first; your seeks are outgoing.',
  })
  openChallenges(
    @SignedIn() viewer: Principal,
    @Args() { box, ...page }: ChallengesArgs,
  ): Promise<ChallengeConnection> {
    return this.view.open(viewer, box, page);
  }

  @MutationOf(CREATE_CHALLENGE)
  async create(
    @SignedIn() viewer: Principal,
    @InputArg() input: CreateChallengeInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof CREATE_CHALLENGE>> {
    return this.view.created(await this.challenges.create(viewer, input, quotas), viewer);
  }

  @MutationOf(ACCEPT_CHALLENGE)
  async accept(
    @SignedIn() viewer: Principal,
    @InputArg() input: AcceptChallengeInput,
  ): Promise<PayloadOf<typeof ACCEPT_CHALLENGE>> {
    return { game: this.games.game(await this.challenges.accept(viewer, input)) };
  }

  @MutationOf(COUNTER_CHALLENGE)
  async counter(
    @SignedIn() viewer: Principal,
    @InputArg() input: CounterChallengeInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof COUNTER_CHALLENGE>> {
    return this.view.payload(await this.challenges.counter(viewer, input, quotas), viewer);
  }

  @MutationOf(DECLINE_CHALLENGE)
  async decline(
    @SignedIn() viewer: Principal,
    @InputArg() { id, reason }: DeclineChallengeInput,
  ): Promise<PayloadOf<typeof DECLINE_CHALLENGE>> {
    return this.view.payload(await this.challenges.decline(viewer, id, reason ?? undefined), viewer);
  }

  @MutationOf(CANCEL_CHALLENGE)
  async cancel(
    @SignedIn() viewer: Principal,
    @InputArg() { id }: CancelChallengeInput,
  ): Promise<PayloadOf<typeof CANCEL_CHALLENGE>> {
    return this.view.payload(await this.challenges.cancel(viewer, id), viewer);
  }

  @MutationOf(GIVE_CLIENT_SEED)
  async giveSeed(
    @SignedIn() viewer: Principal,
    @InputArg() { id, clientSeed }: GiveClientSeedInput,
  ): Promise<PayloadOf<typeof GIVE_CLIENT_SEED>> {
    const { challenge, game } = await this.seeds.give(viewer, id, clientSeed);
    return this.view.withGame(challenge, game, viewer);
  }
}
