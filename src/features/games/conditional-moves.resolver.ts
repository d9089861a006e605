import { Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { ConditionalMovesService } from './conditional-moves.service.js';
import { CLEAR_CONDITIONAL_MOVES, SET_CONDITIONAL_MOVES } from './conditional-moves.verbs.js';
import { ClearConditionalMovesInput, SetConditionalMovesInput } from './games.inputs.js';
import { Game } from './games.model.js';
import { seatOf } from './game.row.js';
import { expectedOf } from './if-match.js';
import { GamesView } from './games.view.js';

type Payload = PayloadOf<typeof SET_CONDITIONAL_MOVES>;

@Resolver(() => Game)
export class ConditionalMovesResolver {
  constructor(
    private readonly planned: ConditionalMovesService,
    private readonly view: GamesView,
  ) {}

  @MutationOf(SET_CONDITIONAL_MOVES)
  set(@SignedIn() viewer: Principal, @InputArg() input: SetConditionalMovesInput): Promise<Payload> {
    return this.put(viewer, input, input.tree);
  }

  @MutationOf(CLEAR_CONDITIONAL_MOVES)
  clear(@SignedIn() viewer: Principal, @InputArg() input: ClearConditionalMovesInput): Promise<Payload> {
    return this.put(viewer, input, null);
  }

  private async put(
    viewer: Principal,
    { gameId, ...asked }: ClearConditionalMovesInput,
    tree: unknown,
  ): Promise<Payload> {
    const row = await this.planned.set(viewer, gameId, tree, expectedOf(asked));
    return { game: this.view.game(row), conditionalMoves: this.view.plan(row, seatOf(row, viewer)) };
  }
}
