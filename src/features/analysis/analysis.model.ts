import { ObjectType } from '@nestjs/graphql';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { model, shown } from '../../platform/contract/model.js';
import { POSITION } from '../games/descriptions.js';
import { LEGAL_MOVES, LegalMove, NOTATIONS, Outcome } from '../games/games.model.js';
import { ClaimEnum, SeatEnum } from '../games/enums.model.js';
import { PLAYED } from '../games/plies.model.js';

/** Response types for analyses. */

@ObjectType({ description: "The players' chances to win by some series of legal moves." })
export class Chances extends model({
  first: shown(Boolean, {
    description: 'True if the first player can still win, or if that is not certain.',
  }),
  second: shown(Boolean, {
    description: 'True if the second player can still win, or if that is not certain.',
  }),
}) {}

@ObjectType({ description: 'A move of the analysed line.' })
export class AnalysedPly extends model({
  ...PLAYED,
  notations: NOTATIONS,
  position: shown(String, { description: 'The position after the ply, as FEN.' }),
}) {}

@ObjectType({ description: 'The analysis of the position after the last of the given moves.' })
export class Analysis extends model({
  position: shown(String, { description: POSITION }),
  turn: shown(SeatEnum, { nullable: true, description: 'The side to move; null when the game is over.' }),
  check: shown(Boolean, { description: 'True if the side to move is in check.' }),
  outcome: shown(Outcome, {
    nullable: true,
    description: 'The outcome by the rules alone; null if the game is not over.',
  }),
  claimable: shown([ClaimEnum], { description: 'The draws that the side to move may claim.' }),
  canWin: shown(Chances, {
    description: "The players' chances to win, which decide whether a timeout is a loss or a draw.",
  }),
  mayTurnUp: shown(String, {
    description:
      'The letters of the pieces that a turn-up may show, by elimination; empty without face-down pieces.',
  }),
  legalMoves: shown(
    [LegalMove],
    { description: 'The legal moves of the side to move; empty when the game is over.' },
    Cost(rowsAtMost(LEGAL_MOVES)),
  ),
  plies: shown([AnalysedPly], { description: 'The plies of the given moves.' }, Cost({ list: 'ofParent' })),
}) {}
