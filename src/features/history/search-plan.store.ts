import { Prisma } from '../../generated/prisma/client.js';
import { constant } from '../../platform/database/statements.js';
import { SETTINGS } from '../../settings.js';
import { opponent, type Options, type Player, type Reason } from '../../rules/ruleset.js';
import { isLimited, type Part, type Search, type Span, type Stretch } from './search.js';

/** Turns a search into SQL conditions on the rows of games, `g`. */

/** A scan of one part of the games: along an index in the order of the list, or over the few of a rare condition. */
export interface Scan {
  readonly part: Part;
  /** The seat of the player in the filter; null without one. */
  readonly seat: Player | null;
  readonly descending: boolean;
  /** The condition whose few games are sorted instead; null to scan the index. */
  readonly rare: RareCondition | null;
}

/** The columns by which a part is sorted: a time, and the id of the game. */
interface Key {
  readonly isCreation: boolean;
  readonly sql: Prisma.Sql;
  readonly id: Prisma.Sql;
}

/** Where a scan finds its rows, the games `g`, and the conditions that select its index. */
interface Source {
  readonly from: Prisma.Sql;
  readonly key: Key;
  readonly conditions: readonly Prisma.Sql[];
}

export const allOf = (conditions: readonly Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? Prisma.sql`true` : Prisma.sql`(${Prisma.join([...conditions], ' AND ')})`;

const SEATS = { first: Prisma.sql`g.first_id`, second: Prisma.sql`g.second_id` } as const;
const CREATED = Prisma.sql`g.created_at`;
const ENDED = Prisma.sql`g.ended_at`;
const ACTIVE = Prisma.sql`g.last_activity_at`;
/** Stored for ended games only, because an index holds it. */
const OPENING = {
  ended: Prisma.sql`g.opening COLLATE "C"`,
  running: Prisma.sql`opening_of(g.moves) COLLATE "C"`,
} as const;
const ID = Prisma.sql`g.id`;

/** Games of applications are in no public list, only in those of their players; the public indexes leave them out. */
export const LISTED = Prisma.sql`g.application_id IS NULL`;

/** Of an ended game as the indexes of players have them, so that its row need not be read. */
const PLIES = { ended: Prisma.sql`g.ended_plies`, running: Prisma.sql`g.ply_count` } as const;
/** The last activity of an ended game is its end. */
const ACTIVITY = { ended: ENDED, running: ACTIVE } as const;

const keyOf = ({ order }: Search, part: Part): Key => {
  if (order === 'createdAt') return { isCreation: true, sql: CREATED, id: ID };
  return { isCreation: false, sql: ACTIVITY[part], id: ID };
};

/** A table of its own has the order that every move changes. The subquery keeps the planner from reading all games. */
const BY_ACTIVITY = {
  from: Prisma.sql`running_games r CROSS JOIN LATERAL (SELECT * FROM games WHERE id = r.game_id OFFSET 0) g`,
  key: { isCreation: false, sql: Prisma.sql`r.last_activity_at`, id: Prisma.sql`r.game_id` },
} as const;

/** Whether a scan walks through the running games by activity, for which each game is looked up: four pages. */
export const isByActivity = ({ order }: Search, { part, seat }: Pick<Scan, 'part' | 'seat'>): boolean =>
  part === 'running' && seat === null && order !== 'createdAt';

/** No server lets a player have more, so that none are left out; the limit tells the planner that they are few. */
const ALL_RUNNING = constant(SETTINGS.MAX_RUNNING_GAMES.max);

export function sourceOf(search: Search, { part, seat, rare }: Scan, tooMany: Prisma.Sql): Source {
  const key = keyOf(search, part);
  if (isByActivity(search, { part, seat })) {
    return { ...BY_ACTIVITY, conditions: given(search.ruleset, (id) => Prisma.sql`r.ruleset = ${id}`) };
  }
  const listed = seat === null ? [LISTED] : [];
  const isIn = part === 'ended' ? Prisma.sql`${ENDED} IS NOT NULL` : Prisma.sql`${ENDED} IS NULL`;
  const few = (condition: Prisma.Sql, limit: Prisma.Sql) => ({
    from: Prisma.sql`(SELECT * FROM games g WHERE ${allOf([isIn, ...listed, condition])} ${limit}) g`,
    key,
    conditions: [],
  });
  if (rare !== null) return few(rare.condition, Prisma.sql`ORDER BY ${rare.order} LIMIT ${tooMany}`);
  const entry = entryOf(search, part, seat);
  // A player has few running games, in no order.
  if (part === 'running' && seat !== null) return few(allOf(entry), Prisma.sql`LIMIT ${ALL_RUNNING}`);
  return { from: Prisma.sql`games g`, key, conditions: [isIn, ...listed, ...entry] };
}

function entryOf(search: Search, part: Part, seat: Player | null): Prisma.Sql[] {
  const { player, opponent: other, ruleset, options, reason } = search;
  if (seat !== null) {
    const pair = other === null ? [] : [Prisma.sql`${SEATS[opponent(seat)]} = ${other}::uuid`];
    return [Prisma.sql`${SEATS[seat]} = ${player}::uuid`, ...pair];
  }
  const [byOptions, byReason] =
    part === 'running' || search.order === 'createdAt' ? [null, null] : [options, reason];
  if (ruleset === null) return given(byReason, isFor);
  return [Prisma.sql`g.ruleset = ${ruleset}`, ...given(byOptions, has)];
}

const given = <T, U>(value: T | null, made: (value: T) => U): U[] => (value === null ? [] : [made(value)]);
const has = (options: Options): Prisma.Sql => Prisma.sql`g.options = ${JSON.stringify(options)}::jsonb`;
const isFor = (reason: Reason): Prisma.Sql => Prisma.sql`g.reason = ${reason}`;

/** The bounds of a scan. They follow also from the other times: a game ends after its creation and its last activity. */
export function bounds(
  { created, ended, active, direction }: Search,
  { after, before }: Pick<Stretch, 'after' | 'before'>,
  { isCreation, sql: key, id }: Key,
): Prisma.Sql[] {
  const lower = isCreation ? [created] : [created, ended, active];
  const upper = isCreation ? [created, ended, active] : [ended, active];
  const [least, most] = direction === 'asc' ? [after, before] : [before, after];
  return [
    ...lower.flatMap(({ from }) => (from === null ? [] : [Prisma.sql`${key} >= ${from}::timestamptz`])),
    ...upper.flatMap(({ until }) => (until === null ? [] : [Prisma.sql`${key} < ${until}::timestamptz`])),
    ...(least === undefined
      ? []
      : [Prisma.sql`(${key}, ${id}) > (${least.at}::timestamptz, ${least.id}::uuid)`]),
    ...(most === undefined
      ? []
      : [Prisma.sql`(${key}, ${id}) < (${most.at}::timestamptz, ${most.id}::uuid)`]),
  ];
}

/** All conditions except those on the players. */
export function filters(search: Search, { seat, part }: Pick<Scan, 'seat' | 'part'>): Prisma.Sql[] {
  const { ruleset, options, rated, statuses, reason, minPlies, opening, created, ended, active } = search;
  const { type, seconds, initial, increment } = search.timeControl;
  const duration = (name: string) => (value: number) =>
    Prisma.sql`(g.time_control->>${name}::text)::int = ${value}::int`;
  return [
    ...given(ruleset, (id) => Prisma.sql`g.ruleset = ${id}`),
    ...given(options, has),
    ...given(rated, (value) => Prisma.sql`g.rated = ${value}`),
    ...given(statuses, (some) => Prisma.sql`g.status = ANY(${[...some]}::text[])`),
    ...given(reason, isFor),
    ...given(type, (name) => Prisma.sql`g.time_control->>'type' = ${name}`),
    ...given(seconds, duration('seconds')),
    ...given(initial, duration('initial')),
    ...given(increment, duration('increment')),
    ...given(minPlies, (least) => Prisma.sql`${PLIES[part]} >= ${least}::int`),
    ...given(opening, (moves) => beginsWith(OPENING[part], moves)),
    ...resultOf(search, seat),
    ...within(CREATED, created),
    ...within(ENDED, ended),
    ...within(ACTIVITY[part], active),
  ];
}

/** A condition that few games may meet, with the order of its own index. */
export interface RareCondition {
  readonly condition: Prisma.Sql;
  readonly order: Prisma.Sql;
}

export function rareConditions(search: Search): RareCondition[] {
  const { player, ruleset, options, reason, opening, order, created, ended, active } = search;
  if (player !== null) return [];
  const isCreation = order === 'createdAt';
  const [column, span] = isCreation ? [ENDED, narrower(ended, active)] : [CREATED, created];
  const isOf = Prisma.sql`g.ruleset = ${ruleset}`;
  return [
    ...given(opening, (moves) => ({
      condition: allOf([isOf, beginsWith(OPENING.ended, moves)]),
      order: OPENING.ended,
    })),
    // In the order of the end the scan already uses the index of the options.
    ...given(isCreation ? options : null, (all) => ({ condition: allOf([isOf, has(all)]), order: ENDED })),
    ...given(isCreation || ruleset !== null ? reason : null, (why) => ({
      condition: isFor(why),
      order: ENDED,
    })),
    ...(isLimited(span) ? [{ condition: allOf(within(column, span)), order: column }] : []),
  ];
}

const narrower = (ended: Span, active: Span): Span => (isLimited(ended) ? ended : active);

const within = (column: Prisma.Sql, { from, until }: Span): Prisma.Sql[] => [
  ...(from === null ? [] : [Prisma.sql`${column} >= ${from}::timestamptz`]),
  ...(until === null ? [] : [Prisma.sql`${column} < ${until}::timestamptz`]),
];

/** A range rather than LIKE, so that a generic plan uses the index as well. */
const beginsWith = (column: Prisma.Sql, opening: string): Prisma.Sql => {
  // The last character is the space after the last move; the next character in the order is an exclamation mark.
  return Prisma.sql`${column} >= ${opening} AND ${column} < ${`${opening.slice(0, -1)}!`}`;
};

function resultOf({ result }: Search, seat: Player | null): Prisma.Sql[] {
  if (result === null) return [];
  if (result === 'drawn') return [Prisma.sql`g.status = 'finished' AND g.winner IS NULL`];
  const winner = { firstWon: 'first', secondWon: 'second', won: seat, lost: seat && opponent(seat) }[result];
  return [Prisma.sql`g.winner = ${winner}`];
}
