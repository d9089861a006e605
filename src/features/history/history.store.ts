import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Sql } from '../../platform/database/prisma.service.js';
import { constant, UNNAMED } from '../../platform/database/statements.js';
import type { Place } from '../../platform/contract/cursors.js';
import { shared } from '../../platform/gathering/shared.js';
import {
  allOf,
  bounds,
  filters,
  isByActivity,
  LISTED,
  rareConditions,
  sourceOf,
  type RareCondition,
  type Scan,
} from './search-plan.store.js';
import { merged, partsOf, type Count, type Found, type Hit, type Search, type Stretch } from './search.js';

/** The rows of the first attempt, which mostly fill a page; for more rows the planner may prefer to sort the table. */
const FIRST_SCANNED = 250;
/** The rows that a scan reads after them before it stops, even if few of them match: about a page of 8 KB each. */
export const MOST_SCANNED = 1_000;
/** Games that meet a condition this rare are read and sorted, as a scan would pass too many others. */
export const MOST_SORTED = 2_000;
export const MOST_COUNTED = 10_000;

/** The stamp of the game with this id. */
type StampOf = (id: Sql) => Sql;

interface Asked {
  readonly search: Search;
  readonly stretch: Stretch;
  readonly stampOf: StampOf;
}

/** Finds games by index scans whose length does not grow with the history. */
@Injectable()
export class HistoryStore {
  /** The games of a search within a stretch of its list. */
  readonly find = shared(
    ({ search, stretch, stampOf }: Asked) => this.found(search, stretch, stampOf),
    ({ search, stretch }) => JSON.stringify([search, stretch]),
  );

  constructor(private readonly prisma: PrismaService) {}

  private async found(search: Search, stretch: Stretch, stampOf: StampOf): Promise<Found> {
    const descending = (search.direction === 'desc') !== stretch.fromEnd;
    const scans = await this.scans(search, descending);
    if (scans.length === 0) return { places: [], stop: null, more: false };
    const asked = { search, stretch, stampOf };
    const first = await this.scanned(asked, scans, () => FIRST_SCANNED);
    const found = first.stop === null ? first : await this.goOn(asked, scans, first, first.stop);
    return stretch.fromEnd ? { ...found, places: [...found.places].reverse() } : found;
  }

  /** Reads on behind the place where the first attempt stopped. */
  private async goOn(
    { search, stretch, stampOf }: Asked,
    scans: readonly Scan[],
    { places }: Found,
    stop: Place,
  ) {
    const behind = stretch.fromEnd ? { before: stop } : { after: stop };
    const rest = { ...stretch, ...behind, limit: stretch.limit - places.length };
    const most = (scan: Scan) => (isByActivity(search, scan) ? FIRST_SCANNED : MOST_SCANNED);
    const found = await this.scanned({ search, stretch: rest, stampOf }, scans, most);
    return { ...found, places: [...places, ...found.places] };
  }

  private async scanned(
    { search, stretch, stampOf }: Asked,
    scans: readonly Scan[],
    mostOf: (scan: Scan) => number,
  ): Promise<Found> {
    const parts = scans.map((scan) => hitsOf(search, stretch, scan, mostOf(scan)));
    const name = isUsual(search, stretch) ? Prisma.empty : UNNAMED;
    const hits = await this.prisma.query<Hit[]>`${name}
      SELECT id::text AS id, at, fits, last, ${stampOf(Prisma.sql`h.id`)} AS stamp
      FROM (${Prisma.join(parts, ' UNION ALL ')}) h`;
    return merged(hits, stretch.limit - 1, scans[0]!.descending);
  }

  /** The number of matches among the first rows. */
  async count(search: Search): Promise<Count> {
    const scans = await this.scans(search, search.direction === 'desc');
    if (scans.length === 0) return { many: 0, capped: false };
    const parts = scans.map((scan) => {
      // A count needs no order, and that of the activity takes four pages for each game.
      const counted = isByActivity(search, scan) ? ({ ...search, order: 'createdAt' } as const) : search;
      const rows = rowsOf(counted, {}, scan, MOST_COUNTED + 1);
      return Prisma.sql`SELECT count(*) FILTER (WHERE fits)::int AS many, count(*)::int AS seen FROM (${rows}) g`;
    });
    const rows = await this.prisma.query<{ many: number; seen: number }[]>`${UNNAMED}
      ${Prisma.join(parts, ' UNION ALL ')}`;
    const many = rows.reduce((sum, row) => sum + row.many, 0);
    const capped = many > MOST_COUNTED || rows.some(({ seen }) => seen > MOST_COUNTED);
    return { many: Math.min(many, MOST_COUNTED), capped };
  }

  private async scans(search: Search, descending: boolean): Promise<readonly Scan[]> {
    const parts = partsOf(search);
    const rare = parts.includes('ended') ? await this.rare(search) : null;
    const seats = search.player === null ? [null] : search.seat === null ? (['first', 'second'] as const) : [search.seat]; // prettier-ignore
    return seats.flatMap((seat) =>
      parts.map((part) => ({ part, seat, descending, rare: part === 'ended' ? rare : null })),
    );
  }

  /** The condition that the fewest ended games meet, if few enough to sort them all; else null. */
  private async rare(search: Search): Promise<RareCondition | null> {
    const conditions = rareConditions(search);
    if (conditions.length === 0) return null;
    const counts = conditions.map(
      ({ condition, order }, i) => Prisma.sql`SELECT ${constant(i)} AS which, count(*)::int AS many
        FROM (SELECT 1 FROM games g WHERE g.ended_at IS NOT NULL AND ${LISTED} AND ${condition} ORDER BY ${order} LIMIT ${TOO_MANY}) few`,
    );
    const rows = await this.prisma.query<{ which: number; many: number }[]>`${UNNAMED}
      ${Prisma.join(counts, ' UNION ALL ')}`;
    const [fewest] = rows.sort((a, b) => a.many - b.many);
    return fewest!.many <= MOST_SORTED ? conditions[fewest!.which]! : null;
  }
}

/** Whether a search is of a kind that is asked all the time, so that the database should keep its plan. */
const isUsual = (search: Search, { before, fromEnd }: Stretch): boolean =>
  !fromEnd &&
  before === undefined &&
  search.direction === 'desc' &&
  search.opponent === null &&
  search.seat === null &&
  filters({ ...search, ruleset: null }, { seat: null, part: 'ended' }).length === 0;

const TOO_MANY = constant(MOST_SORTED + 1);

/** The matches among the rows of one scan, and its last row if it stops there. */
function hitsOf(search: Search, { after, before, limit }: Stretch, scan: Scan, most: number): Prisma.Sql {
  const way = Prisma.raw(scan.descending ? 'DESC' : 'ASC');
  const rows = rowsOf(search, { after, before }, scan, most);
  return Prisma.sql`(SELECT id, at, fits, n = ${constant(most)} AS last
    FROM (SELECT g.*, row_number() OVER (ORDER BY g.at ${way}, g.id ${way}) AS n FROM (${rows}) g) h
    WHERE fits OR n = ${constant(most)} ORDER BY at ${way}, h.id ${way} LIMIT ${limit + 1})`;
}

/** The first rows of a scan, each with its sort key and whether it matches. */
function rowsOf(
  search: Search,
  between: Pick<Stretch, 'after' | 'before'>,
  scan: Scan,
  most: number,
): Prisma.Sql {
  const way = Prisma.raw(scan.descending ? 'DESC' : 'ASC');
  const { from, key, conditions } = sourceOf(search, scan, TOO_MANY);
  const within = allOf([...conditions, ...bounds(search, between, key)]);
  const fits = allOf(filters(search, scan));
  return Prisma.sql`SELECT g.id, ${key.sql} AS at, ${fits} AS fits FROM ${from}
    WHERE ${within} ORDER BY ${key.sql} ${way}, ${key.id} ${way} LIMIT ${constant(most)}`;
}
