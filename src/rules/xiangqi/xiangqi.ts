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
  notations: (position, move) => [
    { name: 'iccs', text: iccs(move) },
    { name: 'chinese', text: chinese(position, move) },
  ],
  check: inCheck,
  claimable: () => [],
  canWin,
  unseen: () => null,
  mayTurnUp: () => '',
} satisfies Partial<Ruleset<XiangqiPosition>>;

/** Chinese chess by its document: a player may leave the general to be captured, and capturing it wins. */
export const xiangqi: Ruleset<XiangqiPosition> = {
  ...common,
  id: 'xiangqi',
  version: 1,
  name: 'Xiangqi, Chinese chess (king capture)',
  chinese: '象棋',
  source: SOURCE,
  summary:
    'Chinese chess as family and friends play it: capture the enemy general. You may leave your own general to be ' +
    'captured; moves that lose it at once are marked. On a file that is open between them, one general can capture ' +
    'the other. A player without a legal move loses. The game is drawn when a position occurs for the third time, even ' +
    'by perpetual check; after 120 plies without a capture; and when neither side has a piece left that can cross the ' +
    'river.',
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
    'Chinese chess as clubs play it: checkmate the enemy general, or leave the enemy without a legal move. A move must ' +
    'not leave your own general attacked, or the two generals facing each other on an open file. When a position ' +
    'occurs for the third time, a player who alone gave check throughout loses, as does a player who alone chased the ' +
    'same piece; any other repetition is a draw, as are 120 plies without a capture and a position in which neither ' +
    'side has a piece that can cross the river.',
  parse: parseSafeFen,
  legalMoves: safeMoves,
  countLegalMoves: countSafeMoves,
  losing: () => [],
  outcome: safeOutcome,
  explain: explainSafe,
};
