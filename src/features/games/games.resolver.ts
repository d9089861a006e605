import { Args, Parent, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { Sessions } from '../auth/sessions.js';
import { SignedIn, Viewing, type SocketContext, type Viewer } from '../auth/viewer.js';
import { Cost, rowsAtMost, type SentArguments } from '../../platform/graphql/cost.js';
import { PubSub, type Announcement } from '../../platform/pubsub.js';
import { RatingChanges } from '../ratings/ratings.model.js';
import { seatOf, storedRow } from './game.row.js';
import { GameArgs, GamesByIdsArgs, MyGamesArgs, PliesArgs, SoughtIdArgs } from './games.inputs.js';
import { Board } from './board.model.js';
import { Fairness } from './fairness.model.js';
import {
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
import { GameEvent, Ply, PlyConnection } from './plies.model.js';
import { LOOKED_THROUGH } from './urgency.js';
import { ClaimEnum } from './enums.model.js';
import { GameViewer } from './viewer.model.js';

/** What listing the moves, the claims or the events of a game costs, in fields. */
const LISTED = 40;

const idsSent = ({ ids }: SentArguments): number => (Array.isArray(ids) ? ids.length : 1);

@Resolver(() => Game)
export class GamesResolver {
  constructor(
    private readonly games: GamesService,
    private readonly view: GamesView,
    private readonly sessions: Sessions,
    private readonly pubsub: PubSub,
  ) {}

  @Query(() => Game, { nullable: true, description: 'A game by its id; null where there is none.' })
  async game(@Args() { id }: SoughtIdArgs): Promise<Game | null> {
    const row = await this.games.found(id);
    return row && this.view.game(row);
  }

  @Cost({ list: 'own', rows: idsSent })
  @Query(() => [Game], {
    nullable: 'items',
    description: 'Games by their ids, in the order of these; null in the place of an id that no game has.',
  })
  async gamesByIds(@Args() { ids }: GamesByIdsArgs): Promise<readonly (Game | null)[]> {
    return (await this.games.sought(ids)).map((row) => row && this.view.game(row));
  }

  @Cost({ fields: LOOKED_THROUGH })
  @Query(() => MyGamesConnection, {
    description: 'Your games: the running ones by urgency, the others by last activity, newest first.',
  })
  myGames(@SignedIn() viewer: Viewer, @Args() { list, ...page }: MyGamesArgs): Promise<MyGamesConnection> {
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

  @Cost(rowsAtMost(2))
  @ResolveField(() => [GamePlayer], { description: PLAYERS_IN_ORDER })
  players(@Parent() { row }: Game): Promise<readonly GamePlayer[]> {
    return this.view.players(row);
  }

  @ResolveField(() => Board, { description: 'The board as data.' })
  board(@Parent() { row }: Game): Board {
    return this.view.board(row);
  }

  @ResolveField(() => Ply, { nullable: true, description: LAST_MOVE })
  lastMove(@Parent() { row }: Game): Promise<Ply | null> {
    return this.view.lastMove(row);
  }

  @ResolveField(() => Fairness, { description: 'What proves that the game is fair.' })
  fairness(@Parent() { row }: Game): FairnessOnDemand {
    return this.view.fairness(row);
  }

  @ResolveField(() => GameViewer, { nullable: true, description: VIEWER })
  viewer(@Parent() { row }: Game, @Viewing() viewer: Viewer | null): GameViewer | null {
    const seat = seatOf(row, viewer);
    return seat && { seat, row };
  }

  @ResolveField(() => RatingChanges, { nullable: true, description: RATING_CHANGES })
  ratingChanges(@Parent() { row }: Game): Promise<RatingChanges | null> {
    return this.view.ratingChanges(row);
  }

  @Cost({ fields: LISTED })
  @ResolveField(() => [ClaimEnum], { description: 'The draws that a player may claim as the game stands.' })
  claimable(@Parent() { row }: Game): readonly (keyof typeof ClaimEnum)[] {
    return this.games.claimable(row);
  }

  @ResolveField(() => PlyConnection, { description: 'The plies in order.' })
  moves(@Parent() { row }: Game, @Args() page: PliesArgs): Promise<PlyConnection> {
    return this.view.plies(row, page);
  }

  @Cost({ fields: LISTED, ...rowsAtMost(100) })
  @ResolveField(() => [GameEvent], { description: 'Acts that are no plies, starts and ends.' })
  events(@Parent() { row }: Game): Promise<readonly GameEvent[]> {
    return this.view.events(row);
  }
}
