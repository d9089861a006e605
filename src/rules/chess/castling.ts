import { attacker } from './attack.js';
import { BLACK, EMPTY, WHITE, type Side } from './pieces.js';
import { NO_SQUARE, other, type ChessPosition } from './position.js';

/** One way to castle. Half-Court Chess would make its own from where king and rook stand. */
export interface Castling {
  readonly side: Side;
  /** Its letter in the castling field, and its bit in `rights`. */
  readonly letter: string;
  readonly right: number;
  readonly san: string;
  readonly king: number;
  readonly kingTo: number;
  readonly rook: number;
  readonly rookTo: number;
  /** The squares that must be empty. */
  readonly between: readonly number[];
  /** The squares that the king passes and lands on; none may be attacked. */
  readonly path: readonly number[];
}

const onBackRow = (side: Side, file: number): number => (side === WHITE ? 0 : 56) + file;

function short(side: Side, letter: string, right: number): Castling {
  const [e, f, g, h] = [4, 5, 6, 7].map((file) => onBackRow(side, file)) as [number, number, number, number];
  const path = [f, g];
  return { side, letter, right, san: 'O-O', king: e, kingTo: g, rook: h, rookTo: f, between: [f, g], path };
}

function long(side: Side, letter: string, right: number): Castling {
  const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((file) => onBackRow(side, file)) as [number, number, number, number, number]; // prettier-ignore
  const path = [d, c];
  return {
    side,
    letter,
    right,
    san: 'O-O-O',
    king: e,
    kingTo: c,
    rook: a,
    rookTo: d,
    between: [d, c, b],
    path,
  };
}

/** In the order of the castling field. */
export const CASTLINGS: readonly Castling[] = [
  short(WHITE, 'K', 1),
  long(WHITE, 'Q', 2),
  short(BLACK, 'k', 4),
  long(BLACK, 'q', 8),
];

const WHITE_CASTLINGS = CASTLINGS.filter(({ side }) => side === WHITE);
const BLACK_CASTLINGS = CASTLINGS.filter(({ side }) => side === BLACK);

export const castlingsOf = (side: Side): readonly Castling[] =>
  side === WHITE ? WHITE_CASTLINGS : BLACK_CASTLINGS;

/** The castling that takes the king from one of these squares to the other. */
export const castlingBy = (king: number, kingTo: number): Castling | undefined =>
  CASTLINGS.find((castling) => castling.king === king && castling.kingTo === kingTo);

/** The rights that a move to or from each square ends: those whose king or rook it moves or captures. */
const ENDED = Int8Array.from({ length: 64 }, (_, square) =>
  CASTLINGS.reduce(
    (ended, { king, rook, right }) => (square === king || square === rook ? ended | right : ended),
    0,
  ),
);

export const rightsAfter = (rights: number, from: number, to: number): number =>
  rights & ~(ENDED[from]! | ENDED[to]!);

export const hasRight = (position: ChessPosition, castling: Castling): boolean =>
  (position.rights & castling.right) !== 0;

/** The first square between king and rook that is taken, NO_SQUARE when all are empty. */
export function firstTaken({ cells }: ChessPosition, castling: Castling): number {
  return castling.between.find((square) => cells[square] !== EMPTY) ?? NO_SQUARE;
}

/** The first square of the king's path that is attacked, NO_SQUARE when none is. */
export function firstAttacked({ board, cells }: ChessPosition, castling: Castling): number {
  const enemy = other(castling.side);
  for (const square of castling.path) if (attacker(board, cells, square, enemy) !== NO_SQUARE) return square;
  return NO_SQUARE;
}

/** May a side that is not in check castle so? The rook may pass over an attacked square. */
export const mayCastle = (position: ChessPosition, castling: Castling): boolean =>
  hasRight(position, castling) &&
  firstTaken(position, castling) === NO_SQUARE &&
  firstAttacked(position, castling) === NO_SQUARE;
