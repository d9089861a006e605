import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Player } from '../../rules/ruleset.js';
import type { Landmark } from '../../platform/events/landmark.js';
import { HORIZON, IS_PUBLIC, lastLandmark, stands } from '../../platform/events/landmarks.store.js';
import {
  OF_GAMES,
  type EventRow,
  type EventsReader,
  type EventType,
  type GamePlace,
  type Place,
  type Placed,
  type Read,
} from './event.row.js';

const IN_ORDER = Prisma.sql`array_position(${[...OF_GAMES]}::text[], l.type)`;

interface Joined extends Landmark {
  readonly stands: boolean;
  readonly storedAt: Date;
  readonly type: EventType | null;
  readonly gameId: string | null;
  readonly version: number | null;
  readonly subject: string | null;
  /** Whose rating changed. */
  readonly rated: Player | null;
  readonly logged: EventType | null;
  readonly seq: number;
  readonly player: Player | null;
  readonly loggedAt: Date;
}

/** Where a reader of a user's events stands. */
export interface From {
  readonly place: Pick<Place, 'tide' | 'id' | 'part'>;
  /** The event that proves the position: mostly the one at its place. */
  readonly landmark: Landmark;
  /** The last row to read; null for all before the horizon. */
  readonly until: Landmark | null;
}

/** Reads what the triggers of prisma/migrations write. */
@Injectable()
export class EventsStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * The events of a user, an application or everybody after a position, in order, of these types and of games; a change
   * of a game is expanded to the entries of its log, and one of conditional moves, which has none, is left out. Rows from
   * the oldest running transaction on are left for later, because no event may be skipped.
   */
  async of(
    { of, id: readerId, types }: EventsReader,
    { place, landmark, until }: From,
    limit: number,
  ): Promise<Read<Place>> {
    const { tide, id, part } = place;
    const end =
      until === null
        ? Prisma.empty
        : Prisma.sql`AND (tide, id) <= (${until.tide}::bigint, ${until.id}::bigint)`;
    const page = (whose: Prisma.Sql) => Prisma.sql`
      (SELECT * FROM events WHERE ${whose} AND (tide, id) >= (${tide}::bigint, ${id}::bigint)
        AND tide < ${HORIZON} ${end} AND steps IS DISTINCT FROM 0
        AND (type IS NULL OR type = ANY (${[...types]}::text[])) ORDER BY tide, id LIMIT ${limit + 1})`;
    const pages = {
      user: () => Prisma.sql`${page(Prisma.sql`user_id = ${readerId}::uuid`)} UNION ALL ${page(Prisma.sql`other_id = ${readerId}::uuid`)}`, // prettier-ignore
      application: () => page(Prisma.sql`application_id = ${readerId}::uuid`),
      everybody: () => page(IS_PUBLIC),
    };
    const rows = await this.prisma.query<Joined[]>`
      SELECT here.stands, e.tide, e.id, e.mark, e.at AS "storedAt", e.type, e.game_id::text AS "gameId", e.version,
             e.subject, (SELECT player FROM rating_changes
               WHERE e.type = 'ratingChanged' AND game_id = e.game_id AND user_id = e.user_id) AS rated,
             l.type AS logged, l.seq, l.player, l.at AS "loggedAt"
      FROM (SELECT ${stands(landmark)} AS stands) here
      LEFT JOIN LATERAL (
        SELECT * FROM (${pages[of]()}) own
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
    const isBehind = ({ place: at }: Placed<Place>) => at.tide !== tide || at.id !== id || at.part > part;
    return { events: found.filter(isBehind).slice(0, limit), stands: rows[0]!.stands };
  }

  /** The events of a game after a position, in order. */
  async ofGame(gameId: string, { version, part, hash }: GamePlace, limit: number): Promise<Read<GamePlace>> {
    const rows = await this.prisma.query<(EventRow & { version: number; hash: string })[]>`
      SELECT l.type, ${gameId}::text AS "gameId", l.seq AS version, l.player, l.subject, l.at, l.hash
      FROM (
        SELECT 'ply' AS type, seq, player, NULL AS subject, played_at AS at, hash FROM plies
        WHERE game_id = ${gameId}::uuid AND seq >= ${version}
        UNION ALL
        SELECT type, seq, player, NULL, at, hash FROM game_events WHERE game_id = ${gameId}::uuid AND seq >= ${version}
        UNION ALL
        SELECT 'ratingChanged', g.version, c.player, c.ruleset, c.at, g.head_hash
        FROM games g JOIN rating_changes c ON c.game_id = g.id
        WHERE g.id = ${gameId}::uuid AND g.version >= ${version}
      ) l
      ORDER BY l.seq, ${IN_ORDER}, l.player LIMIT ${limit + Math.min(part, MOST_OF_A_VERSION)}`;
    const events = partsOf(rows, (row) => row.version)
      .map(([{ hash: rowHash, ...event }, at]) => ({
        event,
        place: { version: event.version, part: at, hash: rowHash },
        storedAt: event.at,
      }))
      .filter(({ place }) => place.version > version || place.part > part)
      .slice(0, limit);
    return {
      events,
      stands: version === 0 || rows.some((row) => row.version === version && row.hash === hash),
    };
  }

  /** The end of the log. */
  end(): Promise<Landmark> {
    return lastLandmark(this.prisma);
  }

  /**
   * Deletes those of the `limit` oldest rows that were the last one only before this, and are folded into the changes;
   * returns how many. A cursor stands on the last event of when it was made, however old that is.
   */
  forget(before: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      DELETE FROM events WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM (
          SELECT ctid, tide, id, lead(at) OVER (ORDER BY tide, id) AS next_at
          FROM (SELECT ctid, at, tide, id FROM events ORDER BY tide, id LIMIT ${limit + 1}) oldest) passed
        WHERE next_at < ${before}::timestamptz
          AND (tide, id) <= (SELECT folded_tide, folded_id FROM event_state)))`;
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
    place: { tide: row.tide, id: row.id, mark: row.mark, part },
    storedAt: row.storedAt,
  }));

const eventOf = ({
  type,
  gameId,
  version,
  subject,
  storedAt,
  rated,
  logged,
  seq,
  player,
  loggedAt,
}: Joined): EventRow =>
  logged === null
    ? { type: type!, gameId, version, player: rated, subject, at: storedAt }
    : { type: logged, gameId, version: seq, player, subject: null, at: loggedAt };
