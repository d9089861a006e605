import { placed, squaresOfMove } from '../rules/board.js';
import type { BoardSize } from '../rules/board.js';
import type { AnyRuleset } from '../rules/registry.js';
import { isUpper, type DrawnPiece } from './pieces.js';

/** The content of a picture, taken from a position, which never holds the face-down pieces. */

/** What is drawn of a rule set; browsers have it from the API. */
export interface Drawn {
  readonly name: string;
  readonly sides: readonly string[];
  readonly board: BoardSize;
  readonly pieces: readonly DrawnPiece[];
  readonly hidden: boolean;
}

/** What is drawn of a position. */
export interface Scene<R extends Drawn = Drawn> {
  readonly ruleset: R;
  /** The pieces from a1 on. */
  readonly pieces: readonly { readonly square: string; readonly letter: string }[];
  /** The square of the king in check. */
  readonly check: string | null;
  /** The squares of the last move. */
  readonly trail: readonly string[];
}

/** And what is said of it. */
export interface Picture<R extends Drawn = Drawn> extends Scene<R> {
  readonly fen: string;
  /** What the picture is of, such as `the start`. */
  readonly caption: string;
  /** The name of the side to move, or of the player if they have no side yet. */
  readonly toMove: string;
  readonly lastMove: string | null;
}

/** The king, or general, in the letters of all games in which there is check. */
const KING = 'K';

export function pictureOf(
  ruleset: AnyRuleset,
  position: unknown,
  caption: string,
  lastMove: string | null = null,
): Picture<AnyRuleset> {
  const fen = ruleset.fen(position);
  const pieces = placed(ruleset.board, fen.split(' ', 1)[0]!);
  const player = ruleset.turn(position);
  const side = ruleset.sideOf === undefined ? (player === 'first' ? 0 : 1) : ruleset.sideOf(position, player);
  const isKing = (letter: string) => letter.toUpperCase() === KING && isUpper(letter) === (side === 0);
  const king = ruleset.check(position) ? pieces.find(({ letter }) => isKing(letter)) : undefined;
  const { from, to } = lastMove === null ? { from: null, to: null } : squaresOfMove(lastMove);
  return {
    ...{ ruleset, fen, caption, pieces, lastMove },
    toMove: side === null ? `${player} player` : ruleset.sides[side],
    check: king?.square ?? null,
    trail: [from, to].filter((square) => square !== null),
  };
}
