import { Args, Parent, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { Needs, Public } from '../../platform/contract/access.js';
import { Sessions } from '../auth/sessions.js';
import { SignedIn, Viewing, type SocketContext, type Principal } from '../auth/principal.js';
import { Cost, rowsAtMost, type SentArguments } from '../../platform/contract/cost.js';
import { LongRangeArgs } from '../../platform/contract/page.inputs.js';
import { PubSub, type Announcement } from '../../platform/events/pubsub.js';
import { RatingChanges } from '../ratings/ratings.model.js';
import { seatOf, storedRow } from './game.row.js';
import { GameArgs, GamesByIdsArgs, MyGamesArgs, PliesArgs, SoughtIdArgs } from './games.inputs.js';
import { Board } from './board.model.js';
import { Fairness } from './fairness.model.js';
import {
  BOARD,
  FAIRNESS,
  Game,
  GamePlayer,
  LAST_MOVE,
  MyGamesConnection,
  PLAYERS_IN_ORDER,
  RATING_CHANGES,
  VIEWER,
} from './games.model.js';
import { GamesService } from './games.service.js';
import { GamesView, type FairnessOnDemand } from './games.view.js';
import { GameEventConnection, Ply, PlyConnection } from './plies.model.js';
import { PliesView } from './plies.view.js';
import { LOOKED_THROUGH } from './urgency.js';
import { ClaimEnum } from './enums.model.js';
import { GameViewer } from './viewer.model.js';

/** The cost of listing the claims or the events of a game, in fields. */
const LISTED = 40;

const idsSent = ({ ids }: SentArguments): number => (Array.isArray(ids) ? ids.length : 1);

@Resolver(() => Game)
export class GamesResolver {
  constructor(
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly plies: PliesView,
    private readonly sessions: Sessions,
    private readonly pubsub: PubSub,
  ) {}

  @Public()
  @Query(() => Game, { nullable: true, description: 'A game by its id; null if the id is unknown.' })
  async game(@Args() { id }: SoughtIdArgs): Promise<Game | null> {
    const row = await this.games.found(id);
    return row && this.view.game(row);
  }

  @Cost({ list: 'own', rows: idsSent })
  @Public()
  @Query(() => [Game], {
    nullable: 'items',
    description: 'Games by their ids in the order asked, null in the place of an unknown id.',
  })
  async gamesByIds(@Args() { ids }: GamesByIdsArgs): Promise<readonly (Game | null)[]> {
    return (await this.games.foundByIds(ids)).map((row) => row && this.view.game(row));
  }

  @Cost({ fields: LOOKED_THROUGH })
  @Needs('games:read')
  @Query(() => MyGamesConnection, {
    description: `Your games: the running ones by urgency, the others by last activity, the newest first. Costs ${LOOKED_THROUGH} fields more.`,
  })
  myGames(@SignedIn() viewer: Principal, @Args() { list, ...page }: MyGamesArgs): Promise<MyGamesConnection> {
    return this.view.mine(viewer, list, page);
  }

  @Public()
  @Subscription(() => Game, {
    description: 'The game as it is now, and again after each change.',
    async resolve(this: GamesResolver, change: Announcement, { gameId }: GameArgs, context: SocketContext) {
      await this.sessions.listener(context);
      const row = await this.games.game(gameId);
      change.shown = Math.min(change.shown ?? Infinity, storedRow(row).version);
      return this.view.game(row);
    },
  })
  async gameChanged(@Args() { gameId }: GameArgs): Promise<AsyncIterableIterator<Announcement>> {
    const game = await this.games.game(gameId);
    // Announce a change by the clock again once it is stored: only then are there rating changes and the server seed.
    return this.pubsub.subscribe(`game.${game.id}`, storedRow(game).version);
  }

  @Cost(rowsAtMost(2))
  @ResolveField(() => [GamePlayer], { description: PLAYERS_IN_ORDER })
  players({ row }: Game): Promise<readonly GamePlayer[]> {
    return this.view.players(row);
  }

  @ResolveField(() => Board, { description: BOARD })
  board({ row }: Game): Board {
    return this.view.board(row);
  }

  @ResolveField(() => Ply, { nullable: true, description: LAST_MOVE })
  lastMove({ row }: Game): Promise<Ply | null> {
    return this.plies.last(row);
  }

  @ResolveField(() => Fairness, { description: FAIRNESS })
  fairness({ row }: Game): FairnessOnDemand {
    return this.view.fairness(row);
  }

  @Needs('games:read')
  @ResolveField(() => GameViewer, { nullable: true, description: VIEWER })
  viewer(@Parent() { row }: Game, @Viewing() viewer: Principal | null): GameViewer | null {
    const seat = seatOf(row, viewer);
    return seat && { seat, row };
  }

  @ResolveField(() => RatingChanges, { nullable: true, description: RATING_CHANGES })
  ratingChanges({ row }: Game): Promise<RatingChanges | null> {
    return this.view.ratingChanges(row);
  }

  @Cost({ fields: LISTED })
  @ResolveField(() => [ClaimEnum], {
    description: `The draws that the player to move may claim in the current position. Costs ${LISTED} fields more.`,
  })
  claimable({ row }: Game): readonly (keyof typeof ClaimEnum)[] {
    return this.games.claimable(row);
  }

  @ResolveField(() => PlyConnection, { description: 'The plies in the order of play.' })
  moves(@Parent() { row }: Game, @Args() page: PliesArgs): Promise<PlyConnection> {
    return this.plies.page(row, page);
  }

  @Cost({ fields: LISTED })
  @ResolveField(() => GameEventConnection, {
    description: 'The log of the game without its plies, in order; gameEvents includes the plies.',
  })
  events(@Parent() { row }: Game, @Args() page: LongRangeArgs): Promise<GameEventConnection> {
    return this.view.events(row, page);
  }
}
