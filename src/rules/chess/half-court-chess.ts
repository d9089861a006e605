import { RANDOM_SETUP, type Options } from '../ruleset.js';
import { castlingRules, type CastlingSpec } from './castling-rules.js';
import { orthodox } from './orthodox.js';
import { PIECES } from './pieces.js';

const size = { files: 5, ranks: 5 } as const;
const FILES = [0, 1, 2, 3, 4];
const DEALING = ['KQRBN', 'kqrbn'] as const;

/** King and rook may be anywhere on the first rank. The king goes two squares towards the rook, or one. */
const CASTLINGS: readonly CastlingSpec[] = FILES.flatMap((rook) =>
  FILES.filter((king) => king !== rook).map((king) => ({
    letter: 'ABCDE'.charAt(rook),
    san: 'O-O',
    king,
    rook,
    kingTo: [2, 1].map((step) => king + step * Math.sign(rook - king)).filter((file) => FILES.includes(file)),
    written: rook,
  })),
);

/** The rows of the options, else those drawn, else the dealing order. */
function rowsOf({ setup: chosen }: Options, setup: string | null): readonly [string, string] {
  const named = chosen === RANDOM_SETUP ? null : String(chosen);
  const [white, black] = (setup ?? named ?? DEALING.join('/')).split('/');
  return [white ?? DEALING[0], black ?? DEALING[1]];
}

/** Half-Court Chess. The rules: docs/rules/half-court-chess.md. */
export const halfCourtChess = orthodox({
  id: 'half-court-chess',
  version: 1,
  name: 'Half-Court Chess',
  chinese: null,
  source: 'Half-Court Chess, a page on the Web of 12 October 1999',
  summary:
    'Chess on five by five squares, with one piece of every kind and five pawns for each side. The first rows are drawn ' +
    'by chance, separately for each side. King and rook castle wherever they stand: the king moves two squares towards ' +
    'the rook, or one where two are not free, and the rook to its other side. All else is as in chess.',
  pieces: PIECES,
  size,
  castling: castlingRules(size, CASTLINGS, {
    oneRook: true,
    written: "as the king's square, then the rook's",
  }),
  chance: 'setup',
  dealing: DEALING,
  options: {
    setup: {
      type: 'setup',
      default: RANDOM_SETUP,
      meaning: 'The first rows of both sides: drawn by chance (random), or a set-up that the players choose.',
    },
  },
  rows: rowsOf,
});
