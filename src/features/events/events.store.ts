import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Player } from '../../rules/ruleset.js';
import {
  OF_GAMES,
  type EventRow,
  type GamePlace,
  type EventType,
  type Place,
  type Placed,
} from './event.row.js';

/** Events of a user, and the oldest transaction that was running when they were read. */
export interface Read {
  readonly events: readonly Placed<Place>[];
  readonly horizon: bigint;
}

const HORIZON = Prisma.sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;
const IN_ORDER = Prisma.sql`array_position(${[...OF_GAMES]}::text[], l.type)`;

interface Joined extends Omit<Place, 'part'> {
  readonly horizon: bigint;
  readonly storedAt: Date;
  readonly type: EventType | null;
  readonly gameId: string | null;
  readonly version: number | null;
  readonly subject: string | null;
  readonly logged: EventType | null;
  readonly seq: number;
  readonly player: Player | null;
  readonly loggedAt: Date;
}

/** Reads what the triggers of prisma/migrations write. */
@Injectable()
export class EventsStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * The events of a user after a position, in order; a change of a game is expanded to the entries of its log, and one
   * of conditional moves, which has none, is left out. Rows from the oldest running transaction on are left for later,
   * because no event may be skipped.
   */
  async ofUser(userId: string, { tide, id, part }: Place, limit: number): Promise<Read> {
    const page = (column: Prisma.Sql) => Prisma.sql`
      (SELECT * FROM events WHERE ${column} = ${userId}::uuid AND (tide, id) >= (${tide}::bigint, ${id}::bigint)
        AND tide < now.horizon AND steps IS DISTINCT FROM 0 ORDER BY tide, id LIMIT ${limit + 1})`;
    const rows = await this.prisma.query<Joined[]>`
      SELECT now.horizon, e.tide, e.id, e.at AS "storedAt", e.type, e.game_id::text AS "gameId", e.version, e.subject,
             l.type AS logged, l.seq, l.player, l.at AS "loggedAt"
      FROM (SELECT ${HORIZON} AS horizon) now
      LEFT JOIN LATERAL (
        SELECT * FROM (${page(Prisma.sql`user_id`)} UNION ALL ${page(Prisma.sql`other_id`)}) own
        ORDER BY tide, id LIMIT ${limit + 1}
      ) e ON true
      LEFT JOIN LATERAL (
        SELECT 'ply' AS type, seq, player, played_at AS at FROM plies
        WHERE e.type IS NULL AND game_id = e.game_id AND seq > e.version - e.steps AND seq <= e.version
        UNION ALL
        SELECT type, seq, player, at FROM game_events
        WHERE e.type IS NULL AND game_id = e.game_id AND seq > e.version - e.steps AND seq <= e.version
      ) l ON true
      ORDER BY e.tide, e.id, l.seq, ${IN_ORDER}`;
    const found = placed(rows.filter(({ type, logged }) => (type ?? logged) !== null));
    const isBehind = ({ place }: Placed<Place>) =>
      place.tide !== tide || place.id !== id || place.part > part;
    return { events: found.filter(isBehind).slice(0, limit), horizon: rows[0]!.horizon };
  }

  /** The events of a game after a position, in order. */
  async ofGame(
    gameId: string,
    { version, part }: GamePlace,
    limit: number,
  ): Promise<readonly Placed<GamePlace>[]> {
    const rows = await this.prisma.query<(EventRow & { version: number })[]>`
      SELECT l.type, ${gameId}::text AS "gameId", l.seq AS version, l.player, l.subject, l.at
      FROM (
        SELECT 'ply' AS type, seq, player, NULL AS subject, played_at AS at FROM plies
        WHERE game_id = ${gameId}::uuid AND seq >= ${version}
        UNION ALL
        SELECT type, seq, player, NULL, at FROM game_events WHERE game_id = ${gameId}::uuid AND seq >= ${version}
        UNION ALL
        SELECT 'ratingChanged', g.version, c.player, c.ruleset, c.at FROM games g JOIN rating_changes c ON c.game_id = g.id
        WHERE g.id = ${gameId}::uuid AND g.version >= ${version}
      ) l
      ORDER BY l.seq, ${IN_ORDER}, l.player LIMIT ${limit + Math.min(part, MOST_OF_A_VERSION)}`;
    return partsOf(rows, (row) => row.version)
      .map(([event, at]) => ({ event, place: { version: event.version, part: at }, storedAt: event.at }))
      .filter(({ place }) => place.version > version || place.part > part)
      .slice(0, limit);
  }

  /** All transactions before this one have ended. */
  async horizon(): Promise<bigint> {
    const [now] = await this.prisma.query<[{ horizon: bigint }]>`SELECT ${HORIZON} AS horizon`;
    return now.horizon;
  }

  /** Deletes those of the `limit` oldest rows that are older than this and folded into the changes; returns how many. */
  forget(before: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      DELETE FROM events WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM (SELECT ctid, at, tide, id FROM events ORDER BY tide, id LIMIT ${limit}) oldest
        WHERE at < ${before}::timestamptz
          AND (tide, id) <= (SELECT folded_tide, folded_id FROM change_epochs)))`;
  }
}

/** More than a version can have: a ply, some log entries and two rating changes. */
const MOST_OF_A_VERSION = 100;

/** Numbers the rows that share a key. */
function partsOf<Row, Key>(
  rows: readonly Row[],
  key: (row: Row) => Key,
): readonly (readonly [Row, number])[] {
  let part = 0;
  return rows.map((row, i) => {
    part = i > 0 && key(rows[i - 1]!) === key(row) ? part + 1 : 1;
    return [row, part] as const;
  });
}

const placed = (rows: readonly Joined[]): readonly Placed<Place>[] =>
  partsOf(rows, ({ id }) => id).map(([row, part]) => ({
    event: eventOf(row),
    place: { tide: row.tide, id: row.id, part },
    storedAt: row.storedAt,
  }));

const eventOf = ({
  type,
  gameId,
  version,
  subject,
  storedAt,
  logged,
  seq,
  player,
  loggedAt,
}: Joined): EventRow =>
  logged === null
    ? { type: type!, gameId, version, player: null, subject, at: storedAt }
    : { type: logged, gameId, version: seq, player, subject: null, at: loggedAt };
