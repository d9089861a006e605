import { NEEDED } from '../claim-counts.js';
import { occurrences, present } from '../repetition.js';
import type { Claim, History, Outcome, Player } from '../ruleset.js';
import { shade } from './geometry.js';
import { hasLegalMove } from './generate.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, type Side } from './pieces.js';
import { other, playerOf, samePosition, type ChessPosition } from './position.js';

/** How games end, and which draws may be claimed. */

const SEVENTY_FIVE_MOVES = 150;

const draw = (reason: Outcome['reason']): Outcome => ({ winner: null, reason });

/** The first outcome that holds, in the normative order. */
export function outcome(history: History<ChessPosition>): Outcome | null {
  const position = present(history);
  if (!hasLegalMove(position)) {
    const winner = playerOf(other(position.side));
    return position.check ? { winner, reason: 'checkmate' } : draw('stalemate');
  }
  if (isDead(position)) return draw('insufficientMaterial');
  if (occurrences(samePosition, history) >= 5) return draw('fivefoldRepetition');
  return position.quiet >= SEVENTY_FIVE_MOVES ? draw('seventyFiveMoves') : null;
}

export function claimable(history: History<ChessPosition>): readonly Claim[] {
  const claims: Claim[] = [];
  if (occurrences(samePosition, history) >= NEEDED.threefoldRepetition) claims.push('threefoldRepetition');
  if (present(history).quiet >= NEEDED.fiftyMoves) claims.push('fiftyMoves');
  return claims;
}

/** The pieces of a side without its king. */
interface Material {
  readonly kinds: readonly number[];
  /** The square colours of its bishops. */
  readonly shades: readonly number[];
}

function materialOf({ board, cells }: ChessPosition, side: Side): Material {
  const squares = [...cells.keys()].filter(
    (square) => cells[square]! * side > 0 && cells[square] !== side * KING,
  );
  const bishops = squares.filter((square) => cells[square] === side * BISHOP);
  return {
    kinds: squares.map((square) => cells[square]! * side),
    shades: bishops.map((square) => shade(board, square)),
  };
}

const areAll = (kinds: readonly number[], ...allowed: readonly number[]): boolean =>
  kinds.every((kind) => allowed.includes(kind));

const areEqual = (shades: readonly number[]): boolean => shades.every((shade) => shade === shades[0]);

/** True for kinds that can mate alone with the king. */
const matesAlone = (piece: number): boolean => {
  const kind = Math.abs(piece);
  return kind === PAWN || kind === ROOK || kind === QUEEN;
};

/** Bare kings, or a single knight, or bishops on squares of one colour only. */
function isDead(position: ChessPosition): boolean {
  if (position.cells.some(matesAlone)) return false;
  const white = materialOf(position, WHITE);
  const black = materialOf(position, other(WHITE));
  const kinds = [...white.kinds, ...black.kinds];
  if (kinds.length === 1 && kinds[0] === KNIGHT) return true;
  return areAll(kinds, BISHOP) && areEqual([...white.shades, ...black.shades]);
}

/** A lone knight, or bishops of one square colour, can mate only if enemy pieces block their own king. */
export function canWin(position: ChessPosition, player: Player): boolean {
  const side = player === 'first' ? WHITE : other(WHITE);
  const own = materialOf(position, side);
  const enemy = materialOf(position, other(side));
  if (own.kinds.length === 0) return false;
  if (own.kinds.length === 1 && own.kinds[0] === KNIGHT) return !areAll(enemy.kinds, QUEEN);
  if (!areAll(own.kinds, BISHOP) || !areEqual(own.shades)) return true;
  const helps = enemy.kinds.includes(PAWN) || enemy.kinds.includes(KNIGHT);
  return helps || !areEqual([...own.shades, ...enemy.shades]);
}
