import type { Ruleset } from '../ruleset.js';
import { inCheck } from './attack.js';
import { chinese } from './chinese.js';
import { explainFree, explainSafe } from './explain.js';
import { parseFreeFen, parseSafeFen, printFen } from './fen.js';
import { countFreeMoves, countSafeMoves, freeMoves, losingMoves, safeMoves } from './generate.js';
import { BOARD } from './geometry.js';
import { iccs, moveText, toOf } from './move.js';
import { canWin, freeOutcome, safeOutcome } from './outcome.js';
import { PIECES, pieceLetter } from './pieces.js';
import { play } from './play.js';
import { START, playerOf, samePosition, type XiangqiPosition } from './position.js';
import { wxf } from './wxf.js';

const SOURCE = 'Detailed Rules of Chinese Chess (appendix B of a longer work)';

/** What the two rule sets share. */
const common = {
  sides: ['red', 'black'],
  pieces: PIECES,
  board: BOARD,
  hidden: false,
  chance: 'none',
  dealing: [],
  options: {},
  claims: [],
  rematch: 'sidesSwap',

  start: () => START,
  fen: printFen,
  turn: ({ side }) => playerOf(side),
  quiet: ({ quiet }) => quiet,
  same: samePosition,
  text: moveText,
  turnsUp: () => null,
  play,
  captured: ({ cells }, move) => pieceLetter(cells[toOf(move)]!) || null,
  san: wxf,
  notations: (position, move) => ({ iccs: iccs(move), chinese: chinese(position, move) }),
  check: inCheck,
  claimable: () => [],
  canWin,
  unseen: () => null,
  mayTurnUp: () => '',
} satisfies Partial<Ruleset<XiangqiPosition>>;

/** Chinese chess as its document has it: the general may be left to be taken, and who takes it wins. */
export const xiangqi: Ruleset<XiangqiPosition> = {
  ...common,
  id: 'xiangqi',
  version: 1,
  name: 'Xiangqi, Chinese chess (king capture)',
  chinese: '象棋',
  source: SOURCE,
  summary:
    'Chinese chess as family and friends play it: capture the enemy general. Nothing forbids to leave your own ' +
    'general to be taken, so look out for it; moves that lose it at once are marked. On a file open between them ' +
    'one general takes the other. Who has no move at all loses. The game is drawn when a position occurs for the ' +
    'third time, so a perpetual check draws here; after 120 plies without a capture; and when neither side has a ' +
    'piece left that can cross the river.',
  parse: parseFreeFen,
  legalMoves: freeMoves,
  countLegalMoves: countFreeMoves,
  losing: losingMoves,
  outcome: freeOutcome,
  explain: explainFree,
};

/** Chinese chess as clubs and engines play it: checkmate, no facing generals, no perpetual check or chase. */
export const xiangqiTournament: Ruleset<XiangqiPosition> = {
  ...common,
  id: 'xiangqi-tournament',
  version: 1,
  name: 'Xiangqi, tournament rules',
  chinese: '象棋（比賽規則）',
  source: `${SOURCE}, completed by the practice of tournaments`,
  summary:
    'Chinese chess as clubs play it. Bring the enemy general into a check that nothing can answer, or leave the ' +
    'enemy without a legal move. No move may leave your own general attacked, nor the two generals facing each ' +
    'other on an open file. When a position occurs for the third time, who alone gave check all the while loses, ' +
    'and so does who alone chased one and the same piece; any other repetition is a draw, as are 120 plies ' +
    'without a capture and a position in which neither side has a piece that can cross the river.',
  parse: parseSafeFen,
  legalMoves: safeMoves,
  countLegalMoves: countSafeMoves,
  losing: () => [],
  outcome: safeOutcome,
  explain: explainSafe,
};
