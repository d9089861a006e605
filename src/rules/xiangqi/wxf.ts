import type { Move } from '../ruleset.js';
import { describe, type Description } from './description.js';
import { wxfLetter } from './pieces.js';
import type { XiangqiPosition } from './position.js';

const SIGNS = { forward: '+', backward: '-', sideways: '=' } as const;

/** WXF notation: `C2=5`, `+R-2` for the front one of two on a file, `25=6` among more soldiers. */
export function wxf(position: XiangqiPosition, move: Move): string {
  const description = describe(position, move);
  return subject(description) + SIGNS[description.direction] + String(description.number);
}

function subject({ piece, file, among, place, elsewhere }: Description): string {
  if (among > 2 || elsewhere) return `${place}${file}`;
  if (among === 2) return (place === 1 ? '+' : '-') + wxfLetter(piece);
  return `${wxfLetter(piece)}${file}`;
}
