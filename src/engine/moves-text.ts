/**
 * All plies of a game as one text in its row, so that one read gets the whole game; the newest comes first, so that the
 * database logs only that one: `d4d5xp c5=N e2e4`. A ply is its move, then `=` and the letter that it turned up, then
 * `x` and the letter that it captured.
 */

export interface BriefPly {
  readonly move: string;
  readonly reveals: string | null;
  readonly captured: string | null;
}

const encodePly = ({ move, reveals, captured }: BriefPly): string =>
  move + (reveals === null ? '' : `=${reveals}`) + (captured === null ? '' : `x${captured}`);

export const encodeMoves = (plies: readonly BriefPly[]): string => plies.map(encodePly).reverse().join(' ');

/** The plies in the order in which they were played. */
export const decodeMoves = (text: string): readonly BriefPly[] =>
  text === '' ? [] : text.split(' ').map(decodePly).reverse();

function decodePly(text: string): BriefPly {
  const [, move = text, reveals = null, captured = null] =
    /^([a-z0-9]+?)(?:=([A-Za-z]))?(?:x([A-Za-z]))?$/.exec(text) ?? [];
  return { move, reveals, captured };
}

/** The text with one more ply. */
export const appendPly = (text: string, ply: BriefPly): string =>
  text === '' ? encodePly(ply) : `${encodePly(ply)} ${text}`;
