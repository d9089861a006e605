import { randomUUID } from 'node:crypto';
import { encodeMoves } from '../../src/engine/moves-text.js';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { Options, Player } from '../../src/rules/ruleset.js';
import { random, randomGame, type Random, type RandomGame } from './random-games.js';
import type { Body } from './transport.js';

/** A history of games, inserted cheaply, and a search that looks at every game. */

/** What is known of an inserted game, for the independent search. */
export interface Made {
  readonly id: string;
  readonly first: string;
  readonly second: string;
  readonly ruleset: string;
  readonly options: Options;
  readonly rated: boolean;
  readonly status: string;
  readonly winner: Player | null;
  readonly reason: string | null;
  readonly timeControl: Readonly<Record<string, unknown>>;
  readonly moves: readonly string[];
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly lastActivityAt: Date;
  /** The number of plies that each player made, and the time that they took. */
  readonly own: Readonly<Record<Player, number>>;
  readonly seconds: Readonly<Record<Player, number>>;
}

const CONTROLS = [
  { type: 'none' },
  { type: 'perMove', seconds: 86_400 },
  { type: 'perMove', seconds: 259_200 },
  { type: 'bank', initial: 86_400, increment: 3_600, cap: 172_800 },
] as const;

/** So few that many games share an opening. */
function lines(): RandomGame[] {
  const kinds: [string, object][] = [
    ['chess', {}],
    ['xiangqi', {}],
    ['banqi-taiwan', {}],
    ['half-chess', {}],
  ];
  return kinds.flatMap(([id, options]) =>
    [1, 2, 3].map((seed) => randomGame(rulesetById(id)!, options, seed)),
  );
}

/** Times are whole seconds shared by several games, so that ties must be broken by id. */
const SECOND = 1000;
export const BEGINNING = Date.UTC(2025, 0, 1);

/** Users whose password hash matches no password. */
export async function people(db: PrismaClient, names: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map(names.map((name) => [name, randomUUID()]));
  const createdAt = new Date(BEGINNING);
  await db.user.createMany({
    data: names.map((name) => ({
      id: ids.get(name)!,
      username: name,
      displayName: name,
      passwordHash: '',
      createdAt,
    })),
  });
  return ids;
}

/**
 * Inserts games of these users, two thirds of them over. The same seed gives the same games, except for their
 * ids.
 */
export async function population(
  db: PrismaClient,
  users: ReadonlyMap<string, string>,
  many: number,
  seed: number,
): Promise<Made[]> {
  const pick = random(seed);
  const played = lines();
  const rows = Array.from({ length: many }, () => row(pick, [...users], played));
  await db.$transaction([
    db.game.createMany({ data: rows.map(({ data }) => data) }),
    db.ply.createMany({ data: rows.flatMap(({ plies }) => plies) }),
    db.gameEvent.createMany({ data: rows.map(({ event }) => event) }),
    // They have no challenges, so that the log of all games cannot take them.
    db.unlogged.deleteMany({ where: { gameId: { in: rows.map(({ made }) => made.id) } } }),
  ]);
  return rows.map(({ made }) => made);
}

function row(pick: Random, users: readonly [string, string][], played: readonly RandomGame[]) {
  const line = played[pick(played.length)]!;
  const plies = line.plies.slice(0, pick(Math.min(14, line.plies.length)));
  const status = (['finished', 'finished', 'finished', 'aborted', 'active', 'active'] as const)[pick(6)]!;
  const over = status === 'finished' || status === 'aborted';
  const winner = status === 'finished' ? ([null, 'first', 'second'] as const)[pick(3)]! : null;
  const reason = !over ? null : status === 'aborted' ? 'aborted' : winner === null ? 'agreement' : ['resignation', 'timeout'][pick(2)]!; // prettier-ignore
  const a = pick(users.length);
  const b = (a + 1 + pick(users.length - 1)) % users.length;
  const createdAt = new Date(BEGINNING + pick(60) * SECOND);
  const lastActivityAt = new Date(createdAt.getTime() + pick(40) * SECOND);
  const id = randomUUID();
  const timeControl = CONTROLS[pick(CONTROLS.length)]!;
  const seconds = { first: 0, second: 0 };
  const own = { first: 0, second: 0 };
  // From seconds to days per ply.
  const pace = 10 ** ((createdAt.getTime() / SECOND) % 5);
  const plyRows = plies.map((ply, i) => {
    const timeUsed = pick(100) * pace;
    seconds[ply.player] += timeUsed;
    own[ply.player]++;
    return {
      ...{ gameId: id, seq: i + 2, ply: i + 1, player: ply.player, move: ply.move, reveals: ply.reveals },
      ...{ captured: ply.captured, san: ply.san, position: ply.fen, timeUsed, automatic: false },
      ...{ playedAt: lastActivityAt, previousHash: '', hash: String(i) },
    };
  });
  const ruleset = line.ruleset.id;
  const opening = line.ruleset.fen(line.ruleset.start(line.options, line.setup));
  const turn = over ? null : line.ruleset.turn(line.states[plies.length]!.history.positions.at(-1));
  const position = plies.at(-1)?.fen ?? opening;
  const made: Made = {
    ...{
      id,
      first: users[a]![0],
      second: users[b]![0],
      ruleset,
      options: line.options,
      rated: pick(2) === 1,
    },
    ...{
      status,
      winner,
      reason,
      timeControl,
      moves: plies.map(({ move }) => move),
      createdAt,
      lastActivityAt,
    },
    ...{ endedAt: over ? lastActivityAt : null, own, seconds },
  };
  const data = {
    ...{ id, ruleset, options: line.options, setup: line.setup, timeControl, rated: made.rated, status },
    ...{ firstId: users[a]![1], secondId: users[b]![1], version: plies.length + 1 + (over ? 1 : 0) },
    ...{ plyCount: plies.length, turn, position, anchorPosition: opening, anchorPly: 0 },
    ...{ moves: encodeMoves(plies), termsHash: 't', headHash: 'h', commitment: 'c' },
    ...{
      turnStartedAt: lastActivityAt,
      creator: 'first',
      sidesBy: 'wish',
      plans: randomUUID(),
      takebacks: [],
    },
    ...{ winner, reason, createdAt, lastActivityAt, endedAt: made.endedAt },
    clock: { ...{ allowance: null, given: 0, stops: [], reminded: false, bank: null }, away: { first: null, second: null } }, // prettier-ignore
    offers: { ...{ draw: null, takeback: null, pause: null }, refused: { first: 0, second: 0 } },
    ...{ firstPlies: own.first, secondPlies: own.second },
    ...{ firstSeconds: seconds.first, secondSeconds: seconds.second },
  };
  const event = { gameId: id, seq: 1, type: 'start', player: null, data: {}, at: createdAt, hash: '' };
  return { made, data, plies: plyRows, event };
}

export interface Filter {
  readonly player?: string;
  readonly opponent?: string;
  readonly seat?: Player;
  readonly ruleset?: string;
  readonly options?: Body;
  readonly rated?: boolean;
  readonly status?: readonly string[];
  readonly result?: string;
  readonly reason?: string;
  readonly timeControl?: string;
  readonly seconds?: number;
  readonly initial?: number;
  readonly increment?: number;
  readonly createdFrom?: string;
  readonly createdUntil?: string;
  readonly endedFrom?: string;
  readonly endedUntil?: string;
  readonly lastActivityFrom?: string;
  readonly lastActivityUntil?: string;
  readonly minPlies?: number;
  readonly opening?: string;
}

export interface Ordering {
  readonly by: 'createdAt' | 'endedAt' | 'lastActivityAt';
  readonly direction: 'asc' | 'desc';
}

/** The same search, by looking at every game. */
export function searched(all: readonly Made[], filter: Filter, { by, direction }: Ordering): string[] {
  const way = direction === 'asc' ? 1 : -1;
  return all
    .filter((game) => (by !== 'endedAt' || game.endedAt !== null) && meets(game, filter))
    .sort((a, b) => way * (a[by]!.getTime() - b[by]!.getTime() || (a.id < b.id ? -1 : 1)))
    .map(({ id }) => id);
}

function meets(game: Made, filter: Filter): boolean {
  const sides = (['first', 'second'] as const).filter(
    (side) =>
      (filter.seat === undefined || filter.seat === side) &&
      (filter.player === undefined || game[side] === filter.player) &&
      (filter.opponent === undefined || game[side === 'first' ? 'second' : 'first'] === filter.opponent),
  );
  const isWithin = (moment: Date | null, from?: string, until?: string) =>
    (from === undefined && until === undefined) ||
    (moment !== null &&
      (from === undefined || moment >= new Date(from)) &&
      (until === undefined || moment < new Date(until)));
  const given = filter.opening?.trim().split(/ +/) ?? [];
  const { timeControl: control } = game;
  return (
    sides.some((side) => filter.result === undefined || resultsOf(game, side).includes(filter.result)) &&
    (filter.ruleset === undefined || game.ruleset === filter.ruleset) &&
    (filter.options === undefined ||
      Object.entries(filter.options).every(([name, value]) => game.options[name] === value)) &&
    (filter.rated === undefined || game.rated === filter.rated) &&
    (filter.status === undefined || filter.status.includes(game.status)) &&
    (filter.reason === undefined || game.reason === filter.reason) &&
    (filter.timeControl === undefined || control['type'] === filter.timeControl) &&
    (['seconds', 'initial', 'increment'] as const).every(
      (name) => filter[name] === undefined || control[name] === filter[name],
    ) &&
    isWithin(game.createdAt, filter.createdFrom, filter.createdUntil) &&
    isWithin(game.endedAt, filter.endedFrom, filter.endedUntil) &&
    isWithin(game.lastActivityAt, filter.lastActivityFrom, filter.lastActivityUntil) &&
    game.moves.length >= (filter.minPlies ?? 0) &&
    given.every((move, i) => game.moves[i] === move)
  );
}

function resultsOf({ status, winner }: Made, side: Player): string[] {
  if (status !== 'finished') return [];
  if (winner === null) return ['drawn'];
  return [`${winner}Won`, winner === side ? 'won' : 'lost'];
}
