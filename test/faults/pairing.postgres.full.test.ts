import { ALL_SCOPES } from '../../src/platform/contract/scopes.js';
import { randomUUID } from 'node:crypto';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import type { Config } from '../../src/config.js';
import { SeeksService } from '../../src/features/matchmaking/seeks.service.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { Time } from '../../src/platform/process/time.js';
import { VERBS } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { newSeed } from '../support/chosen-deals.js';
import { type HttpClient, openHttpClient } from '../support/http-client.js';
import type { Person } from '../support/people.js';
import { random } from '../support/random-games.js';
import { onServer, rounds, printCounts } from '../support/scale.js';
import { startServer } from '../support/server.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Challenge } from '../support/api-types.js';
import type { Body } from '../support/transport.js';

/** Thousands of users seek and accept at random over two processes: who was paired, and who still waits. */

const USERS = rounds(2000, 200);
const AT_ONCE = 48;
const MOST_GAMES = 2;
const SECRETS = { TOKEN_SECRET: 'token'.repeat(8), SEED_SECRET: 'seeds'.repeat(8) };
const TERMS = [
  { ruleset: 'chess', timeControl: { type: 'perMove', seconds: 86_400 }, rated: true },
  { ruleset: 'chess', timeControl: { type: 'none' }, rated: false },
  { ruleset: 'banqi-taiwan', timeControl: { type: 'perMove', seconds: 86_400 }, rated: true },
];
/** Terms that only two users seek, who must not be paired. */
const THEIRS = { ruleset: 'chess', timeControl: { type: 'perMove', seconds: 172_800 }, side: 'any' };
const REFUSALS = ['CHALLENGE_CLOSED', 'RATING_OUT_OF_RANGE', 'BLOCKED', 'OWN_CHALLENGE', 'LIMIT_REACHED'];

/** A seek in the database, in the terms of this test. */
interface Row {
  readonly id: string;
  readonly creator: string;
  readonly opponent: string | null;
  readonly status: string;
  readonly terms: string;
  readonly ruleset: string;
  readonly side: string;
  readonly min: number;
  readonly max: number;
  readonly game: string | null;
}

interface GameRow {
  readonly id: string;
  readonly first: string;
  readonly second: string;
  readonly terms: string;
}

onServer('seeks over two processes on one database', () => {
  const below = random(7);
  const chance = (percent: number): boolean => below(100) < percent;
  const counted = {
    users: USERS,
    seeks: 0,
    'games by pairing': 0,
    'games by acceptance': 0,
    refused: 0,
    open: 0,
  };
  let place: Place;
  let db: SqlSession;
  let line: HttpClient;
  let servers: readonly ServerProcess[];
  let people: readonly (Person & { readonly rating: number })[];

  beforeAll(async () => {
    place = await serverPlace();
    line = openHttpClient(AT_ONCE);
    const settings = {
      ...SECRETS,
      DATABASE_URL: place.databaseUrl!,
      DATA_DIR: place.dataDir,
      MAX_RUNNING_GAMES: String(MOST_GAMES),
      SWEEP_SECONDS: '1',
    };
    servers = [await startServerProcess(settings), await startServerProcess(settings)];
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    people = Array.from({ length: USERS }, newcomer);
    await store();
  });

  afterAll(async () => {
    line?.close();
    await endAllServers();
    await db?.close();
    await place?.remove();
  });

  const tokens = new AccessTokens(
    { tokenSecret: SECRETS.TOKEN_SECRET, accessTokenSeconds: 3600, cacheMb: 128 } as Config,
    null as never,
    new Time(),
  );

  function newcomer(): Person & { readonly rating: number } {
    const id = randomUUID();
    const { accessToken } = tokens.sign(id, id, ALL_SCOPES);
    const rating = chance(30) ? 1500 : 900 + below(1200) + 0.5 * below(2);
    return {
      id,
      username: `u-${id.slice(0, 20)}`,
      authorization: `Bearer ${accessToken}`,
      refreshToken: '',
      rating,
    };
  }

  /** Users as if registered and experienced: all have a session, most have ratings, some block each other. */
  async function store(): Promise<void> {
    const ids = JSON.stringify(people.map(({ id, username, rating }) => ({ id, username, rating })));
    const list = `jsonb_to_recordset($1::jsonb) AS p(id uuid, username text, rating double precision)`;
    await db.query(
      `INSERT INTO users (id, username, display_name, password_hash, created_at) SELECT id, username, username, '', now() FROM ${list}`,
      [ids],
    );
    await db.query(
      `INSERT INTO sessions (id, user_id, created_at, expires_at) SELECT id, id, now(), now() + interval '1 day' FROM ${list}`,
      [ids],
    );
    await db.query(
      `INSERT INTO ratings (user_id, ruleset, rating, deviation, volatility, games, wins, draws, losses, rated_at)
       SELECT id, ruleset, rating, 60, 0.09, 0, 0, 0, 0, now() FROM ${list}, unnest(ARRAY['chess', 'banqi-taiwan']) ruleset
       WHERE rating <> 1500`,
      [ids],
    );
    const pairs = Array.from({ length: USERS * 5 }, () => [someone().id, someone().id]);
    await db.query(
      `INSERT INTO blocks SELECT DISTINCT (p->>0)::uuid, (p->>1)::uuid, now() FROM jsonb_array_elements($1::jsonb) p
       WHERE p->>0 <> p->>1`,
      [JSON.stringify([...pairs, people.slice(0, 2).map(({ id }) => id)])],
    );
  }

  const someone = () => people[below(people.length)]!;
  const url = (): string => servers[below(servers.length)]!.url;

  function wishes(rating: number): Body {
    const width = 5 + below(80);
    const middle = Math.floor(rating + 0.5);
    return {
      ...TERMS[below(TERMS.length)],
      side: ['first', 'second', 'any', 'any'][below(4)],
      ...(chance(25) ? {} : { minRating: Math.max(0, middle - width) }),
      ...(chance(25) ? {} : { maxRating: middle + width }),
      ...(chance(15) ? { clientSeedHash: clientSeedHash(newSeed()) } : {}),
    };
  }

  const known: string[] = [];

  async function act(person: Person & { readonly rating: number }): Promise<void> {
    if (known.length > 0 && chance(30)) {
      // The newest are most likely still open, and contested.
      const id = known[Math.max(0, known.length - 1 - below(40))]!;
      const reply = await line.send(url(), person, VERBS.acceptChallenge.rest(id));
      if (reply!.status === 200) return;
      counted.refused++;
      expect(REFUSALS).toContain(reply!.body.code);
    }
    const reply = await line.send<Challenge>(url(), person, VERBS.createSeek.rest(wishes(person.rating)));
    expect([reply?.status, reply?.body.code]).toEqual([201, undefined]);
    counted.seeks++;
    if (reply!.body.status === 'open') known.push(reply!.body.id);
  }

  const rows = (): Promise<Row[]> =>
    db.query<Row>(`
      SELECT id::text, creator_id::text AS creator, opponent_id::text AS opponent, status, ruleset, side,
             jsonb_build_array(ruleset, options, time_control, rated)::text AS terms,
             coalesce(min_rating, 0) AS min, coalesce(max_rating, 9999) AS max,
             game_id::text AS game
      FROM challenges`);
  const games = (): Promise<GameRow[]> =>
    db.query<GameRow>(`
      SELECT id::text, first_id::text AS first, second_id::text AS second,
             jsonb_build_array(ruleset, options, time_control, rated)::text AS terms FROM games`);

  /** The terms of a pairing, implemented again and in another language. */
  async function judge(): Promise<{
    readonly suits: (row: Row, user: string) => boolean;
    readonly fit: (a: Row, b: Row) => boolean;
  }> {
    const blocks = await db.query<{ a: string; b: string }>(
      'SELECT blocker_id::text AS a, blocked_id::text AS b FROM blocks',
    );
    const apart = new Set(blocks.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
    const stored = await db.query<{ key: string; rating: number }>(
      "SELECT user_id::text || ' ' || ruleset AS key, rating FROM ratings",
    );
    const ratings = new Map(stored.map(({ key, rating }) => [key, Math.round(Number(rating))]));
    const suits = (row: Row, user: string): boolean => {
      const rating = ratings.get(`${user} ${row.ruleset}`) ?? 1500;
      return (
        user !== row.creator && !apart.has(`${user} ${row.creator}`) && rating >= row.min && rating <= row.max
      );
    };
    const fit = (a: Row, b: Row): boolean =>
      a.terms === b.terms &&
      suits(a, b.creator) &&
      suits(b, a.creator) &&
      (a.side === 'any' || a.side !== b.side);
    return { suits, fit };
  }

  const seat = (game: GameRow, user: string): string => (game.first === user ? 'first' : 'second');

  async function checkGames(): Promise<void> {
    const { suits, fit } = await judge();
    const byGame = new Map<string, Row[]>();
    for (const row of await rows()) {
      if (row.game !== null) byGame.set(row.game, [...(byGame.get(row.game) ?? []), row]);
    }
    const all = await games();
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(byGame.keys()));
    const wrong: unknown[] = [];
    for (const game of all) {
      const of = byGame.get(game.id)!;
      const players = [game.first, game.second].sort();
      const [one, other] = of;
      const pairs = of.every((row) => [row.creator, row.opponent].sort().join() === players.join());
      const seats = of.every((row) => row.side === 'any' || seat(game, row.creator) === row.side);
      const terms = of.every((row) => row.terms === game.terms);
      const agreed = of.length === 2 ? fit(one!, other!) : suits(one!, one!.opponent!);
      const named = of.some(({ id }) => id === game.id);
      const good = of.length <= 2 && players[0] !== players[1] && pairs && seats && terms && agreed && named;
      if (!good) wrong.push({ game, of });
      counted[of.length === 2 ? 'games by pairing' : 'games by acceptance']++;
    }
    expect(wrong).toEqual([]);
  }

  async function stillFitting(): Promise<readonly (readonly [string, string])[]> {
    const { fit } = await judge();
    const running = new Map<string, number>();
    for (const { first, second } of await games()) {
      for (const user of [first, second]) running.set(user, (running.get(user) ?? 0) + 1);
    }
    expect(Math.max(...running.values())).toBeLessThanOrEqual(MOST_GAMES);
    const open = (await rows()).filter(
      ({ status, creator }) => status === 'open' && (running.get(creator) ?? 0) < MOST_GAMES,
    );
    counted.open = open.length;
    return open.flatMap((a, i) =>
      open
        .slice(i + 1)
        .filter((b) => fit(a, b))
        .map((b) => [a.id, b.id] as const),
    );
  }

  /** One sweep of a server that starts when all others have stopped. */
  async function sweepOnce(): Promise<void> {
    const server = await startServer(
      { ...SECRETS, MAX_RUNNING_GAMES: String(MOST_GAMES), SWEEP_SECONDS: '3600' },
      place,
    );
    await server.app.get(SeeksService, { strict: false }).sweep();
    await server.close();
  }

  test(`${USERS} users seek and accept at random: all pairs match, and no matching seeks are left`, async () => {
    const apart: string[] = [];
    for (const person of people.slice(0, 2)) {
      const wish = VERBS.createSeek.rest(THEIRS);
      const reply = await line.send<Challenge>(url(), person, wish);
      expect([reply?.status, reply?.body.status]).toEqual([201, 'open']);
      apart.push(reply!.body.id);
    }
    const queue = people.slice(2).concat(people.slice(2, USERS / 4));
    const worker = async (): Promise<void> => {
      for (let person = queue.pop(); person !== undefined; person = queue.pop()) await act(person);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(servers.map(({ isAlive }) => isAlive())).toEqual([true, true]);
    for (const server of servers) expect(server.said()).not.toMatch(/"level":(50|60)/);
    await checkGames();
    await endAllServers();

    // What changed after it was listed: blocks are lifted, and ratings differ.
    await db.query('DELETE FROM blocks');
    await db.query('SELECT setseed(0.5)');
    await db.query('UPDATE ratings SET rating = 900 + 1200 * random()');
    expect((await stillFitting()).flat()).toEqual(expect.arrayContaining(apart));
    await sweepOnce();
    expect(await stillFitting()).toEqual([]);
    expect(counted['games by pairing']).toBeGreaterThan(USERS / 10);
    printCounts('Pairing', counted);
  }, 300_000);
});
