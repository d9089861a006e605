import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { constant, UNNAMED } from '../../platform/database/statements.js';
import type { Place } from '../../platform/cursors.js';
import {
  allOf,
  bounds,
  filters,
  gatherings,
  sourceOf,
  type Gathering,
  type Walk,
} from './search-plan.store.js';
import { merged, partsOf, type Count, type Found, type Hit, type Search, type Stretch } from './search.js';

/** Rows that a walk looks at before it stops, however few of them fit. */
export const MOST_WALKED = 5_000;
/** Mostly these have a page; for more of them the planner may find it cheaper to sort all that there are. */
const FIRST_WALKED = 250;
/** What is rarer than this is gathered and sorted, where the walk would pass by too much else. */
export const MOST_GATHERED = 2_000;
export const MOST_COUNTED = 10_000;

type Row = Place & { readonly fits: boolean; readonly n: bigint };

/** Finds games by walks along indexes, of a length that does not grow with the history. */
@Injectable()
export class HistoryStore {
  constructor(private readonly prisma: PrismaService) {}

  async find(search: Search, stretch: Stretch): Promise<Found> {
    const descending = (search.direction === 'desc') !== stretch.fromEnd;
    const walks = await this.walks(search, descending);
    if (walks.length === 0) return { places: [], stop: null, more: false };
    const short = await this.walked(search, stretch, walks, FIRST_WALKED);
    const found = short.stop === null ? short : await this.walked(search, stretch, walks, MOST_WALKED);
    return stretch.fromEnd ? { ...found, places: [...found.places].reverse() } : found;
  }

  private async walked(
    search: Search,
    stretch: Stretch,
    walks: readonly Walk[],
    most: number,
  ): Promise<Found> {
    const parts = walks.map((walk) => hitsOf(search, stretch, walk, most));
    const rows = await this.prisma.db.$queryRaw<Row[]>`${UNNAMED}${Prisma.join(parts, ' UNION ALL ')}`;
    const hits = rows.map(({ at, id, fits, n }): Hit => ({ at, id, fits, last: Number(n) === most }));
    return merged(hits, stretch.limit - 1, walks[0]!.descending);
  }

  /** How many there are among the first that a count looks at. */
  async count(search: Search): Promise<Count> {
    const walks = await this.walks(search, search.direction === 'desc');
    if (walks.length === 0) return { many: 0, capped: false };
    const parts = walks.map((walk) => {
      const looked = lookedAt(search, {}, walk, MOST_COUNTED + 1);
      return Prisma.sql`SELECT count(*) FILTER (WHERE fits)::int AS many, count(*)::int AS seen FROM (${looked}) g`;
    });
    const rows = await this.prisma.db.$queryRaw<{ many: number; seen: number }[]>`${UNNAMED}
      ${Prisma.join(parts, ' UNION ALL ')}`;
    const many = rows.reduce((sum, row) => sum + row.many, 0);
    const capped = many > MOST_COUNTED || rows.some(({ seen }) => seen > MOST_COUNTED);
    return { many: Math.min(many, MOST_COUNTED), capped };
  }

  private async walks(search: Search, descending: boolean): Promise<readonly Walk[]> {
    const parts = partsOf(search);
    const gathered = parts.includes('ended') ? await this.gathered(search) : null;
    const seats = search.player === null ? [null] : search.side === null ? (['first', 'second'] as const) : [search.side]; // prettier-ignore
    return seats.flatMap((seat) =>
      parts.map((part) => ({ part, seat, descending, gathered: part === 'ended' ? gathered : null })),
    );
  }

  /** The condition that so few games that are over meet that all of them are looked at; null when there is none. */
  private async gathered(search: Search): Promise<Gathering | null> {
    const conditions = gatherings(search);
    if (conditions.length === 0) return null;
    const counts = conditions.map(
      ({ condition, order }, i) => Prisma.sql`SELECT ${constant(i)} AS which, count(*)::int AS many
        FROM (SELECT 1 FROM games g WHERE g.ended_at IS NOT NULL AND ${condition} ORDER BY ${order} LIMIT ${TOO_MANY}) few`,
    );
    const rows = await this.prisma.db.$queryRaw<{ which: number; many: number }[]>`${UNNAMED}
      ${Prisma.join(counts, ' UNION ALL ')}`;
    const [fewest] = rows.sort((a, b) => a.many - b.many);
    return fewest!.many <= MOST_GATHERED ? conditions[fewest!.which]! : null;
  }
}

const TOO_MANY = constant(MOST_GATHERED + 1);

/** Those that fit among what one walk looks at, and the last row if it has to stop there. */
function hitsOf(search: Search, { after, before, limit }: Stretch, walk: Walk, most: number): Prisma.Sql {
  const way = Prisma.raw(walk.descending ? 'DESC' : 'ASC');
  const looked = lookedAt(search, { after, before }, walk, most);
  return Prisma.sql`(SELECT id::text AS id, at, fits, n
    FROM (SELECT g.*, row_number() OVER (ORDER BY g.at ${way}, g.id ${way}) AS n FROM (${looked}) g) h
    WHERE fits OR n = ${constant(most)} ORDER BY at ${way}, h.id ${way} LIMIT ${limit + 1})`;
}

/** The first rows of a walk, each with its sort key, and whether it is one of those that are looked for. */
function lookedAt(
  search: Search,
  between: Pick<Stretch, 'after' | 'before'>,
  walk: Walk,
  most: number,
): Prisma.Sql {
  const way = Prisma.raw(walk.descending ? 'DESC' : 'ASC');
  const { source, key, conditions } = sourceOf(search, walk, TOO_MANY);
  const within = allOf([...conditions, ...bounds(search, between, key)]);
  return Prisma.sql`SELECT g.id, ${key.sql} AS at, ${allOf(filters(search, walk.seat))} AS fits FROM ${source} g
    WHERE ${within} ORDER BY ${key.sql} ${way}, g.id ${way} LIMIT ${constant(most)}`;
}
