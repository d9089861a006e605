import { Injectable } from '@nestjs/common';
import type { Takeback } from '../../arbiter/state.js';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Range } from '../../platform/contract/page.js';
import type { EventRow, PlyRow } from './game.row.js';
import { inOrder } from './transition.js';

/** A range of plies by their sequence numbers. */
export type PlyRange = Range<number>;

/** A request for the plies of one game, read together with others of the same limit and direction. */
export interface PliesOf extends Pick<PlyRange, 'after' | 'before'> {
  readonly gameId: string;
  /** Plies undone by these takebacks are left out. */
  readonly takebacks: readonly Takeback[];
}

/** As JSON has it. */
type JsonPly = Omit<PlyRow, 'gameId' | 'playedAt'> & { readonly playedAt: string };

const plyOf = ({ gameId }: PliesOf, ply: JsonPly): PlyRow => ({
  ...ply,
  gameId,
  playedAt: new Date(ply.playedAt),
});

const LAST_SEQ = 2 ** 31 - 1;

/** Reads the plies and events of many games in one statement each. */
@Injectable()
export class GameLogStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The plies, in the order of the requests. */
  async plies(
    asked: readonly PliesOf[],
    { limit, fromEnd }: Pick<PlyRange, 'limit' | 'fromEnd'>,
  ): Promise<readonly (readonly PlyRow[])[]> {
    const takebacks = asked.map((one) => JSON.stringify(one.takebacks));
    // The plies of a game as one JSON value: Prisma takes five times as long to read them as rows.
    const rows = await this.prisma.query<{ readonly plies: readonly JsonPly[] }[]>`
      SELECT coalesce((
        SELECT json_agg(p ORDER BY p.seq) FROM (
          SELECT seq, ply, player, move, reveals, captured, san, position, time_used AS "timeUsed", clock, automatic,
                 played_at AS "playedAt", previous_hash AS "previousHash", hash, proof
          FROM plies WHERE game_id = a.game_id AND seq > a.after AND seq < a.before
            AND (a.takebacks = '[]' OR NOT EXISTS (
              SELECT 1 FROM jsonb_to_recordset(a.takebacks::jsonb) AS t(seq int, ply int)
              WHERE plies.seq < t.seq AND plies.ply > t.ply))
          ORDER BY seq ${Prisma.raw(fromEnd ? 'DESC' : 'ASC')} LIMIT ${limit}) p), '[]') AS plies
      FROM unnest(${asked.map(({ gameId }) => gameId)}::uuid[], ${takebacks}::text[],
                  ${asked.map(({ after }) => after ?? 0)}::int[], ${asked.map(({ before }) => before ?? LAST_SEQ)}::int[])
        WITH ORDINALITY AS a(game_id, takebacks, after, before, place)
      ORDER BY a.place`;
    return rows.map(({ plies }, place) => plies.map((ply) => plyOf(asked[place]!, ply)));
  }

  /** The range of the newest ply with this number and of the conditional moves made in the same act. */
  async act(gameId: string, ply: number): Promise<Pick<PlyRange, 'after' | 'before'>> {
    const { db } = this.prisma;
    const first = await db.ply.findFirst({ where: { gameId, ply }, orderBy: { seq: 'desc' } });
    const { seq } = first!;
    const next = await db.ply.findFirst({
      where: { gameId, seq: { gt: seq }, automatic: false },
      orderBy: { seq: 'asc' },
    });
    return { after: seq - 1, ...(next === null ? {} : { before: next.seq }) };
  }

  /** The number of plies by game, including those taken back. */
  async counts(gameIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.prisma.query<{ id: string; many: number }[]>`
      SELECT game_id::text AS id, count(*)::int AS many FROM plies WHERE game_id = ANY(${[...gameIds]}::uuid[])
      GROUP BY game_id`;
    return new Map(rows.map(({ id, many }) => [id, many]));
  }

  /** The events by game, in order. */
  async events(gameIds: readonly string[]): Promise<ReadonlyMap<string, readonly EventRow[]>> {
    const rows = await this.prisma.db.gameEvent.findMany({
      where: { gameId: { in: [...gameIds] } },
      orderBy: { seq: 'asc' },
    });
    const found = new Map<string, EventRow[]>(gameIds.map((id) => [id, []]));
    for (const row of rows as unknown as EventRow[]) found.get(row.gameId)!.push(row);
    for (const events of found.values()) events.sort(inOrder);
    return found;
  }
}
