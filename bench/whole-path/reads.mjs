import { cpuOf, loadAverage } from './cpu.mjs';
import { askWell, Connection, graphql, poll } from './connection.mjs';
import { operations, playersOf, playingMatch, registerClients, startOnPostgres } from './product.mjs';
import { CLIENTS, GAMES_TO_READ, MS, ROUNDS, WANTED, WARM_UP } from './settings.mjs';
import { ratios, row, speedOf, spread } from './statistics.mjs';
import { inTurns } from './rotation.mjs';

/** The reads of Halfmove on PostgreSQL, as multiples of /livez. */

const LIVEZ = 'GET /livez';
/** With a token, as the other reads. */
const TYPENAME = 'GraphQL {__typename}';
/** Games have 40 to 76 plies: an even number, so the first player is to move in each. */
const pliesOf = (number) => 40 + 4 * (number % 10);

/** Plays the games of one client, every second one to its end; returns their ids. */
async function playGames(server, client) {
  const match = playingMatch(server, client);
  const connection = new Connection(server.port);
  const [first] = playersOf(server, client);
  const { resign } = operations;
  const games = [];
  await match.prepare(GAMES_TO_READ);
  for (let number = 0; number < GAMES_TO_READ; number++) {
    const id = await match.fresh();
    for (let ply = 0; ply < pliesOf(number); ply++) await match.act(ply);
    const over = number % 2 === 1;
    if (over) await graphql(connection, first.token, resign.query, resign.variables(id));
    games.push({ id, over });
  }
  match.close();
  connection.close();
  return { ids: games.map(({ id }) => id), running: games.filter(({ over }) => !over).map(({ id }) => id) };
}

const element = (list, number) => list[number % list.length];

/** What a client asks for in its nth request; see `reads` of bench/operations.mjs. */
const subjectOf = (server, games) => (client, number) => ({
  game: element(element(games, client + number).ids, number),
  own: element(games[client].running, number),
  username: playersOf(server, client)[0].username,
});

function readsOf(server, games) {
  const subject = subjectOf(server, games);
  const tokenOf = (client) => playersOf(server, client)[0].token;
  const get = (path) => (connection, client, number) =>
    askWell(connection, 'GET', path(subject(client, number)), tokenOf(client));
  const post = (query, variables) => (connection, client, number) => {
    const body = JSON.stringify({ query, variables: variables?.(subject(client, number)) });
    return askWell(connection, 'POST', '/graphql', tokenOf(client), body);
  };
  /** A client polls one game, so that all its answers but the first are 304. */
  const again = (path) => (connection, client) => poll(connection, path(subject(client, 0)), tokenOf(client));
  const own = Object.entries(operations.reads).map(([name, { path, query, variables, unchanged }]) => ({
    name,
    ask: unchanged ? again(path) : path ? get(path) : post(query, variables),
  }));
  return [{ name: LIVEZ, ask: get(() => '/livez') }, { name: TYPENAME, ask: post('{__typename}') }, ...own];
}

/** Asks while `goesOn(requests, now)`. */
async function askOn(goesOn, connection, client, ask) {
  const latencies = [];
  let characters = 0;
  for (let now = performance.now(), number = 0; goesOn(number, now); number++) {
    characters = (await ask(connection, client, number)).length;
    const done = performance.now();
    latencies.push(done - now);
    now = done;
  }
  connection.close();
  return { latencies, characters };
}

const askAll = ({ port }, { ask }, goesOn) =>
  Promise.all(
    Array.from({ length: CLIENTS[0] }, (_, client) => askOn(goesOn, new Connection(port), client, ask)),
  );

/** As many requests of each kind before they are measured. */
const warmUp = (server, read) => askAll(server, read, (number) => number * CLIENTS[0] < WARM_UP);

async function sample(server, read) {
  const cpu = cpuOf(server.pid);
  const start = performance.now();
  const asked = await askAll(server, read, (_, now) => now < start + MS);
  const elapsed = performance.now() - start;
  const used = cpuOf(server.pid) - cpu;
  const latencies = asked.flatMap((one) => one.latencies);
  return {
    ...speedOf(latencies, elapsed),
    serverCpu: used / latencies.length,
    characters: asked.at(-1).characters,
  };
}

const COLUMNS = { rate: 'requests/s', p50: 'p50 ms', p99: 'p99 ms', serverCpu: 'server CPU ms' };
const REFERENCES = [
  { head: 'x livez', column: 'rate', to: LIVEZ },
  { head: 'x {__typename}', column: 'rate', to: TYPENAME },
  { head: 'CPU x {__typename}', column: 'serverCpu', to: TYPENAME },
];

/** `of(name, column)`: the samples of one column of a read, or undefined. */
const lookUp = (samples) => (wanted, column) =>
  [...samples].find(([{ name }]) => name === wanted)?.[1].map((round) => round[column]);

function print(samples, load, games) {
  const of = lookUp(samples);
  console.log(
    `\n### Read paths of the product on PostgreSQL, ${CLIENTS[0]} connections\n\n${ROUNDS} rounds of ${MS} ms, in turns and rotating order; medians (min..max); ${games} games of 40 to 76 plies, half of them over; load average ${load} before, ${loadAverage()} after\n`,
  );
  const heads = [
    'read',
    ...Object.values(COLUMNS),
    'characters per answer',
    ...REFERENCES.map(({ head }) => head),
  ];
  console.log(row(heads));
  console.log(row(heads.map(() => '---')));
  for (const [{ name }, rounds] of samples) {
    const figures = Object.keys(COLUMNS).map((column) => spread(of(name, column)));
    const compared = REFERENCES.map(({ column, to }) => spread(ratios(of(name, column), of(to, column))));
    console.log(row([name, ...figures, rounds.at(-1).characters, ...compared]));
  }
}

/** The samples as they are saved. */
export const rawOf = ({ samples }) =>
  [...samples].map(([{ name }, rounds]) => ({
    title: 'reads',
    m: CLIENTS[0],
    name,
    samples: rounds.map(({ rate, p50, p99, serverCpu }) => [rate, p50, p99, serverCpu]),
  }));

/** Measures the table of reads; null if none of them is wanted. */
export async function measureReads() {
  const [clients] = CLIENTS;
  const references = [LIVEZ, TYPENAME];
  if (!Object.keys(operations.reads).some((name) => WANTED.test(name))) return null;
  const server = await startOnPostgres();
  await registerClients(server, clients);
  const games = await Promise.all(Array.from({ length: clients }, (_, client) => playGames(server, client)));
  const reads = readsOf(server, games).filter(({ name }) => references.includes(name) || WANTED.test(name));
  const load = loadAverage();
  for (const read of reads) await warmUp(server, read);
  const samples = await inTurns(reads, ROUNDS, (read) => sample(server, read));
  print(samples, load, clients * GAMES_TO_READ);
  return { samples, of: lookUp(samples) };
}
