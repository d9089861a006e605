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
    'The game of kings on eight by eight squares. Bring the enemy king into a check that nothing can answer. ' +
    'Pawns take in passing and promote, king and rook castle. A game without a winner is drawn: by stalemate, ' +
    'by too little material, by repetition, or when fifty moves bring no capture and no pawn move.',
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
