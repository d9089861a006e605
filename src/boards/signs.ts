import type { Outlines } from './outlines.js';
import { num, path } from './svg.js';

/** Letters and numbers: as outlines in pictures, which load no font, and as text where there are fonts. */

/** The em in the units of the outlines. */
export const EM = 180;

interface Placed {
  /** Where the middle of its width stands on the line, or the middle of its ink. */
  readonly at: readonly [number, number];
  readonly size: number;
  readonly isOnLine: boolean;
}

/** `attributes` end with a space, unless there are none. */
export function sign(
  name: string,
  { at: [x, y], size, isOnLine }: Placed,
  attributes: string,
  { signs }: Outlines,
): string {
  const place = x === 0 && y === 0 ? '' : `translate(${num(x)} ${num(y)})`;
  if (signs !== undefined)
    return path(signs[name]!, `${attributes}transform="${place}scale(${num(size / EM)})"`);
  const baseline = isOnLine ? '' : ' dominant-baseline="central"';
  const font = `font-family="sans-serif" font-weight="600" font-size="${num(size)}" text-anchor="middle"`;
  return `<text ${attributes}x="${num(x)}" y="${num(y)}" ${font}${baseline}>${name}</text>`;
}
