import { Injectable } from '@nestjs/common';
import type { Takeback } from '../../arbiter/state.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Place } from '../../platform/contract/cursors.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { constant, UNNAMED } from '../../platform/database/statements.js';
import type { Player } from '../../rules/ruleset.js';
import type { ExportedGame, ExportedPly, AddedTime } from './score.js';

/** A selection of games that are over. */
export interface Selection {
  /** A player in either seat; null for any, without the games of applications, which are in no public list. */
  readonly userId: string | null;
  /** Null for all. */
  readonly rulesets: readonly string[] | null;
  /** The range of the end of the game: `since` inclusive, `until` exclusive. */
  readonly since: Date | null;
  readonly until: Date | null;
}

/** A game that is over, with its plies except those taken back. */
export interface EndedGame extends ExportedGame {
  readonly endedAt: Date;
  readonly plies: readonly ExportedPly[];
  readonly addedTimes: readonly AddedTime[];
}

interface Row extends Omit<EndedGame, 'plies' | 'addedTimes'> {
  readonly plies: string | null;
  readonly addedTimes: string | null;
}

type PlyParts = [
  seq: number,
  ply: number,
  player: Player,
  move: string,
  reveals: string | null,
  captured: string | null,
  san: string,
  timeUsed: number,
  clock: number | null,
  automatic: boolean,
];

/** Reads games that are over, in the order of their ends. */
@Injectable()
export class ExportsStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The place of a game in that order; null if it is unknown or not over. */
  async place(id: string): Promise<Place | null> {
    const game = await this.prisma.db.game.findUnique({ where: { id }, select: { endedAt: true } });
    return game?.endedAt ? { at: game.endedAt, id } : null;
  }

  /** The next games behind a place, with their plies, in one statement. */
  async page(selection: Selection, after: Place | null, limit: number): Promise<readonly EndedGame[]> {
    const parts = partsOf(selection, after, limit);
    if (parts.length === 0) return [];
    const rows = await this.prisma.query<Row[]>`${UNNAMED}
      SELECT g.id::text AS id, g.ruleset, g.options, g.setup, g.time_control AS "timeControl", g.rated,
             g.first_id::text AS "firstId", g.second_id::text AS "secondId", g.winner, g.reason, g.takebacks,
             g.created_at AS "createdAt", g.ended_at AS "endedAt", g.commitment, g.deal_root AS "dealRoot",
             g.creator, g.first_client_seed AS "firstClientSeed", g.second_client_seed AS "secondClientSeed",
             g.client_seed_hash AS "clientSeedHash", g.accepter_seed_hash AS "accepterSeedHash",
             g.head_hash AS "headHash", p.plies, t.added AS "addedTimes"
      FROM (
        SELECT * FROM (${Prisma.join(parts, ' UNION ALL ')}) u ORDER BY ended_at, id LIMIT ${constant(limit)}
      ) k
      JOIN games g ON g.id = k.id
      CROSS JOIN LATERAL (
        SELECT json_agg(json_build_array(seq, ply, player, move, reveals, captured, san, time_used, clock,
                                         automatic)
                        ORDER BY seq)::text AS plies
        FROM plies WHERE game_id = k.id
      ) p
      CROSS JOIN LATERAL (
        SELECT json_agg(json_build_object('seq', seq, 'seconds', data->'seconds'))::text AS added
        FROM game_events WHERE game_id = k.id AND type IN ('giveTime', 'acceptTimeRequest')
      ) t
      ORDER BY k.ended_at, k.id`;
    return rows.map(({ plies, addedTimes, ...game }) => ({
      ...game,
      plies: standing(plies, game.takebacks),
      addedTimes: JSON.parse(addedTimes ?? '[]') as AddedTime[],
    }));
  }

  /** Those of the rule sets that have games in the selection, whose own rule sets do not count, in one statement. */
  async having(
    rulesets: readonly string[],
    selection: Selection,
    after: Place | null,
  ): Promise<readonly string[]> {
    const tried = rulesets.map((ruleset) => {
      const parts = partsOf({ ...selection, rulesets: [ruleset] }, after, 1);
      return Prisma.sql`SELECT ${ruleset}::text AS ruleset WHERE EXISTS (${Prisma.join(parts, ' UNION ALL ')})`;
    });
    const found = await this.prisma.query<{ ruleset: string }[]>`${UNNAMED}
      ${Prisma.join(tried, ' UNION ALL ')}`;
    return found.map(({ ruleset }) => ruleset);
  }
}

/** True if no client seed with this hash is missing; `seat` is that of its owner if the creator is first. */
const isGiven = (hash: Prisma.Sql, seat: 'first' | 'second'): Prisma.Sql =>
  Prisma.sql`(${hash} IS NULL OR
    CASE g.creator WHEN ${seat} THEN g.first_client_seed ELSE g.second_client_seed END IS NOT NULL)`;

/** One index scan for each seat of a player, or for each rule set. */
function partsOf({ userId, rulesets, since, until }: Selection, after: Place | null, limit: number) {
  // Leave out games aborted before they started: they have no position to export.
  const within = [
    Prisma.sql`g.ended_at IS NOT NULL`,
    isGiven(Prisma.sql`g.client_seed_hash`, 'first'),
    isGiven(Prisma.sql`g.accepter_seed_hash`, 'second'),
    ...(userId === null ? [Prisma.sql`g.application_id IS NULL`] : []),
    ...(since === null ? [] : [Prisma.sql`g.ended_at >= ${since}::timestamptz`]),
    ...(until === null ? [] : [Prisma.sql`g.ended_at < ${until}::timestamptz`]),
    ...(after === null
      ? []
      : [Prisma.sql`(g.ended_at, g.id) > (${after.at}::timestamptz, ${after.id}::uuid)`]),
  ];
  return entriesOf(userId, rulesets).map(
    (entry) => Prisma.sql`(SELECT g.id, g.ended_at FROM games g
      WHERE ${Prisma.join([...within, ...entry], ' AND ')} ORDER BY g.ended_at, g.id LIMIT ${constant(limit)})`,
  );
}

function entriesOf(userId: string | null, rulesets: readonly string[] | null): Prisma.Sql[][] {
  if (userId === null) return rulesets?.map((ruleset) => [Prisma.sql`g.ruleset = ${ruleset}`]) ?? [[]];
  const fits = rulesets === null ? [] : [Prisma.sql`g.ruleset = ANY(${[...rulesets]}::text[])`];
  return [
    [Prisma.sql`g.first_id = ${userId}::uuid`, ...fits],
    [Prisma.sql`g.second_id = ${userId}::uuid`, ...fits],
  ];
}

/** The plies without those taken back. */
function standing(plies: string | null, takebacks: readonly Takeback[]): ExportedPly[] {
  const all = JSON.parse(plies ?? '[]') as PlyParts[];
  return all
    .filter(([seq, ply]) => !takebacks.some((back) => seq < back.seq && ply > back.ply))
    .map(([seq, , player, move, reveals, captured, san, timeUsed, clock, automatic]) => ({
      ...{ seq, player, move, reveals, captured, san, timeUsed, clock, automatic },
    }));
}
