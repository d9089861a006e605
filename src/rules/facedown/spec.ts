import type { BoardSize } from '../board.js';
import type { OptionSpec, Options, PieceSpec } from '../ruleset.js';
import type { Geometry } from './geometry.js';

/** The description of a face-down game, from which the tables are compiled. */

/** What each kind captures and how, under the options of one game. Kinds are upper-case letters. */
interface Powers {
  /** For each kind, the kinds that it captures by a step; a kind with none never captures by a step. */
  readonly takes: Readonly<Record<string, string>>;
  /** The kinds that capture any enemy piece by jumping exactly one piece. */
  readonly jumps: string;
  /** The kinds that capture any enemy piece along an open line. */
  readonly slides: string;
}

export interface Spec {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly chinese: string;
  readonly source: string;
  readonly summary: string;
  /** The side of the upper case letters first. */
  readonly sides: readonly [string, string];
  readonly board: BoardSize;
  /** All pieces, in the fixed order before the shuffle. */
  readonly dealing: string;
  /** All kinds, by their upper case letters. */
  readonly pieces: readonly PieceSpec[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  powers(options: Options): Powers;
}

/** The option that every face-down game has. */
export const QUIET_LIMIT: OptionSpec = {
  type: 'integer',
  default: 60,
  min: 20,
  max: 200,
  meaning: 'The game is a draw after this many plies in a row without a capture or a turn-up.',
};

/** A spec compiled under the options of one game. Kinds are indices into `kinds`. */
export interface Rules {
  readonly spec: Spec;
  readonly geometry: Geometry;
  readonly kinds: string;
  /** Bit `k` of `takes[kind]`: captures kind `k` by a step. */
  readonly takes: readonly number[];
  readonly jumps: readonly boolean[];
  readonly slides: readonly boolean[];
  readonly darkCaptures: boolean;
  readonly multipleCaptures: boolean;
  readonly attackForbidden: boolean;
  readonly quietLimit: number;
}

/** Each kind captures itself and all that follow, but the highest does not capture the lowest, which captures it. */
export function ranked(order: string): Readonly<Record<string, string>> {
  const [highest, lowest] = [order.charAt(0), order.charAt(order.length - 1)];
  const takes = Object.fromEntries([...order].map((kind, rank) => [kind, order.slice(rank)]));
  return { ...takes, [highest]: order.slice(0, -1), [lowest]: lowest + highest };
}

/** The rules of one game; `options` are complete, and an option that the spec does not have is off. */
export function compile(spec: Spec, geometry: Geometry, options: Options): Rules {
  const { takes, jumps, slides } = spec.powers(options);
  const kinds = spec.pieces.map(({ letter }) => letter).join('');
  const bits = (letters: string) => [...letters].reduce((mask, kind) => mask | (1 << kinds.indexOf(kind)), 0);
  return {
    spec,
    geometry,
    kinds,
    takes: [...kinds].map((kind) => bits(takes[kind] ?? '')),
    jumps: [...kinds].map((kind) => jumps.includes(kind)),
    slides: [...kinds].map((kind) => slides.includes(kind)),
    darkCaptures: options['darkCaptures'] === true,
    multipleCaptures: options['multipleCaptures'] === true,
    attackForbidden: options['perpetualAttack'] === 'forbidden',
    quietLimit: Number(options['quietLimit']),
  };
}
