import type { PieceSpec } from '../ruleset.js';
import { facedown } from './facedown.js';
import { QUIET_LIMIT, type Spec } from './spec.js';

/** Half Chess: the chess pieces face-down on half a board. The rules: docs/rules/half-chess.md. */

/** The kinds that each piece captures, by the table of the document and by its hierarchy. */
const TAKES = {
  asWritten: { K: 'KQRBN', Q: 'QRBNP', R: 'RBNP', B: 'RBN', N: 'P', P: 'K' },
  hierarchy: { K: 'KQRBN', Q: 'QRBNP', R: 'RBNP', B: 'BNP', N: 'NP', P: 'PK' },
} as const;

const piece = (letter: string, name: string, victims: string): PieceSpec => ({
  letter,
  name,
  chinese: null,
  moves: `One square up, down, left or right; captures ${victims} by the same step.`,
});

const spec: Spec = {
  id: 'half-chess',
  version: 1,
  name: 'Half Chess (Blind Chess)',
  chinese: '盲棋',
  source: 'Frank Ho, How to Play Blind Chess or Half Chess (17 November 2007)',
  summary:
    'The 32 pieces of chess lie face-down on half of its board. In a turn you turn one of them up, move one of your ' +
    'pieces by one square up, down, left or right, or capture an adjacent enemy: one of two tables says which kinds a ' +
    'piece captures. A player without a piece or a legal move loses. By the table of the document (asWritten) positions ' +
    'lock up more often; for serious play the hierarchy is recommended.',
  sides: ['white', 'black'],
  board: { files: 8, ranks: 4 },
  dealing: 'KQRRBBNNPPPPPPPPkqrrbbnnpppppppp',
  pieces: [
    piece('K', 'king', 'every piece but pawns'),
    piece('Q', 'queen', 'every piece but the king'),
    piece('R', 'rook', 'rooks, bishops, knights and pawns'),
    piece('B', 'bishop', 'rooks, bishops and knights (by hierarchy bishops, knights and pawns)'),
    piece('N', 'knight', 'pawns (by hierarchy also knights)'),
    piece('P', 'pawn', 'the king (by hierarchy also pawns)'),
  ],
  options: {
    captures: {
      type: 'choice',
      default: 'asWritten',
      values: ['asWritten', 'hierarchy'],
      meaning:
        'The kinds that a piece captures: those in the table of the document (asWritten), or its own and all below it in ' +
        'the order king, queen, rook, bishop, knight, pawn, but the king no pawn, and the pawn also the king (hierarchy, ' +
        'recommended).',
    },
    quietLimit: QUIET_LIMIT,
  },
  powers: ({ captures }) => ({
    takes: captures === 'hierarchy' ? TAKES.hierarchy : TAKES.asWritten,
    jumps: '',
    slides: '',
  }),
};

export const halfChess = facedown(spec);
