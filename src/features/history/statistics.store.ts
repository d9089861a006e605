import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { LENGTHS, PACES } from './classes.js';
import type { Group, RulesetScore } from './counts.js';

export interface Score {
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
}

export type OpponentScore = Score & { readonly userId: string };

/** The columns of each seat, all in its index. */
const SEATS = [
  {
    seat: 'first',
    own: 'first_id',
    other: 'second_id',
    seconds: 'ended_first_seconds',
    plies: 'ended_first_plies',
  },
  {
    seat: 'second',
    own: 'second_id',
    other: 'first_id',
    seconds: 'ended_second_seconds',
    plies: 'ended_second_plies',
  },
] as const;
type Seat = (typeof SEATS)[number];

const raw = (text: string): Prisma.Sql => Prisma.raw(text);
const isOf = (ruleset: string | null): Prisma.Sql =>
  ruleset === null ? Prisma.sql`true` : Prisma.sql`ruleset = ${ruleset}`;
const finished = (ruleset: string | null): Prisma.Sql =>
  Prisma.sql`ended_at IS NOT NULL AND status = 'finished' AND ${isOf(ruleset)}`;

const scoreOf = ({ seat }: Seat): Prisma.Sql => Prisma.sql`count(*)::int AS games,
  count(*) FILTER (WHERE winner = ${seat})::int AS wins, count(*) FILTER (WHERE winner IS NULL)::int AS draws,
  count(*) FILTER (WHERE winner <> ${seat})::int AS losses`;
const SUMS = raw(
  `sum(games)::int AS games, sum(wins)::int AS wins, sum(draws)::int AS draws, sum(losses)::int AS losses`,
);

/** Adds up the games of one player, using only the indexes of the two seats. */
@Injectable()
export class StatisticsStore {
  constructor(private readonly prisma: PrismaService) {}

  groups(userId: string, ruleset: string | null): Promise<Group[]> {
    const seats = SEATS.map(
      ({ seat, own, seconds, plies }) => Prisma.sql`
        SELECT ruleset, ${seat}::text AS seat, reason, winner, count(*)::int AS games, sum(ended_plies)::float8 AS plies,
               min(ended_plies) AS shortest, max(ended_plies) AS longest, sum(${raw(seconds)})::float8 AS seconds,
               sum(${raw(plies)})::float8 AS own,
               width_bucket(ended_plies, ${[...LENGTHS]}::int[]) AS length,
               width_bucket(${raw(seconds)} / greatest(1, ${raw(plies)}), ${[...PACES]}::int[]) AS pace
        FROM games WHERE ${raw(own)} = ${userId}::uuid AND ${finished(ruleset)}
        GROUP BY ruleset, reason, winner, length, pace`,
    );
    return this.prisma.query<Group[]>`${Prisma.join(seats, ' UNION ALL ')}`;
  }

  /** The number of games that the player aborted, or that ended because they withheld an announced client seed. */
  async calledOff(userId: string, ruleset: string | null): Promise<number> {
    const seats = SEATS.map(
      ({ seat, own }) => Prisma.sql`
        SELECT id, ${seat}::text AS seat FROM games
        WHERE ${raw(own)} = ${userId}::uuid AND ended_at IS NOT NULL AND status = 'aborted' AND ${isOf(ruleset)}`,
    );
    // The aborted games first, from the indexes alone: only of them is anything else read.
    const [row] = await this.prisma.query<[{ games: number }]>`
      WITH aborted AS MATERIALIZED (${Prisma.join(seats, ' UNION ALL ')})
      SELECT count(*)::int AS games FROM aborted a WHERE (
        SELECT bool_or((e.type = 'abort' AND e.player = a.seat) OR (e.type = 'flag' AND COALESCE(
          jsonb_exists(e.data->'withheld', CASE g.creator WHEN a.seat THEN 'creator' ELSE 'accepter' END),
          e.player = a.seat)))
        FROM game_events e, games g WHERE e.game_id = a.id AND g.id = a.id)`;
    return row.games;
  }

  /** The most played opponents, without players of applications, who are in no public list. */
  opponents(userId: string, limit: number): Promise<OpponentScore[]> {
    const seats = SEATS.map(
      (seat) => Prisma.sql`
        SELECT ${raw(seat.other)} AS id, ${scoreOf(seat)}
        FROM games WHERE ${raw(seat.own)} = ${userId}::uuid AND ${finished(null)} GROUP BY 1`,
    );
    return this.prisma.query<OpponentScore[]>`
      SELECT id::text AS "userId", ${SUMS} FROM (${Prisma.join(seats, ' UNION ALL ')}) s
      WHERE EXISTS (SELECT FROM users u WHERE u.id = s.id AND u.kind <> 'managed')
      GROUP BY id ORDER BY sum(games) DESC, id LIMIT ${limit}`;
  }

  /** The score of one player against another by rule set, the most played first. */
  between(userId: string, otherId: string, ruleset: string | null): Promise<RulesetScore[]> {
    const seats = SEATS.map(
      (seat) => Prisma.sql`
        SELECT ruleset, ${scoreOf(seat)} FROM games
        WHERE ${raw(seat.own)} = ${userId}::uuid AND ${raw(seat.other)} = ${otherId}::uuid AND ${finished(ruleset)}
        GROUP BY ruleset`,
    );
    return this.prisma.query<RulesetScore[]>`
      SELECT ruleset, ${SUMS} FROM (${Prisma.join(seats, ' UNION ALL ')}) s
      GROUP BY ruleset ORDER BY sum(games) DESC, ruleset`;
  }
}
