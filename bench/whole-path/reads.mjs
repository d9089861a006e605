import { cpuOf, loadAverage } from './cpu.mjs';
import { askWell, Connection, graphql } from './connection.mjs';
import { operations, playersOf, playingMatch, registerClients, startOnPostgres } from './product.mjs';
import { CLIENTS, GAMES_TO_READ, MS, ROUNDS, WANTED } from './settings.mjs';
import { ratio, speedOf, spread } from './statistics.mjs';
import { inTurns } from './rotation.mjs';

/** The reads of Halfmove on PostgreSQL, as multiples of /livez. */

const WARM_UP_MS = 1000;
const LIVEZ = 'GET /livez';
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
  const own = Object.entries(operations.reads).map(([name, { path, query, variables }]) => ({
    name,
    ask: path ? get(path) : post(query, variables),
  }));
  return [
    { name: LIVEZ, ask: get(() => '/livez') },
    { name: 'GraphQL {__typename}', ask: post('{__typename}') },
    ...own,
  ];
}

async function askUntil(end, connection, client, ask) {
  const latencies = [];
  let characters = 0;
  for (let now = performance.now(), number = 0; now < end; number++) {
    characters = (await ask(connection, client, number)).length;
    const done = performance.now();
    latencies.push(done - now);
    now = done;
  }
  connection.close();
  return { latencies, characters };
}

async function sample({ port, pid }, { ask }, ms) {
  const connections = Array.from({ length: CLIENTS[0] }, () => new Connection(port));
  const cpu = cpuOf(pid);
  const start = performance.now();
  const asked = await Promise.all(
    connections.map((connection, client) => askUntil(start + ms, connection, client, ask)),
  );
  const elapsed = performance.now() - start;
  const used = cpuOf(pid) - cpu;
  const latencies = asked.flatMap((one) => one.latencies);
  return {
    ...speedOf(latencies, elapsed),
    serverCpu: used / latencies.length,
    characters: asked.at(-1).characters,
  };
}

const HEADS = ['read', 'requests/s', 'x livez', 'p50 ms', 'p99 ms', 'server CPU ms', 'characters per answer'];

const row = (cells) => `| ${cells.join(' | ')} |`;

function print(samples, load, games) {
  const ratesOf = (rounds) => rounds.map(({ rate }) => rate);
  const livez = ratesOf([...samples].find(([{ name }]) => name === LIVEZ)[1]);
  console.log(
    `\n### Read paths of the product on PostgreSQL, ${CLIENTS[0]} connections\n\n${ROUNDS} rounds of ${MS} ms, in turns and rotating order; medians (min..max); ${games} games of 40 to 76 plies, half of them over; load average ${load} before, ${loadAverage()} after\n`,
  );
  console.log(row(HEADS));
  console.log(row(HEADS.map(() => '---')));
  for (const [{ name }, rounds] of samples) {
    const cell = (column) => spread(rounds.map((round) => round[column]));
    const rates = [cell('rate'), ratio(ratesOf(rounds), livez)];
    const { characters } = rounds.at(-1);
    console.log(row([name, ...rates, cell('p50'), cell('p99'), cell('serverCpu'), characters]));
  }
}

/** Measures the table of reads; returns the raw samples. */
export async function measureReads() {
  const [clients] = CLIENTS;
  const server = await startOnPostgres();
  await registerClients(server, clients);
  const games = await Promise.all(Array.from({ length: clients }, (_, client) => playGames(server, client)));
  const reads = readsOf(server, games).filter(({ name }) => name === LIVEZ || WANTED.test(name));
  const load = loadAverage();
  await inTurns(reads, 1, (read) => sample(server, read, Math.min(MS, WARM_UP_MS)));
  const samples = await inTurns(reads, ROUNDS, (read) => sample(server, read, MS));
  print(samples, load, clients * GAMES_TO_READ);
  return [...samples].map(([{ name }, rounds]) => ({
    title: 'reads',
    m: clients,
    name,
    samples: rounds.map(({ rate, p50, p99, serverCpu }) => [rate, p50, p99, serverCpu]),
  }));
}
