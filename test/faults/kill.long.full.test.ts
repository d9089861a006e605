import { setTimeout as pause } from 'node:timers/promises';
import type { ChainedRow } from '../../src/fairness/chain.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { parseOptions } from '../../src/rules/options.js';
import { legalMoves, resume } from '../../src/rules/play.js';
import { type AnyRuleset, rulesetById } from '../../src/rules/registry.js';
import { type Api, restApi, VERBS } from '../support/api.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { newSeed } from '../support/chosen-deals.js';
import { openHttpClient } from '../support/http-client.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { must, random } from '../support/random-games.js';
import { onEmbedded, rounds, printCounts } from '../support/scale.js';
import {
  endAllServers,
  type ServerProcess,
  spawnServer,
  startServerProcess,
} from '../support/server-process.js';
import type { Game, Plies, Ply } from '../support/api-types.js';

/** kill -9 of the server with the embedded database during moves: what it acknowledged is stored. */
// Long: it starts programs.

const ROUNDS = rounds(30, 1);
/** Every n-th round also kills the server while it starts. */
const START_KILLED_EVERY = 4;
const FIRST_START_KILLS = rounds(3, 1);
const START_KILLED_WITHIN_MS = 4000;
const KILL_WITHIN_MS = 1500;
const MOST_PLIES = 150;
const MOST_PAGES = 10;
const TABLES = ['chess', 'chess', 'chess', 'banqi-taiwan', 'banqi-hongkong', 'banqi-taiwan'];

/** A game as its players know it. */
interface Table {
  game: Pick<Game, 'id' | 'ruleset' | 'options' | 'status' | 'turn' | 'plyCount' | 'position'>;
  /** Each answered ply, with the game's newest hash after it: the last one is followed by its end. */
  readonly acknowledged: { move: string; head: string }[];
  /** Sent, and not answered. */
  pending: string | null;
}

onEmbedded('a server that is killed', () => {
  const line = openHttpClient(TABLES.length);
  const pick = random(2);
  const counted = {
    kills: 0,
    'kills while it started': 0,
    games: 0,
    plies: 0,
    unanswered: 0,
    'of them stored': 0,
  };
  let place: Place;
  let people: Record<'first' | 'second', Person>;
  let tables: Table[] = [];
  const finished: Table[] = [];

  beforeAll(async () => {
    place = await embeddedPlace('empty');
  });
  afterAll(async () => {
    line.close();
    await endAllServers();
    await place?.remove();
  });

  const settings = () => ({ DATA_DIR: place.dataDir, ACCESS_TOKEN_SECONDS: '3600' });

  async function seat(api: Api, ruleset: string): Promise<Table> {
    counted.games++;
    const { first, second } = people;
    const game = await begin(
      api,
      first,
      second,
      { ruleset, clientSeed: newSeed() },
      { clientSeed: newSeed() },
    );
    return { game, acknowledged: [], pending: null };
  }

  /** Sends one move and records the outcome; false when no answer came. */
  async function send({ url }: ServerProcess, table: Table, move: string): Promise<boolean> {
    const { id, plyCount, turn } = table.game;
    const reply = await line.send(url, people[turn!], VERBS.makeMove.rest(id, plyCount + 1, move));
    table.pending = reply === null ? move : null;
    if (reply === null) return false;
    expect(reply).toMatchObject({ status: 200, body: { plyCount: plyCount + 1 } });
    table.game = reply.body;
    table.acknowledged.push({ move, head: reply.body.fairness.headHash! });
    return true;
  }

  /** Plays ply after ply until the server stops answering. */
  async function playOn(server: ServerProcess, table: Table): Promise<void> {
    while (table.game.status === 'active' && table.acknowledged.length < MOST_PLIES) {
      const moves = movesOf(table.game);
      if (!(await send(server, table, moves[pick(moves.length)]!))) return;
    }
  }

  /** Every acknowledged ply is stored as acknowledged, and an unanswered one fully or not at all. */
  async function check(server: ServerProcess, table: Table): Promise<void> {
    const { acknowledged, pending, game } = table;
    const api = restApi(server.url);
    const { rows } = (await api.record(null, game.id)).data as { readonly rows: readonly ChainedRow[] };
    const heads = new Map(rows.map(({ seq, hash }) => [seq, hash]));
    const plies = (await allPlies(api, game.id)).map(({ seq, move }) => ({ move, head: heads.get(seq)! }));
    expect(plies.slice(0, acknowledged.length)).toEqual(acknowledged);
    const more = plies.slice(acknowledged.length).map(({ move }) => move);
    if (more.length > 0) expect(more).toEqual([pending]);
    const now = (await api.game(null, game.id)).data;
    // Its first version is 2: the creator gave a seed before the acceptance.
    const headHash = rows.at(-1)!.hash;
    expect(now).toMatchObject({ plyCount: plies.length, version: plies.length + 2, fairness: { headHash } });
    if (pending === null) return;
    counted.unanswered++;
    counted['of them stored'] += more.length;
    // The same request again: the move is played now, or was already.
    expect(await send(server, table, pending)).toBe(true);
    if (more.length > 0) expect(table.acknowledged.at(-1)!.head).toBe(plies.at(-1)!.head);
  }

  /** New games replace ended and long ones. */
  async function reseat({ url }: ServerProcess): Promise<void> {
    const over = (table: Table) => table.game.status !== 'active' || table.acknowledged.length >= MOST_PLIES;
    finished.push(...tables.filter(over));
    tables = tables.filter((table) => !over(table));
    const missing = [...TABLES];
    for (const { game } of tables) missing.splice(missing.indexOf(game.ruleset.id), 1);
    tables.push(...(await Promise.all(missing.map((ruleset) => seat(restApi(url), ruleset)))));
  }

  async function killWhileItStarts(): Promise<void> {
    const starting = spawnServer(settings());
    await pause(pick(START_KILLED_WITHIN_MS));
    expect(await starting.end('SIGKILL')).toBe('SIGKILL');
    counted['kills while it started']++;
  }

  /** At a random moment, but after the first moves of this round: they take longer on a busy machine. */
  async function killSoon(server: ServerProcess): Promise<void> {
    const acknowledged = () => tables.reduce((sum, table) => sum + table.acknowledged.length, 0);
    const before = acknowledged();
    while (acknowledged() < before + 2 * TABLES.length) await pause(10);
    await pause(pick(KILL_WITHIN_MS));
    expect(await server.end('SIGKILL')).toBe('SIGKILL');
  }

  async function round(number: number): Promise<void> {
    // The first start creates the database, which leaves more to disturb.
    const startKills = number === 0 ? FIRST_START_KILLS : number % START_KILLED_EVERY === 0 ? 1 : 0;
    for (let i = 0; i < startKills; i++) await killWhileItStarts();
    const server = await startServerProcess(settings());
    people ??= { first: await register(server.url, 'ann'), second: await register(server.url, 'ben') };
    for (const table of tables) await check(server, table);
    await reseat(server);
    await Promise.all([killSoon(server), ...tables.map((table) => playOn(server, table))]);
    counted.kills++;
  }

  /** The last check: all games of all rounds, ended again with an operator's signal. */
  async function checkAll(): Promise<void> {
    const server = await startServerProcess(settings());
    for (const table of [...finished, ...tables]) {
      await check(server, table);
      const record: unknown = (await restApi(server.url).record(null, table.game.id)).data;
      expect(verify(record).filter(({ ok }) => ok === false)).toEqual([]);
      expect(holds(verify(record))).toBe(true);
      counted.plies += table.acknowledged.length;
    }
    expect(await server.end('SIGTERM')).toBe(0);
  }

  test(`with SIGKILL during moves, ${ROUNDS} times, has every acknowledged ply`, async () => {
    for (let number = 0; number < ROUNDS; number++) await round(number);
    await checkAll();
    expect(counted.kills).toBe(ROUNDS);
    expect(counted.plies).toBeGreaterThan(ROUNDS * TABLES.length);
    printCounts('Kill', counted);
  }, 900_000);
});

const rulesetOf = ({ ruleset }: Pick<Game, 'ruleset'>): AnyRuleset => rulesetById(ruleset.id)!;

function movesOf(game: Pick<Game, 'ruleset' | 'options' | 'position'>): readonly string[] {
  const ruleset = rulesetOf(game);
  const options = must(parseOptions(ruleset, game.options));
  return legalMoves(must(resume(ruleset, options, { fen: game.position, plies: [] })));
}

/** All the plies that the server shows, page by page. */
async function allPlies(api: Api, id: string): Promise<readonly Ply[]> {
  const plies: Ply[] = [];
  let page: Plies['pageInfo'] | null = null;
  for (let pages = 0; page?.hasNextPage !== false && pages < MOST_PAGES; pages++) {
    const { data } = await api.moves(null, id, { first: 100, ...(page && { after: page.endCursor }) });
    plies.push(...data.edges.map(({ node }) => node));
    page = data.pageInfo;
  }
  return plies;
}
