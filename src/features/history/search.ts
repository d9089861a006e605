import type { Status } from '../../arbiter/state.js';
import type { Place } from '../../platform/contract/cursors.js';
import type { Range } from '../../platform/contract/page.js';
import type { Stamped } from '../games/known-games.js';
import type { Options, Player, Reason } from '../../rules/ruleset.js';

/** A search of the history, checked and complete; null means any. */

export const ORDERS = ['createdAt', 'endedAt', 'lastActivityAt'] as const;
export type Order = (typeof ORDERS)[number];

export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** `won` and `lost` refer to the player in the filter. */
export const RESULTS = ['firstWon', 'secondWon', 'drawn', 'won', 'lost'] as const;
export type GameResult = (typeof RESULTS)[number];

/** A range of time: `from` inclusive, `until` exclusive. */
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
  /** The id of a user in either seat, or in `seat`. */
  readonly player: string | null;
  readonly opponent: string | null;
  readonly seat: Player | null;
  readonly ruleset: string | null;
  /** All options of the rule set; null without a rule set. */
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
  /** Canonical moves, each followed by a space; null without a rule set. */
  readonly opening: string | null;
  readonly order: Order;
  readonly direction: Direction;
}

/** A range of the list. */
export type Stretch = Range<Place>;

/** The place of a game in the list, with its stamp. */
export type FoundPlace = Place & Stamped;

/** The result of a search. */
export interface Found {
  /** In the order of the list. */
  readonly places: readonly FoundPlace[];
  /** The last row scanned if the scans stopped before the page was full; else null. */
  readonly stop: Place | null;
  /** True if there may be more in the direction of the search. */
  readonly more: boolean;
}

export interface Count {
  readonly many: number;
  /** True if the count stopped early. */
  readonly capped: boolean;
}

const RUNNING: readonly Status[] = ['pending', 'active', 'paused'];

/** The parts that may contain matches: running and ended games have separate indexes. */
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

/** True if the first place comes before the second in this direction. */
const isNearer = (a: Place, b: Place, descending: boolean): boolean => {
  const order = a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return descending ? order > 0 : order < 0;
};

export interface Hit extends FoundPlace {
  readonly fits: boolean;
  /** True for the last row of a scan that stopped early. */
  readonly last: boolean;
}

/** Merges the rows of several scans; rows behind the nearest early stop are dropped, as others may be missing there. */
export function merged(hits: readonly Hit[], size: number, descending: boolean): Found {
  const sorted = [...hits].sort((a, b) => (isNearer(a, b, descending) ? -1 : 1));
  const end = sorted.findIndex(({ last }) => last);
  const known = end === -1 ? sorted : sorted.slice(0, end + 1);
  const places = known.filter(({ fits }) => fits).map(({ at, id, stamp }) => ({ at, id, stamp }));
  if (places.length > size) return { places: places.slice(0, size), stop: null, more: true };
  const stop = end === -1 ? null : { at: sorted[end]!.at, id: sorted[end]!.id };
  return { places, stop, more: stop !== null };
}
