import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import {
  ActArgs,
  ClaimDrawInput,
  GameArgs,
  GiveTimeArgs,
  MakeMoveInput,
  SetConditionalMovesInput,
} from './games.inputs.js';
import { Game } from './games.model.js';
import { GamesView } from './games.view.js';
import { PlayService } from './play.service.js';

/** What the two players of a game may do. */
@Resolver(() => Game)
export class PlayResolver {
  constructor(
    private readonly play: PlayService,
    private readonly view: GamesView,
  ) {}

  @Mutation(() => Game, { description: 'Plays a move.' })
  async makeMove(@SignedIn() viewer: Viewer, @Args('input') input: MakeMoveInput): Promise<Game> {
    return this.view.game(await this.play.makeMove(viewer, input));
  }

  @Mutation(() => Game, { description: 'Gives the game up, on move or not.' })
  async resign(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('resign', viewer, args));
  }

  @Mutation(() => Game, { description: 'Calls the game off before ply 2.' })
  async abort(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('abort', viewer, args));
  }

  @Mutation(() => Game, {
    description: 'Offers a draw, from ply 2 on; to somebody who has offered one it is the acceptance.',
  })
  async offerDraw(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('offerDraw', viewer, args));
  }

  @Mutation(() => Game, { description: 'Accepts the draw that your opponent offers.' })
  async acceptDraw(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('acceptDraw', viewer, args));
  }

  @Mutation(() => Game, { description: 'Declines the draw that your opponent offers.' })
  async declineDraw(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('declineDraw', viewer, args));
  }

  @Mutation(() => Game, { description: 'Asks to take your last move back; in casual games.' })
  async offerTakeback(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.offerTakeback(viewer, args));
  }

  @Mutation(() => Game, { description: 'Lets your opponent take the move back.' })
  async acceptTakeback(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.acceptTakeback(viewer, args));
  }

  @Mutation(() => Game, { description: 'Does not let your opponent take the move back.' })
  async declineTakeback(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('declineTakeback', viewer, args));
  }

  @Mutation(() => Game, {
    description: 'Asks for a pause; to somebody who has asked for one it is the acceptance.',
  })
  async offerPause(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('offerPause', viewer, args));
  }

  @Mutation(() => Game, { description: 'Agrees to the pause: the clocks stand still, and nobody moves.' })
  async acceptPause(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('acceptPause', viewer, args));
  }

  @Mutation(() => Game, { description: 'Does not agree to the pause.' })
  async declinePause(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('declinePause', viewer, args));
  }

  @Mutation(() => Game, {
    description:
      'Ends the pause with 24 hours’ notice; at once, when your opponent has given notice already.',
  })
  async unpause(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.plain('unpause', viewer, args));
  }

  @Mutation(() => Game, {
    description: 'Ends a game without a time control in which nobody has moved for 30 days.',
  })
  async claimAbandoned(@SignedIn() viewer: Viewer, @Args() args: ActArgs): Promise<Game> {
    return this.view.game(await this.play.claimAbandoned(viewer, args));
  }

  @Mutation(() => Game, {
    description:
      'Claims a draw that the rules allow, as the game stands or with a move; a wrong claim costs nothing.',
  })
  async claimDraw(@SignedIn() viewer: Viewer, @Args('input') input: ClaimDrawInput): Promise<Game> {
    return this.view.game(await this.play.claimDraw(viewer, input));
  }

  @Mutation(() => Game, {
    description: 'Gives your opponent, who is to move, one more turn’s time; once in a turn.',
  })
  async giveTime(@SignedIn() viewer: Viewer, @Args() args: GiveTimeArgs): Promise<Game> {
    return this.view.game(await this.play.giveTime(viewer, args));
  }

  @Mutation(() => Game, {
    description: 'Plans your answers while your opponent is to move, in place of what was planned before.',
  })
  async setConditionalMoves(
    @SignedIn() viewer: Viewer,
    @Args('input') { gameId, tree }: SetConditionalMovesInput,
  ): Promise<Game> {
    return this.view.game(await this.play.plan(viewer, gameId, tree));
  }

  @Mutation(() => Game, { description: 'Forgets your conditional moves.' })
  async clearConditionalMoves(@SignedIn() viewer: Viewer, @Args() { gameId }: GameArgs): Promise<Game> {
    return this.view.game(await this.play.plan(viewer, gameId, null));
  }
}
