import type { Ruleset } from '../ruleset.js';
import { CASTLINGS } from './castling.js';
import { canWin, claimable, outcome } from './draws.js';
import { explain } from './explain.js';
import { parseFen, printFen } from './fen.js';
import { countLegalMoves, legalMoves } from './generate.js';
import { geometryOf } from './geometry.js';
import { moveText } from './move.js';
import { PIECES, WHITE, pieceLetter, pieceOf } from './pieces.js';
import { capturedOn, play } from './play.js';
import { NO_SQUARE, inCheck, makePosition, playerOf, samePosition, type ChessPosition } from './position.js';
import { san } from './san.js';

const board = geometryOf({ files: 8, ranks: 8 });

const start: ChessPosition = makePosition({
  board,
  cells: Int8Array.from('RNBQKBNR' + 'P'.repeat(8) + ' '.repeat(32) + 'p'.repeat(8) + 'rnbqkbnr', pieceOf),
  side: WHITE,
  whiteKing: 4,
  blackKing: 60,
  rights: CASTLINGS.reduce((rights, { right }) => rights | right, 0),
  enPassant: NO_SQUARE,
  quiet: 0,
  number: 1,
});

/** Orthodox chess by the FIDE Laws. */
export const chess: Ruleset<ChessPosition> = {
  id: 'chess',
  name: 'Chess',
  chinese: '國際象棋',
  source:
    'Chess Rules, for 2 players ages 10 and up (a family rule sheet), completed by the FIDE Laws of Chess',
  summary:
    'The game of kings on eight by eight squares. Bring the enemy king into a check that nothing can answer. ' +
    'Pawns take in passing and promote, king and rook castle. A game without a winner is drawn: by stalemate, ' +
    'by too little material, by repetition, or when fifty moves bring no capture and no pawn move.',
  sides: ['white', 'black'],
  pieces: PIECES,
  board: board.size,
  hidden: false,
  chance: 'none',
  dealing: [],
  options: {},

  start: () => start,
  parse: (fen) => parseFen(board, fen),
  fen: printFen,
  turn: ({ side }) => playerOf(side),
  quiet: ({ quiet }) => quiet,
  same: samePosition,
  legalMoves,
  countLegalMoves,
  losing: () => [],
  text: (move) => moveText(board.size, move),
  turnsUp: () => null,
  play,
  captured: (position, move) => pieceLetter(position.cells[capturedOn(position, move)]!) || null,
  san,
  notations: () => ({}),
  check: inCheck,
  outcome,
  claimable,
  canWin,
  unseen: () => null,
  mayTurnUp: () => '',
  explain,
};
