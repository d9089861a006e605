import type { Status } from '../../arbiter/state.js';
import type { Place } from '../../platform/cursors.js';
import type { Range } from '../../platform/page.js';
import type { Options, Player, Reason } from '../../rules/ruleset.js';

/** What is looked for in the history, checked and complete; null: no matter what. */

export const ORDERS = ['createdAt', 'endedAt', 'lastActivityAt'] as const;
export type Order = (typeof ORDERS)[number];

export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** `won` and `lost` are those of the player who is looked for. */
export const RESULTS = ['firstWon', 'secondWon', 'drawn', 'won', 'lost'] as const;
export type GameResult = (typeof RESULTS)[number];

/** From a moment on, up to another one and without it. */
export interface Span {
  readonly from: Date | null;
  readonly until: Date | null;
}

export interface TimeControlWish {
  readonly type: string | null;
  readonly seconds: number | null;
  readonly initial: number | null;
  readonly increment: number | null;
}

export interface Search {
  /** The id of a user at either seat, or at `side`. */
  readonly player: string | null;
  readonly opponent: string | null;
  readonly side: Player | null;
  readonly ruleset: string | null;
  /** All of them; only with a rule set. */
  readonly options: Options | null;
  readonly rated: boolean | null;
  readonly statuses: readonly Status[] | null;
  readonly result: GameResult | null;
  readonly reason: Reason | null;
  readonly timeControl: TimeControlWish;
  readonly created: Span;
  readonly ended: Span;
  readonly active: Span;
  readonly minPlies: number | null;
  /** Canonical moves, each with a space behind it; only with a rule set. */
  readonly opening: string | null;
  readonly order: Order;
  readonly direction: Direction;
}

/** Which stretch of the list, in its own order. */
export type Stretch = Range<Place>;

/** What a look through the history has found. */
export interface Found {
  /** In the order of the list. */
  readonly places: readonly Place[];
  /** Where it stopped before the stretch was full: all up to there was looked at. Null: it did not have to. */
  readonly stop: Place | null;
  /** Is there more in the direction of the look? */
  readonly more: boolean;
}

export interface Count {
  readonly many: number;
  /** May there be more? */
  readonly capped: boolean;
}

const RUNNING: readonly Status[] = ['pending', 'active', 'paused'];

/** The games that go on and those that are over lie apart: which of the two parts may hold what is looked for? */
export function partsOf(search: Search): readonly Part[] {
  const { order, result, reason, ended, statuses } = search;
  const over = order === 'endedAt' || result !== null || reason !== null || isLimited(ended);
  const has = (some: (status: Status) => boolean) => statuses === null || statuses.some(some);
  const parts: Part[] = [];
  if (!over && has((status) => RUNNING.includes(status))) parts.push('running');
  if (has((status) => !RUNNING.includes(status))) parts.push('ended');
  return parts;
}

export type Part = 'running' | 'ended';

export const isLimited = ({ from, until }: Span): boolean => from !== null || until !== null;

/** Of two places the one that comes first when the list is walked that way. */
const isNearer = (a: Place, b: Place, descending: boolean): boolean => {
  const order = a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return descending ? order > 0 : order < 0;
};

export interface Hit extends Place {
  readonly fits: boolean;
  /** Is it the last row that its walk may look at? */
  readonly last: boolean;
}

/** One list of the hits of several walks. Behind the nearest place at which one of them stopped nothing is known. */
export function merged(hits: readonly Hit[], size: number, descending: boolean): Found {
  const sorted = [...hits].sort((a, b) => (isNearer(a, b, descending) ? -1 : 1));
  const end = sorted.findIndex(({ last }) => last);
  const known = end === -1 ? sorted : sorted.slice(0, end + 1);
  const places = known.filter(({ fits }) => fits).map(({ at, id }) => ({ at, id }));
  if (places.length > size) return { places: places.slice(0, size), stop: null, more: true };
  const stop = end === -1 ? null : { at: sorted[end]!.at, id: sorted[end]!.id };
  return { places, stop, more: stop !== null };
}
