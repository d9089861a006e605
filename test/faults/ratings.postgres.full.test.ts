import { setTimeout as pause } from 'node:timers/promises';
import { openEmbedded } from '../../src/platform/database/embedded.js';
import { embeddedSession, openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { rate } from '../../src/features/ratings/glicko.js';
import { restApi, VERBS } from '../support/api.js';
import { embeddedPlace, type Place, serverPlace } from '../support/databases.js';
import { type HttpClient, openHttpClient, type Reply } from '../support/http-client.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { random } from '../support/random-games.js';
import { brokenRatings } from '../support/ratings.js';
import { inFull, onEmbedded, onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Game } from '../support/api-types.js';
import { brokenGames } from '../support/stored.js';

/**
 * Ends of rated games under kill -9, and over two processes at once: each is rated once, for both players or neither.
 */

const KILLS = 8;
const RACES = rounds(8, 2);
const PEOPLE = 5;
const GAMES_AT_ONCE = 24;
const KILL_WITHIN_MS = 400;

interface Change {
  readonly rating: number;
  readonly deviation: number;
  readonly volatility: number;
}

interface BothChanges {
  readonly winner: 'first' | 'second' | null;
  readonly before: readonly [Change, Change];
  readonly after: readonly [Change, Change];
}

const SKILL = (of: string, when: string): string =>
  `json_build_object('rating', ${of}.rating${when}, 'deviation', ${of}.deviation${when}, 'volatility', ${of}.volatility${when})`;

/** Every change follows from the two ratings before it and the result: neither was outdated. */
async function expectSound(db: SqlSession): Promise<number> {
  expect(await brokenGames(db)).toEqual([]);
  expect(await brokenRatings(db)).toEqual([]);
  const changes = await db.query<BothChanges>(`
    SELECT g.winner, json_build_array(${SKILL('a', '_before')}, ${SKILL('b', '_before')}) AS before,
           json_build_array(${SKILL('a', '')}, ${SKILL('b', '')}) AS after
    FROM games g
    JOIN rating_changes a ON a.game_id = g.id AND a.player = 'first'
    JOIN rating_changes b ON b.game_id = g.id AND b.player = 'second'`);
  for (const { winner, before, after } of changes) {
    const score = winner === null ? 0.5 : winner === 'first' ? 1 : 0;
    const [one, other] = before.map((skill) => ({ ...skill, ratedAt: 0 }));
    const { first, second } = rate(one!, other!, score, 0);
    for (const [i, expected] of [first.after, second.after].entries()) {
      expect(after[i]!.rating).toBeCloseTo(expected.rating, 6);
      expect(after[i]!.deviation).toBeCloseTo(expected.deviation, 6);
    }
  }
  return changes.length;
}

interface Table {
  readonly game: Game;
  readonly first: Person;
  readonly second: Person;
}

/** A rated game of two plies between two of the users. */
async function seat(url: string, people: readonly Person[], pick: (below: number) => number): Promise<Table> {
  const first = people[pick(people.length)]!;
  const others = people.filter((person) => person !== first);
  const second = others[pick(others.length)]!;
  const api = restApi(url);
  const terms = { rated: true, timeControl: { type: 'perMove', seconds: 86_400 } };
  const begun = await begin(api, first, second, terms);
  return { game: await playMoves(api, begun, ['e2e4', 'e7e5'], { first, second }), first, second };
}

const registered = (url: string): Promise<Person[]> =>
  Promise.all(Array.from({ length: PEOPLE }, (_, i) => register(url, `p${i}`)));

onEmbedded('a server that is killed while rated games end', () => {
  const pick = random(3);
  let line: HttpClient;
  let place: Place;
  beforeAll(async () => {
    line = openHttpClient(GAMES_AT_ONCE);
    place = await embeddedPlace();
  });
  afterAll(async () => {
    line.close();
    await endAllServers();
    await place?.remove();
  });

  async function inDatabase<T>(look: (db: SqlSession) => Promise<T>): Promise<T> {
    const { database, close } = await openEmbedded(place.dataDir);
    return look(embeddedSession(database)).finally(close);
  }

  inFull(
    `has rated each ended game once, ${KILLS} times`,
    async () => {
      const settings = { DATA_DIR: place.dataDir, ACCESS_TOKEN_SECONDS: '3600', MAX_RUNNING_GAMES: '100000' };
      const counted = { kills: 0, ends: 0, 'of them answered': 0, 'rated games': 0 };
      let people: readonly Person[] | null = null;
      let tables: Table[] = [];
      const resign = async ({ url }: ServerProcess, { game, first }: Table): Promise<Reply> =>
        line.send(url, first, VERBS.resign.rest(game.id));
      for (let kill = 0; kill < KILLS; kill++) {
        const server = await startServerProcess(settings);
        people ??= await registered(server.url);
        // Unanswered requests are repeated: they have succeeded, or do now.
        for (const table of tables) {
          const reply = await resign(server, table);
          expect(reply).toMatchObject({ status: 200, body: { status: 'finished', unrated: null } });
          expect(reply!.body.ratingChanges).not.toBeNull();
        }
        tables = [];
        for (let i = 0; i < GAMES_AT_ONCE; i++) tables.push(await seat(server.url, people, pick));
        const killed = pause(pick(KILL_WITHIN_MS)).then(() => server.end('SIGKILL'));
        const replies = await Promise.all(
          tables.map(async (table) => {
            await pause(pick(KILL_WITHIN_MS));
            return resign(server, table);
          }),
        );
        expect(await killed).toBe('SIGKILL');
        const answered = tables.filter((_, i) => replies[i] !== null);
        const rated = await inDatabase(async (db) => {
          const rows = await db.query<{ id: string }>(
            'SELECT id::text AS id FROM games WHERE ended_at IS NOT NULL',
          );
          const ended = rows.map(({ id }) => id);
          for (const { game } of answered) expect(ended).toContain(game.id);
          expect(await expectSound(db)).toBe(ended.length);
          return ended.length;
        });
        counted.kills++;
        counted.ends += tables.length;
        counted['of them answered'] += answered.length;
        counted['rated games'] = rated;
      }
      expect(counted['of them answered']).toBeLessThan(counted.ends);
      expect(counted['rated games']).toBeGreaterThan(0);
      printCounts('Ratings, killed', counted);
    },
    600_000,
  );
});

onServer('ends of rated games over two processes', () => {
  const pick = random(4);
  let line: HttpClient;
  let place: Place;
  let db: SqlSession;
  let servers: ServerProcess[];
  let people: readonly Person[];
  const settings = () => ({
    DATABASE_URL: place.databaseUrl!,
    DATA_DIR: place.dataDir,
    SWEEP_SECONDS: '1',
    MAX_RUNNING_GAMES: '100000',
    ACCESS_TOKEN_SECONDS: '3600',
  });
  beforeAll(async () => {
    line = openHttpClient(4 * GAMES_AT_ONCE);
    place = await serverPlace();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    servers = await Promise.all([startServerProcess(settings()), startServerProcess(settings())]);
    people = await registered(servers[0]!.url);
  });
  afterAll(async () => {
    line.close();
    await endAllServers();
    await db?.close();
    await place?.remove();
  });

  const seats = (): Promise<Table[]> =>
    Promise.all(
      Array.from({ length: GAMES_AT_ONCE }, (_, i) => seat(servers[i % servers.length]!.url, people, pick)),
    );

  /** Both players of each game resign on both processes; the clock of every third game has run out. */
  async function race(tables: readonly Table[]): Promise<readonly Reply[]> {
    const late = tables.filter((_, i) => i % 3 === 0).map(({ game }) => game.id);
    await db.query(
      "UPDATE games SET deadline_at = now() - interval '1 second' WHERE ended_at IS NULL AND id = ANY ($1::uuid[])",
      [late],
    );
    return Promise.all(
      tables.flatMap(({ game, first, second }) =>
        [first, second].flatMap((by) =>
          servers.map(({ url }) => line.send(url, by, VERBS.resign.rest(game.id))),
        ),
      ),
    );
  }

  const deadlocks = async (): Promise<string> => {
    const [row] = await db.query<{ deadlocks: string }>(
      'SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()',
    );
    return row!.deadlocks;
  };

  test(`rate each of many games of few players once, ended from both sides at once, ${RACES} times`, async () => {
    const counted = { games: 0, requests: 0, answered: 0 };
    for (let number = 0; number < RACES; number++) {
      const replies = await race(await seats());
      for (const reply of replies) expect([200, 409]).toContain(reply?.status);
      counted.games += GAMES_AT_ONCE;
      counted.requests += replies.length;
      counted.answered += replies.filter((reply) => reply?.status === 200).length;
      expect(await expectSound(db)).toBe(counted.games);
    }
    expect(await deadlocks()).toBe('0');
    // Log lines from `warn` on: no batch has failed.
    for (const server of servers) expect(server.said()).not.toMatch(/"level"|error|failed/i);
    printCounts('Ratings, raced', counted);
  }, 300_000);

  test('rate a game fully or not at all when one of them is killed', async () => {
    for (let number = 0; number < rounds(4, 1); number++) {
      const tables = await seats();
      const killed = pause(pick(60)).then(() => servers[1]!.end('SIGKILL'));
      await race(tables);
      expect(await killed).toBe('SIGKILL');
      servers = [servers[0]!, await startServerProcess(settings())];
      await race(tables);
      const ended = await db.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM games WHERE ended_at IS NOT NULL',
      );
      expect(await expectSound(db)).toBe(ended[0]!.count);
      const open = await db.query('SELECT id FROM games WHERE ended_at IS NULL');
      expect(open).toEqual([]);
    }
    expect(await deadlocks()).toBe('0');
  }, 300_000);
});
