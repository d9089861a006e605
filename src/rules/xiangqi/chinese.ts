import type { Move } from '../ruleset.js';
import { describe, type Description } from './description.js';
import { character } from './pieces.js';
import type { XiangqiPosition } from './position.js';

const DIRECTIONS = { forward: '進', backward: '退', sideways: '平' } as const;
const RED_DIGITS = ' 一二三四五六七八九';
const BLACK_DIGITS = ' １２３４５６７８９';
const PLACES: readonly string[] = ['', '', '前後', '前中後'];

/**
 * The move in Chinese characters, as on the pieces: `炮二平五`, `馬８進７`. Red counts in Chinese numerals, Black in
 * full-width digits. Of pieces on one file the foremost is 前, the last 後, one between 中; four or five soldiers are
 * numbered. Where two files have such soldiers, the file stands in the place of the piece, as in WXF: `前七平六`.
 */
export function chinese(position: XiangqiPosition, move: Move): string {
  const description = describe(position, move);
  const digits = description.piece > 0 ? RED_DIGITS : BLACK_DIGITS;
  return subject(description, digits) + DIRECTIONS[description.direction] + digits[description.number]!;
}

function subject({ piece, file, among, place, elsewhere }: Description, digits: string): string {
  if (among === 1) return character(piece) + digits[file]!;
  const which = PLACES[among]?.[place - 1] ?? digits[place]!;
  return which + (elsewhere ? digits[file]! : character(piece));
}
