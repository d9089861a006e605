/**
 * All plies of a game as one text in its row, so that one read gets the whole game: `e2e4 c5=N d4d5xp`. A ply is its
 * move, then `=` and the letter that it turned up, then `x` and the letter that it captured.
 */

export interface BriefPly {
  readonly move: string;
  readonly reveals: string | null;
  readonly captured: string | null;
}

export const encodePly = ({ move, reveals, captured }: BriefPly): string =>
  move + (reveals === null ? '' : `=${reveals}`) + (captured === null ? '' : `x${captured}`);

export const decodeMoves = (text: string): readonly BriefPly[] =>
  text === '' ? [] : text.split(' ').map(decodePly);

function decodePly(text: string): BriefPly {
  const [, move = text, reveals = null, captured = null] =
    /^([a-z0-9]+?)(?:=([A-Za-z]))?(?:x([A-Za-z]))?$/.exec(text) ?? [];
  return { move, reveals, captured };
}

/** The text with one more ply at its end. */
export const appendPly = (text: string, ply: BriefPly): string =>
  text === '' ? encodePly(ply) : `${text} ${encodePly(ply)}`;
