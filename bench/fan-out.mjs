import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Watcher } from './fan-out/watcher.mjs';
import { cpuOf, loadAverage } from './whole-path/cpu.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import { PLIES } from './whole-path/line.mjs';
import {
  operations,
  playersOf,
  playingMatch,
  registerClients,
  startOnPostgres,
} from './whole-path/product.mjs';
import { inTurns } from './whole-path/rotation.mjs';
import { endServers, freePort, startServer } from './whole-path/servers.mjs';
import { ROUNDS } from './whole-path/settings.mjs';
import { ratios, row, spread } from './whole-path/statistics.mjs';
import { main } from '../scripts/support.mjs';

/**
 * Measures what an event costs that goes to many sockets: the moves of one game, whose board 1,000 sockets watch,
 * each with a subscription of its own over graphql-transport-ws. In turns and on the same machine, a server with
 * nothing but `ws` sends the same text to as many sockets. The cost of a move that nobody watches is subtracted,
 * so that what remains is that of the event.
 *
 *   npm run bench -- fan-out [ROUNDS EVENTS]   default 5 rounds of 60 events
 *
 *   SOCKETS=N   number of sockets (default 1000)
 *   HALFMOVE, PRODUCT_ENV, PRODUCT_ARGS, PG_URL: see whole-path.mjs
 */

const SOCKETS = Number(process.env.SOCKETS ?? 1000);
const EVENTS = Math.min(PLIES, Number(process.argv[3] ?? 60));
const PATH = '/graphql';
const PROTOCOL = 'graphql-transport-ws';
const BARE = fileURLToPath(new URL('fan-out/bare.mjs', import.meta.url));
const WARM_UPS = 2;

/** A socket of the product, for a stranger or with a token. */
async function openWatcher({ port }, token) {
  const watcher = await Watcher.open(port, PATH, PROTOCOL);
  const payload = token === null ? {} : { authorization: `Bearer ${token}` };
  watcher.send({ type: 'connection_init', payload });
  await watcher.until(1);
  return watcher;
}

async function openMany(number, open) {
  const watchers = [];
  while (watchers.length < number) watchers.push(await open());
  return watchers;
}

/** Plays one event after another, each once all sockets have the last one. */
async function measure(pid, event) {
  const cpu = cpuOf(pid);
  const start = performance.now();
  for (let number = 0; number < EVENTS; number++) await event(number);
  return { ms: (performance.now() - start) / EVENTS, cpu: (cpuOf(pid) - cpu) / EVENTS };
}

/** The function that waits until each watcher has got so many more messages than now. */
function hearing(watchers) {
  const before = watchers.map(({ messages }) => messages);
  return (events) => Promise.all(watchers.map((watcher, i) => watcher.until(before[i] + events)));
}

/** The moves of a new game, seen by these sockets. */
async function playWatched({ server, match }, watchers) {
  await match.prepare(1);
  const gameId = await match.fresh();
  const { query, variables } = operations.watch;
  const heard = hearing(watchers);
  // As the client library does, a name of its own for each subscription.
  const ids = watchers.map(() => randomUUID());
  const payload = { query, variables: variables(gameId) };
  for (const [i, watcher] of watchers.entries()) watcher.send({ id: ids[i], type: 'subscribe', payload });
  // The game as it is now comes first.
  await heard(1);
  const measured = await measure(server.pid, async (ply) => {
    await match.act(ply);
    await heard(ply + 2);
  });
  for (const [i, watcher] of watchers.entries()) watcher.send({ id: ids[i], type: 'complete' });
  return measured;
}

async function sendBare({ pid }, watchers, text) {
  const heard = hearing(watchers);
  return measure(pid, async (number) => {
    watchers[0].send(text);
    await heard(number + 1);
  });
}

async function startBare() {
  const port = await freePort();
  const child = await startServer([BARE, String(port)], { ready: /ready/ });
  return { port, pid: child.pid };
}

const NOBODY = 'nobody watches';
const BARE_NAME = 'bare ws, the same text';

function print(samples, load) {
  const of = (wanted, column) =>
    [...samples].find(([{ name }]) => name === wanted)[1].map((one) => one[column]);
  const heads = ['watchers', 'ms an event', 'CPU ms an event', 'CPU us a delivery', 'deliveries/s', 'of bare ws, by CPU', 'of bare ws, by time']; // prettier-ignore
  console.log(
    `\n### An event to ${SOCKETS} sockets\n\n${ROUNDS} rounds of ${EVENTS} events, in turns and rotating order; medians (min..max); without what the move costs that nobody watches; load average ${load} before, ${loadAverage()} after\n`,
  );
  console.log(row(heads));
  console.log(row(heads.map(() => '---')));
  for (const [{ name }] of samples) {
    const own = (column) => {
      const moves = name === BARE_NAME || name === NOBODY ? null : of(NOBODY, column);
      return of(name, column).map((one, round) => one - (moves?.[round] ?? 0));
    };
    const [ms, cpu] = [own('ms'), own('cpu')];
    const figures =
      name === NOBODY
        ? []
        : [
            spread(cpu.map((one) => (one / SOCKETS) * 1000)),
            spread(ms.map((one) => (SOCKETS / one) * 1000)),
            spread(ratios(of(BARE_NAME, 'cpu'), cpu)),
            spread(ratios(of(BARE_NAME, 'ms'), ms)),
          ];
    console.log(row([name, spread(ms), spread(cpu), ...figures]));
  }
}

async function run() {
  const server = await startOnPostgres();
  await registerClients(server, 1);
  const [{ token }] = playersOf(server, 0);
  const strangers = await openMany(SOCKETS, () => openWatcher(server, null));
  const signedIn = await openMany(SOCKETS / 2, () => openWatcher(server, token));
  const playing = { server, match: playingMatch(server, 0) };
  const bare = await startBare();
  const bareWatchers = await openMany(SOCKETS, () => Watcher.open(bare.port, '/', 'bare'));
  const subjects = [
    { name: NOBODY, ask: () => playWatched(playing, []) },
    { name: `${SOCKETS} strangers`, ask: () => playWatched(playing, strangers) },
    {
      name: `${SOCKETS / 2} strangers, ${SOCKETS / 2} sockets of a user`,
      ask: () => playWatched(playing, [...strangers.slice(SOCKETS / 2), ...signedIn]),
    },
    { name: BARE_NAME, ask: () => sendBare(bare, bareWatchers, strangers[0].last) },
  ];
  const load = loadAverage();
  await inTurns(subjects, WARM_UPS, ({ ask }) => ask());
  print(await inTurns(subjects, ROUNDS, ({ ask }) => ask()), load);
  for (const watcher of [...strangers, ...signedIn, ...bareWatchers]) watcher.close();
  playing.match.close();
}

await main(async () => {
  await openDatabase();
  try {
    await run();
  } finally {
    await endServers();
    await closeDatabase();
  }
});
