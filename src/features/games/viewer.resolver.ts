import { ResolveField, Resolver } from '@nestjs/graphql';
import { ACTS } from '../../arbiter/acts/registry.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { CONDITIONAL_MOVES_LEFT, ConditionalMove, LISTED_PLAN } from './conditional-moves.model.js';
import { LEGAL_MOVES, LegalMove } from './games.model.js';
import { GamesView } from './games.view.js';
import { LegalMovesView } from './legal-moves.view.js';
import { ACTS_NOW, AllowedAct, GameViewer } from './viewer.model.js';
import { ViewerService } from './viewer.service.js';

/** The cost of listing the moves or the acts of a player, in fields. */
const LISTED = 40;

/** Needs no scope of its own: it is reached only through Game.viewer, which needs games:read. */
@Resolver(() => GameViewer)
export class ViewerResolver {
  constructor(
    private readonly service: ViewerService,
    private readonly legal: LegalMovesView,
    private readonly view: GamesView,
  ) {}

  @Cost({ fields: LISTED, ...rowsAtMost(ACTS.length) })
  @ResolveField(() => [AllowedAct], { description: `${ACTS_NOW} Costs ${LISTED} fields more.` })
  acts({ row, seat }: GameViewer): Promise<readonly AllowedAct[]> {
    return this.service.acts(row, seat);
  }

  @Cost({ fields: LISTED, ...rowsAtMost(LEGAL_MOVES) })
  @ResolveField(() => [LegalMove], {
    description: `The legal moves that you may play now; empty if you are not to move. Costs ${LISTED} fields more.`,
  })
  legalMoves({ row, seat }: GameViewer): Promise<readonly LegalMove[]> {
    return this.legal.moves(row, seat);
  }

  @Cost(LISTED_PLAN)
  @ResolveField(() => [ConditionalMove], {
    nullable: true,
    description: CONDITIONAL_MOVES_LEFT,
  })
  conditionalMoves({ row, seat }: GameViewer): readonly ConditionalMove[] | null {
    return this.view.plan(row, seat);
  }
}
