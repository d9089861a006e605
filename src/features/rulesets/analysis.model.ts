import { ObjectType } from '@nestjs/graphql';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { model, shown, shownJson } from '../../platform/model.js';
import { LEGAL_MOVES, LegalMove, NOTATIONS, NOTATIONS_IN_REST, Outcome } from '../games/games.model.js';
import { ClaimEnum, SeatEnum } from '../games/enums.model.js';
import { PLAYED } from '../games/plies.model.js';

/** What leaves the server about positions and lines that belong to no game. */

@ObjectType({ description: 'What each of the two players could still do.' })
export class Chances extends model({
  first: shown(Boolean),
  second: shown(Boolean),
}) {}

@ObjectType({ description: 'A move of the given line.' })
export class AnalysedPly extends model({
  ...PLAYED,
  notations: shownJson<Readonly<Record<string, string>>>({ description: NOTATIONS, rest: NOTATIONS_IN_REST }),
  position: shown(String, { description: 'The position after it.' }),
}) {}

@ObjectType({ description: 'What holds after the last of the given moves.' })
export class Analysis extends model({
  position: shown(String, { description: 'The position as FEN, or its like. A face-down piece is x.' }),
  turn: shown(SeatEnum, { nullable: true, description: 'Who is to move; null when the game is over.' }),
  check: shown(Boolean, { description: 'Is the side to move in check?' }),
  outcome: shown(Outcome, { nullable: true, description: 'By the rules alone; null when the game goes on.' }),
  claimable: shown([ClaimEnum], { description: 'The draws that a player may claim.' }),
  canWin: shown(Chances, {
    description: 'Could a player still win by some series of legal moves? Decides what a timeout is worth.',
  }),
  mayTurnUp: shown(String, {
    description: 'The letters of all pieces that a turn-up may show, by elimination.',
  }),
  legalMoves: shown(
    [LegalMove],
    { description: 'Of the player to move; none when the game is over.' },
    Cost(rowsAtMost(LEGAL_MOVES)),
  ),
  plies: shown([AnalysedPly], { description: 'The given moves, judged.' }, Cost({ list: 'ofParent' })),
}) {}
