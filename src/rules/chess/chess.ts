import { castlingRules } from './castling-rules.js';
import { orthodox } from './orthodox.js';
import { PIECES } from './pieces.js';

const size = { files: 8, ranks: 8 } as const;

/** Orthodox chess by the FIDE Laws. */
export const chess = orthodox({
  id: 'chess',
  version: 1,
  name: 'Chess',
  chinese: '國際象棋',
  source:
    'Chess Rules, for 2 players ages 10 and up (a family rule sheet), completed by the FIDE Laws of Chess',
  summary:
    'Chess on eight by eight squares. Checkmate the enemy king. Pawns capture en passant and promote; king and rook ' +
    'castle. The game is drawn by stalemate, by insufficient material, by repetition, or after fifty moves of each ' +
    'side without a capture or a pawn move.',
  pieces: PIECES,
  size,
  castling: castlingRules(
    size,
    [
      { letter: 'K', san: 'O-O', king: 4, rook: 7, kingTo: [6], written: 6 },
      { letter: 'Q', san: 'O-O-O', king: 4, rook: 0, kingTo: [2], written: 2 },
    ],
    { oneRook: false, written: "as the king's move" },
  ),
  chance: 'none',
  dealing: [],
  options: {},
  rows: () => ['RNBQKBNR', 'rnbqkbnr'],
});
