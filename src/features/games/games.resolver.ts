import { Args, Parent, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { Sessions } from '../auth/sessions.js';
import { SignedIn, Viewing, type SocketContext, type Viewer } from '../auth/viewer.js';
import type { Plan } from '../../arbiter/plans.js';
import { Cost } from '../../platform/graphql/cost.js';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { PubSub, type Announcement } from '../../platform/pubsub.js';
import { RatingChanges } from '../ratings/ratings.model.js';
import { seatOf, storedRow } from './game.row.js';
import { GameArgs, IdArgs, MyGamesArgs, PliesArgs } from './games.inputs.js';
import { Game, LegalMove, MyGames, Observation, Players, RECEIPT } from './games.model.js';
import { GamesService } from './games.service.js';
import { GamesView } from './games.view.js';
import { GameEvent, PlyConnection } from './plies.model.js';
import { ClaimEnum, PlayerEnum } from './enums.model.js';

/** What listing the moves, the claims or the events of a game costs, in fields. */
const LISTED = 40;

@Resolver(() => Game)
export class GamesResolver {
  constructor(
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly sessions: Sessions,
    private readonly pubsub: PubSub,
  ) {}

  @Query(() => Game, { description: 'A game by its id.' })
  async game(@Args() { id }: IdArgs): Promise<Game> {
    return this.view.game(await this.games.game(id));
  }

  @Query(() => MyGames, {
    description: 'Your games: the running ones by urgency, the others by last activity, newest first.',
  })
  myGames(@SignedIn() viewer: Viewer, @Args() { list, ...page }: MyGamesArgs): Promise<MyGames> {
    return this.view.mine(viewer, list, page);
  }

  @Subscription(() => Game, {
    description: 'The game as it stands, and again after each change.',
    async resolve(this: GamesResolver, _: Announcement, { gameId }: GameArgs, context: SocketContext) {
      await this.sessions.listener(context);
      return this.view.game(await this.games.game(gameId));
    },
  })
  async gameChanged(@Args() { gameId }: GameArgs): Promise<AsyncIterableIterator<Announcement>> {
    const game = await this.games.game(gameId);
    // What the clock has done is told again when it is stored: then there are rating changes, and the seed.
    return this.pubsub.subscribe(`game.${game.id}`, storedRow(game).version);
  }

  @ResolveField(() => Players)
  players(@Parent() { row }: Game): Promise<Players> {
    return this.view.players(row);
  }

  @ResolveField(() => PlayerEnum, { nullable: true, description: 'Your own seat.' })
  you(@Parent() { row }: Game, @Viewing() viewer: Viewer | null): 'first' | 'second' | null {
    return seatOf(row, viewer);
  }

  @ResolveField(() => RatingChanges, {
    nullable: true,
    description: 'What the game did to the ratings of its players; null when it has not been rated.',
  })
  ratingChanges(@Parent() { row }: Game): Promise<RatingChanges | null> {
    return this.view.ratingChanges(row);
  }

  @ResolveField(() => String, { nullable: true, description: RECEIPT })
  receipt(@Parent() { row }: Game): string | null {
    return this.view.receipt(row);
  }

  @ResolveField(() => Observation)
  observation(@Parent() { row }: Game): Observation {
    return this.view.observation(row);
  }

  @Cost({ fields: LISTED })
  @ResolveField(() => [LegalMove], { description: 'For whoever is to move; empty for everybody else.' })
  legalMoves(@Parent() { row }: Game, @Viewing() viewer: Viewer | null): readonly LegalMove[] {
    return this.games.legalMoves(row, viewer);
  }

  @Cost({ fields: LISTED })
  @ResolveField(() => [ClaimEnum], { description: 'The draws that a player may claim as the game stands.' })
  claimable(@Parent() { row }: Game): readonly (keyof typeof ClaimEnum)[] {
    return this.games.claimable(row);
  }

  @ResolveField(() => JsonScalar, {
    nullable: true,
    description:
      'Your own conditional moves, as far as they still wait; null for everybody else, and when there are none.',
  })
  conditionalMoves(@Parent() { row }: Game, @Viewing() viewer: Viewer | null): Plan | null {
    return this.games.plan(row, viewer);
  }

  @ResolveField(() => PlyConnection, { description: 'The plies in order.' })
  moves(@Parent() { row }: Game, @Args() page: PliesArgs): Promise<PlyConnection> {
    return this.view.plies(row, page);
  }

  @Cost({ fields: LISTED })
  @ResolveField(() => [GameEvent], { description: 'Acts that are no plies, starts and ends.' })
  events(@Parent() { row }: Game): Promise<readonly GameEvent[]> {
    return this.view.events(row);
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'The secret of the deal in hex; null until the game is over.',
  })
  serverSeed(@Parent() { row }: Game): Promise<string | null> {
    return this.games.serverSeed(row);
  }
}
