import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { SignedIn, Viewing, type Viewer } from '../auth/viewer.js';
import { IdArgs } from '../games/games.inputs.js';
import { Game } from '../games/games.model.js';
import { GamesView } from '../games/games.view.js';
import {
  AcceptChallengeInput,
  ChallengeArgs,
  ChallengesArgs,
  CounterChallengeInput,
  CreateChallengeMutationInput,
  DeclineArgs,
  GiveClientSeedInput,
} from './challenges.inputs.js';
import { Challenge, ChallengeConnection, ClientSeedGiven } from './challenges.model.js';
import { ChallengesService } from './challenges.service.js';
import { ClientSeedsService } from './client-seeds.service.js';
import { ChallengesView } from './challenges.view.js';

@Resolver(() => Challenge)
export class ChallengesResolver {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly seeds: ClientSeedsService,
    private readonly view: ChallengesView,
    private readonly games: GamesView,
  ) {}

  @Query(() => Challenge, { description: 'A challenge to you, from you, or whose link you have; any seek.' })
  async challenge(
    @Viewing() viewer: Viewer | null,
    @Args() { id, linkToken }: ChallengeArgs,
  ): Promise<Challenge> {
    return this.view.challenge(await this.challenges.challenge(viewer, id, linkToken), viewer);
  }

  @Query(() => ChallengeConnection, {
    name: 'challenges',
    description: 'Your open challenges, newest first; your seeks are outgoing.',
  })
  openChallenges(
    @SignedIn() viewer: Viewer,
    @Args() { box, ...page }: ChallengesArgs,
  ): Promise<ChallengeConnection> {
    return this.view.open(viewer, box, page);
  }

  @Mutation(() => Challenge, { description: 'Invites a user, or, by link, whoever comes first.' })
  async createChallenge(
    @SignedIn() viewer: Viewer,
    @Args('input') input: CreateChallengeMutationInput,
  ): Promise<Challenge> {
    return this.view.challenge(await this.challenges.create(viewer, input), viewer);
  }

  @Mutation(() => Game, { description: 'Takes a challenge or a seek of the lobby up: the game begins.' })
  async acceptChallenge(
    @SignedIn() viewer: Viewer,
    @Args('input') input: AcceptChallengeInput,
  ): Promise<Game> {
    return this.games.game(await this.challenges.accept(viewer, input));
  }

  @Mutation(() => Challenge, {
    description: 'Turns a challenge down and offers the challenger another one, on other terms.',
  })
  async counterChallenge(
    @SignedIn() viewer: Viewer,
    @Args('input') input: CounterChallengeInput,
  ): Promise<Challenge> {
    return this.view.challenge(await this.challenges.counter(viewer, input), viewer);
  }

  @Mutation(() => Challenge, { description: 'Turns a challenge down.' })
  async declineChallenge(
    @SignedIn() viewer: Viewer,
    @Args() { id, reason }: DeclineArgs,
  ): Promise<Challenge> {
    return this.view.challenge(await this.challenges.decline(viewer, id, reason ?? undefined), viewer);
  }

  @Mutation(() => Challenge, { description: 'Takes a challenge or a seek back.' })
  async cancelChallenge(@SignedIn() viewer: Viewer, @Args() { id }: IdArgs): Promise<Challenge> {
    return this.view.challenge(await this.challenges.cancel(viewer, id), viewer);
  }

  @Mutation(() => ClientSeedGiven, {
    description:
      'Gives your part in the shuffle, once the server has committed itself: for a challenge or a seek of yours, or for ' +
      'a game that waits for the seed that you have announced.',
  })
  async giveClientSeed(
    @SignedIn() viewer: Viewer,
    @Args('input') { id, clientSeed }: GiveClientSeedInput,
  ): Promise<ClientSeedGiven> {
    return this.view.given(await this.seeds.give(viewer, id, clientSeed), viewer);
  }
}
