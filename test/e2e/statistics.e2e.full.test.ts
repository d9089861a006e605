import { ALL_SCOPES } from '../../src/platform/contract/scopes.js';
import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { newSession } from '../support/scopes.js';
import { LENGTHS, PACES } from '../../src/features/history/classes.js';
import { Referee } from '../../src/features/games/referee.js';
import { named } from '../../src/features/rulesets/named.js';
import type { Game as GameRow, Ply } from '../../src/generated/prisma/client.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Player } from '../../src/rules/ruleset.js';
import { type Api, graphqlApi, restApi } from '../support/api.js';
import type { Game } from '../support/api-types.js';
import { compact, partsOf } from '../support/forged-tokens.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { random, type Random } from '../support/random-games.js';
import { rounds, SEED } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** Every statistic of a player, computed again from the plies and the log of games that were played here. */

const HOUR = 3_600_000;
const TERMS: readonly Body[] = [
  { ruleset: 'chess' },
  { ruleset: 'banqi-taiwan', options: { multipleCaptures: true, darkCaptures: true } },
  { ruleset: 'half-chess' },
];
const PLAYERS = ['first', 'second'] as const;

let server: TestServer;
let time: StoppedTime;
let api: Api;
let pick: Random;
let people: readonly Person[];

interface Played {
  readonly row: GameRow;
  readonly plies: readonly Ply[];
}
let games: readonly Played[];
/** How often each of them aborted a game. */
const aborted = new Map<string, number>();

beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
  api = restApi(server.http);
  pick = random(SEED);
  people = await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)));
  const ids: string[] = [];
  for (let i = 0; i < rounds(60, 14); i++) ids.push(await playOne(i));
  const { db } = server.app.get(PrismaService);
  const rows = await db.game.findMany({ where: { id: { in: ids } } });
  const plies = await db.ply.findMany({ where: { gameId: { in: ids } } });
  games = rows.map((row) => ({ row, plies: plies.filter(({ gameId }) => gameId === row.id) }));
});
afterAll(() => server.close());

/** The user with a new token, which outlives a game. */
async function longLived(person: Person): Promise<Person> {
  const session = await newSession(server, person.id);
  const { accessToken } = server.app.get(AccessTokens).sign(person.id, session.id, ALL_SCOPES);
  const { payload, ...parts } = partsOf(accessToken, server.config.tokenSecret);
  const exp = Math.floor(time.now().getTime() / 1000) + 300 * 86_400;
  return { ...person, authorization: `Bearer ${compact({ ...parts, payload: { ...payload, exp } })}` };
}

/** Some plies, some of them taken back, and one of the ways to end a game. */
async function playOne(i: number): Promise<string> {
  people = await Promise.all(people.map(longLived));
  const [first, second] = i % 3 === 0 ? [people[0]!, people[1]!] : i % 3 === 1 ? [people[1]!, people[0]!] : [people[2]!, people[0]!]; // prettier-ignore
  const at = { first, second };
  let game = await begin(api, first, second, { ...TERMS[i % TERMS.length], timeControl: { type: 'perMove', seconds: 864_000 } }); // prettier-ignore
  if (i % 7 === 0) return abort(game, at);
  const pace = 10 ** (i % 5);
  const length = [3, 12, 21, 30][pick(4)]!;
  while (game.turn !== null && game.plyCount < length) game = await move(game, at, pace);
  if (game.turn !== null) await end(game, at);
  return game.id;
}

type Seats = Readonly<Record<Player, Person>>;

async function abort({ id }: Game, at: Seats): Promise<string> {
  const by = at[PLAYERS[pick(2)]!];
  must(await api.abort(by, id));
  aborted.set(by.username, (aborted.get(by.username) ?? 0) + 1);
  return id;
}

async function move(game: Game, at: Seats, pace: number): Promise<Game> {
  const by = at[game.turn!];
  const moves = must(await api.legalMoves(by, game.id)).map(({ move }) => move);
  time.forward((1 + pick(60)) * 1000 * pace);
  const next = must(await api.makeMove(by, game.id, game.plyCount + 1, moves[pick(moves.length)]!));
  if (next.turn === null || pick(5) > 0) return next;
  const asked = await api.plain(by, 'offerTakeback', game.id);
  if (asked.refusal !== undefined) return next;
  return must(await api.plain(by === at.first ? at.second : at.first, 'acceptTakeback', game.id));
}

async function end({ id, turn }: Game, at: Seats): Promise<void> {
  const [mover, other] = turn === 'first' ? [at.first, at.second] : [at.second, at.first];
  const way = pick(3);
  if (way === 0) must(await api.resign(PLAYERS.map((seat) => at[seat])[pick(2)]!, id));
  else if (way === 1) {
    must(await api.plain(mover, 'offerDraw', id));
    must(await api.plain(other, 'acceptDraw', id));
  } else {
    time.forward(241 * HOUR);
    await server.app.get(Referee).sweep();
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const seatOf = ({ row }: Played, { id }: Person): Player => (row.firstId === id ? 'first' : 'second');
const tally = (some: readonly Played[], who: Person) => ({
  games: some.length,
  wins: some.filter((game) => game.row.winner === seatOf(game, who)).length,
  draws: some.filter(({ row }) => row.winner === null).length,
  losses: some.filter((game) => game.row.winner !== null && game.row.winner !== seatOf(game, who)).length,
});

/** The plies that were not taken back. */
function standing({ row, plies }: Played): number {
  const backs = row.takebacks as unknown as readonly { seq: number; ply: number }[];
  return plies.filter(({ seq, ply }) => !backs.some((back) => seq < back.seq && ply > back.ply)).length;
}

const ownOf = (game: Played, who: Person) => game.plies.filter(({ player }) => player === seatOf(game, who));
const secondsOf = (game: Played, who: Person) => sum(ownOf(game, who).map(({ timeUsed }) => timeUsed));

const grouped = (some: readonly Played[], who: Person, key: 'ruleset' | 'reason') =>
  [...new Set(some.map(({ row }) => row[key]!))]
    .map((value) => ({
      value,
      ...tally(
        some.filter(({ row }) => row[key] === value),
        who,
      ),
    })) // prettier-ignore
    .sort((a, b) => b.games - a.games || (a.value < b.value ? -1 : 1))
    .map(({ value, ...counts }) => ({ [key]: key === 'ruleset' ? named(value) : value, ...counts }));

/** The counts of each range between these bounds. */
const ranged = (
  some: readonly Played[],
  who: Person,
  bounds: readonly number[],
  names: readonly [string, string],
  of: (game: Played) => number,
) =>
  [0, ...bounds].map((from, i) => {
    const until = bounds[i] ?? null;
    const within = some.filter((game) => of(game) >= from && (until === null || of(game) < until));
    return { [names[0]]: from, [names[1]]: until, ...tally(within, who) };
  });

function computed(who: Person, ruleset?: string) {
  const own = games.filter(({ row }) => [row.firstId, row.secondId].includes(who.id));
  const some = own.filter(
    ({ row }) => row.status === 'finished' && [undefined, row.ruleset].includes(ruleset),
  );
  const [lengths, plies] = [some.map(standing), sum(some.map((game) => ownOf(game, who).length))];
  const total = sum(some.map((game) => secondsOf(game, who)));
  const pace = (game: Played) => secondsOf(game, who) / Math.max(1, ownOf(game, who).length);
  return {
    ...(ruleset === undefined ? { calledOff: aborted.get(who.username) ?? 0 } : {}),
    all: tally(some, who),
    byRuleset: grouped(some, who, 'ruleset'),
    bySeat: PLAYERS.map((seat) => ({ seat, ...tally(some.filter((game) => seatOf(game, who) === seat), who) })), // prettier-ignore
    byReason: grouped(some, who, 'reason'),
    byLength: ranged(some, who, LENGTHS, ['fromPlies', 'untilPlies'], standing),
    byTimeUsed: ranged(some, who, PACES, ['fromSeconds', 'untilSeconds'], pace),
    plies: { average: expect.closeTo(sum(lengths) / some.length), shortest: Math.min(...lengths), longest: Math.max(...lengths) }, // prettier-ignore
    timeUsed: { total, perPly: expect.closeTo(total / plies) },
  };
}

test.each([undefined, 'chess', 'banqi-taiwan'])('all of them follow from the plies (%s)', async (ruleset) => {
  for (const who of people) {
    const played = games.filter(({ row }) => [row.firstId, row.secondId].includes(who.id));
    if (!played.some(({ row }) => row.status === 'finished' && [undefined, row.ruleset].includes(ruleset)))
      continue;
    for (const transport of [api, graphqlApi(server.http)]) {
      const { user, ...told } = must(await transport.statistics(null, who.username, ruleset));
      expect(user).toMatchObject({ username: who.username });
      const expected = computed(who, ruleset);
      expect(told).toEqual({ calledOff: told['calledOff'], ...expected });
    }
  }
});

test('the games had what makes the counts differ', () => {
  const made = sum(games.map(({ plies }) => plies.length));
  expect(sum(games.map(standing))).toBeLessThan(made);
  const reasons = new Set(games.map(({ row }) => row.reason));
  expect([...reasons]).toEqual(expect.arrayContaining(['aborted']));
  expect(reasons.size).toBeGreaterThan(2);
});
