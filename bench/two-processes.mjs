import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Watcher } from './fan-out/watcher.mjs';
import { LineReader } from './two-processes/lines.mjs';
import { Connection, graphql } from './whole-path/connection.mjs';
import { cpuOf, loadAverage } from './whole-path/cpu.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { PLIES, UCI } from './whole-path/line.mjs';
import {
  operations,
  playersOf,
  playingMatch,
  registerClients,
  databaseUrl,
  startBeside,
  startOnPostgres,
} from './whole-path/product.mjs';
import { inTurns } from './whole-path/rotation.mjs';
import { endServers } from './whole-path/servers.mjs';
import { ROUNDS } from './whole-path/settings.mjs';
import { row, spread } from './whole-path/statistics.mjs';
import { openWire } from './whole-path/wire.mjs';
import { main } from '../scripts/support.mjs';

/**
 * Measures how soon an event is with its subscribers: two servers on one PostgreSQL, 1,000 subscribers on each (half of
 * them sockets that watch a game, a quarter Server-Sent Events of a game, a quarter lines of JSON of all public games),
 * and moves that are made on both in turns. The commit lies between the request of a move and its answer, so times are
 * given from both. With nudges and without, in turns. Then what the two servers send to PostgreSQL, counted by a proxy.
 *
 *   npm run bench -- two-processes [ROUNDS MOVES]   default 3 rounds of 60 moves
 *
 *   SUBSCRIBERS=N   on each process (default 1000)
 *   EVERY_MS=N      milliseconds between two moves (default 300)
 *   HALFMOVE, PRODUCT_ENV, PRODUCT_ARGS, PG_URL: see whole-path.mjs
 */

const SUBSCRIBERS = Number(process.env.SUBSCRIBERS ?? 1000);
const EVERY_MS = Number(process.env.EVERY_MS ?? 300);
const MOVES = Number(process.argv[3] ?? 60);
const TURNS = process.argv[2] === undefined ? 3 : ROUNDS;
const GAMES = 4;
/** Of which all but one are played at once while moves are counted. */
const GAMES_AT_ONCE = 17;
const GOAL_MS = 700;
const PATIENCE_MS = 20_000;
const COUNTED_MS = 8_000;

const SSE = 'text/event-stream';
const LINES = 'application/x-ndjson';
const SECRETS = ['TOKEN_SECRET', 'SEED_SECRET', 'SIGNING_SECRET'];

/** Two servers, the players, and one game for each pair of them. */
async function startTwo(settings, many, through) {
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, randomBytes(32).toString('hex')]));
  const further = { env: { ...secrets, ...settings } };
  const servers = [await startOnPostgres(through, further), await startBeside(through, further)];
  await registerClients(servers[0], many);
  const games = [];
  for (let client = 0; client < many; client++) {
    const match = playingMatch(servers[0], client);
    const game = {
      id: await match.fresh(),
      ply: 0,
      tokens: playersOf(servers[0], client).map(({ token }) => token),
    };
    match.close();
    games.push({ ...game, connections: servers.map(({ port }) => new Connection(port)) });
  }
  return { servers, games };
}

/** Plays the next move of a game. */
async function move(game, server) {
  const ply = game.ply++;
  const { query, variables } = operations.move;
  const token = game.tokens[ply % 2];
  await graphql(game.connections[server], token, query, variables(game.id, ply + 1, UCI[ply]));
  return ply;
}

/** One subscriber; `hear` gets a game and its version. */
const KINDS = {
  'sockets, a game': async (port, { id }, hear) => {
    const watcher = await Watcher.open(port, '/graphql', 'graphql-transport-ws');
    watcher.send({ type: 'connection_init' });
    await watcher.until(1);
    const { query, variables } = operations.watch;
    watcher.send({ id: randomUUID(), type: 'subscribe', payload: { query, variables: variables(id) } });
    await watcher.until(2);
    watcher.heard = (text) => hear(id, Number(/"version":(\d+)/.exec(text.toString())[1]));
    return watcher;
  },
  'SSE, a game': async (port, { id }, hear) => {
    const reader = await LineReader.open(port, `/v1/games/${id}/events`, SSE);
    reader.heard = ({ version }) => hear(id, version);
    return reader;
  },
  'NDJSON, all games': async (port, _game, hear) => {
    const reader = await LineReader.open(port, '/v1/events', LINES);
    reader.heard = ({ gameId, version, type }) => type === 'ply' && hear(gameId, version);
    return reader;
  },
};
const ALL = 'NDJSON, all games';
const kindOf = (number) => Object.keys(KINDS)[[0, 1, 0, 2][number % 4]];

/** Opens the subscribers; `arrivals` gets what each hears and when. */
async function subscribe({ servers, games }, many, arrivals) {
  const open = [];
  for (const [place, { port }] of servers.entries()) {
    for (let number = 0; number < many; number++) {
      const kind = kindOf(number);
      const hear = (gameId, version) =>
        arrivals.push({ key: `${gameId} ${version}`, place, kind, at: performance.now() });
      open.push(await KINDS[kind](port, games[(number >> 2) % GAMES], hear));
    }
  }
  return open;
}

/** How many hear a move of any game. */
const hearersOf = (many) =>
  Array.from({ length: many }, (_, number) => (kindOf(number) === ALL ? 1 : 1 / GAMES)).reduce(
    (a, b) => a + b,
  ) * 2;

async function measure({ settings }) {
  const { servers, games } = await startTwo(settings, GAMES);
  const listener = await nudgesOf();
  const arrivals = [];
  const open = await subscribe({ servers, games }, SUBSCRIBERS, arrivals);
  await pause(2000);
  arrivals.length = 0;
  listener.reset();
  const made = new Map();
  const cpu = servers.map(({ pid }) => cpuOf(pid));
  const start = performance.now();
  for (let number = 0; number < MOVES; number++) {
    const game = games[number % GAMES];
    // Each game is played on both.
    const place = (number + (number >> 2)) % 2;
    const asked = performance.now();
    const ply = await move(game, place);
    made.set(`${game.id} ${ply + 2}`, { place, asked, answered: performance.now() });
    // Not in step with the poll.
    await pause(EVERY_MS * (0.5 + Math.random()));
  }
  const seconds = (performance.now() - start) / 1000;
  const expected = MOVES * hearersOf(SUBSCRIBERS);
  for (
    const until = performance.now() + PATIENCE_MS;
    arrivals.length < expected && performance.now() < until;
  )
    await pause(50);
  const heard = arrivals.flatMap(({ key, place, kind, at }) => {
    const one = made.get(key);
    return one === undefined
      ? []
      : [{ kind, isSame: one.place === place, asked: at - one.asked, answered: at - one.answered }];
  });
  const rates = servers.map(({ pid }, i) => (cpuOf(pid) - cpu[i]) / seconds / 10);
  const result = {
    heard,
    missing: expected - heard.length,
    nudges: listener.count() / seconds / 2,
    cpu: rates,
  };
  for (const each of open) each.close();
  for (const { connections } of games) for (const connection of connections) connection.close();
  await listener.close();
  await endServers();
  return result;
}

/** Counts the notifications of all servers. */
async function nudgesOf() {
  const client = new pg.Client({ connectionString: databaseUrl });
  let nudges = 0;
  await client.connect();
  client.on('notification', () => nudges++);
  await client.query('LISTEN halfmove');
  return { count: () => nudges, reset: () => (nudges = 0), close: () => client.end() };
}

/** Statements and notifications per second: idle, with the moves as above, and with as many moves as go. */
async function count({ settings }) {
  let wire;
  const behind = async (url) => (wire ??= await openWire(url)).url;
  const { servers, games } = await startTwo(settings, GAMES_AT_ONCE, behind);
  const open = await subscribe({ servers, games }, 4, []);
  const counted = async (work) => {
    wire.reset();
    const start = performance.now();
    const moves = await work(start + COUNTED_MS);
    const seconds = (performance.now() - start) / 1000;
    const rateOf = (text) => {
      const times = [...wire.statements].filter(([sql]) => text.test(sql)).map(([, each]) => each);
      return times.reduce((a, b) => a + b, 0) / seconds;
    };
    return [moves / seconds, rateOf(/./), rateOf(/^NOTIFY/) / 2, rateOf(/announcedSeek/) / 2];
  };
  const play = (some, everyMs) => async (until) => {
    let moves = 0;
    const one = async (game, i) => {
      for (; performance.now() < until && game.ply < PLIES; moves++) {
        await move(game, (i + game.ply) % 2);
        if (everyMs > 0) await pause(everyMs);
      }
    };
    await Promise.all(some.map(one));
    return moves;
  };
  const idle = await counted(async (until) => {
    await pause(until - performance.now());
    return 0;
  });
  const paced = await counted(play(games.slice(0, 1), EVERY_MS));
  const most = await counted(play(games.slice(1), 0));
  for (const each of open) each.close();
  for (const { connections } of games) for (const connection of connections) connection.close();
  await endServers();
  wire.close();
  return [idle, paced, most];
}

function printCounts(samples) {
  const heads = ['', 'moves', 'moves/s', 'statements/s of both', 'NOTIFY/s of each', 'polls/s of each'];
  console.log(`\n### What they send to PostgreSQL\n\n${row(heads)}\n${row(heads.map(() => '---'))}`);
  for (const [{ name }, rounds] of samples) {
    for (const [i, what] of ['none', `one in ${EVERY_MS} ms`, 'as many as go'].entries()) {
      const figures = rounds[0][i].map((_, column) => spread(rounds.map((one) => one[i][column])));
      console.log(row([name, what, ...figures]));
    }
  }
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

function print(samples, load) {
  console.log(
    `\n### ${SUBSCRIBERS} subscribers on each of two processes\n\n${TURNS} rounds of ${MOVES} moves, one in ${EVERY_MS} ms, in turns and rotating order; milliseconds, medians of the rounds (min..max); load average ${load} before, ${loadAverage()} after\n`,
  );
  const heads = ['', 'subscribers', 'made on', 'p50', 'p99', 'max', 'from the request: p50', 'p99', 'max', `within ${GOAL_MS} ms`]; // prettier-ignore
  console.log(row(heads));
  console.log(row(heads.map(() => '---')));
  const parts = [...Object.keys(KINDS), 'all'].flatMap((kind) =>
    [true, false].map((isSame) => ({ kind, isSame })),
  );
  for (const [{ name }, rounds] of samples) {
    for (const { kind, isSame } of parts) {
      const chosen = rounds.map(({ heard }) =>
        heard.filter((one) => (kind === 'all' || one.kind === kind) && one.isSame === isSame),
      );
      const figures = ['answered', 'asked'].flatMap((from) => {
        const sorted = chosen.map((some) => some.map((one) => one[from]).sort((a, b) => a - b));
        return [0.5, 0.99, 1].map((share) => spread(sorted.map((some) => at(some, share))));
      });
      const within = chosen.map(
        (some) => (some.filter(({ asked }) => asked <= GOAL_MS).length / some.length) * 100,
      );
      console.log(
        row([
          name,
          kind,
          isSame ? 'the same' : 'the other',
          ...figures,
          `${Math.min(...within).toFixed(2)} % at least`,
        ]),
      );
    }
  }
  console.log('');
  for (const [{ name }, rounds] of samples) {
    const events = rounds.map(({ heard }) => heard.length);
    console.log(
      `${name}: ${events.join(', ')} arrivals, ${rounds.map(({ missing }) => missing).join(', ')} missing; ${spread(rounds.map(({ nudges }) => nudges))} NOTIFY/s of a process; CPU % of the processes ${rounds.map(({ cpu }) => cpu.map((one) => one.toFixed(0)).join(' and ')).join(', ')}`,
    );
  }
}

const MODES = [
  { name: 'with nudges', settings: {} },
  { name: 'without', settings: { OUTBOX_NUDGE_MS: '0' } },
];

await main(async () => {
  await openDatabase();
  try {
    const load = loadAverage();
    print(await inTurns(MODES, TURNS, measure), load);
    printCounts(await inTurns(MODES, TURNS, count));
  } finally {
    await endServers();
    await closeDatabase();
  }
});
