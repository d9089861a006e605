import type { Move } from '../ruleset.js';
import { BOARD, SQUARES, fileOf, rankFor } from './geometry.js';
import { fromOf, toOf } from './move.js';
import { CANNON, CHARIOT, HORSE, RED, SOLDIER, type Cells, type Side } from './pieces.js';
import type { XiangqiPosition } from './position.js';

/** A move in terms that all notations share. */
export interface Description {
  /** The piece with its side; see pieces.ts. */
  readonly piece: number;
  /** Its file from 1, counted from the player's right. */
  readonly file: number;
  /** How many of its kind and side are on that file, including itself; 1 for kinds not distinguished this way. */
  readonly among: number;
  /** Its place among them, 1 being the foremost. */
  readonly place: number;
  /** Only for soldiers: true if two or more are on another file as well. */
  readonly elsewhere: boolean;
  readonly direction: 'forward' | 'backward' | 'sideways';
  /** The number of squares along its file, or the file of arrival. */
  readonly number: number;
}

/** The kinds of which two on a file are distinguished as front and rear; for others the step is enough. */
const TANDEM: readonly number[] = [CHARIOT, HORSE, CANNON, SOLDIER];

export function describe({ cells, side }: XiangqiPosition, move: Move): Description {
  const from = fromOf(move);
  const to = toOf(move);
  const piece = cells[from]!;
  const kind = Math.abs(piece);
  const advance = rankFor(side, to) - rankFor(side, from);
  const isOblique = fileOf(from) !== fileOf(to);
  const mates = TANDEM.includes(kind) ? onFile(cells, piece, from) : [from];
  return {
    piece,
    file: fileFor(side, from),
    among: mates.length,
    place: 1 + mates.filter((square) => rankFor(side, square) > rankFor(side, from)).length,
    elsewhere: kind === SOLDIER && mates.length > 1 && hasOtherTandem(cells, piece, from),
    direction: advance === 0 ? 'sideways' : advance > 0 ? 'forward' : 'backward',
    number: isOblique ? fileFor(side, to) : Math.abs(advance),
  };
}

/** The file as its player counts, from 1 on the right. */
const fileFor = (side: Side, square: number): number =>
  side === RED ? BOARD.files - fileOf(square) : fileOf(square) + 1;

/** The squares of such pieces on the file of a square. */
function onFile(cells: Cells, piece: number, square: number): readonly number[] {
  const found: number[] = [];
  for (let at = fileOf(square); at < SQUARES; at += BOARD.files) if (cells[at] === piece) found.push(at);
  return found;
}

function hasOtherTandem(cells: Cells, piece: number, from: number): boolean {
  for (let file = 0; file < BOARD.files; file++) {
    if (file !== fileOf(from) && onFile(cells, piece, file).length > 1) return true;
  }
  return false;
}
