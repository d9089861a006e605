import { ALL_SCOPES } from '../../src/platform/contract/scopes.js';
import { randomUUID } from 'node:crypto';
import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { Passwords } from '../../src/features/auth/passwords.js';
import type { Config } from '../../src/config.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { Time } from '../../src/platform/process/time.js';
import { restApi, VERBS } from '../support/api.js';
import { sweepAccounts } from '../support/closed-accounts.js';
import { type Place, serverPlace } from '../support/databases.js';
import { newSeed } from '../support/chosen-deals.js';
import { type HttpClient, openHttpClient } from '../support/http-client.js';
import { PASSWORD, type Person } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { onServer, rounds, printCounts } from '../support/scale.js';
import { ownTerms } from '../support/seeks.js';
import { startServer } from '../support/server.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Challenge } from '../support/api-types.js';
import { brokenGames } from '../support/stored.js';
import type { Rest } from '../support/transport.js';
import { setTimeout as pause } from 'node:timers/promises';

/** Accounts that are closed while others act on them, and servers that are killed in between. */

const RACES = rounds(30, 4);
const KILLS = rounds(5, 1);
const GAMES = 6;
const AT_ONCE = 16;
const SECRETS = { TOKEN_SECRET: 'token'.repeat(8), SEED_SECRET: 'seeds'.repeat(8) };
const NEVER = { SWEEP_SECONDS: '3600' };
const TERMS = { ruleset: 'chess', timeControl: { type: 'none' } };
const UNDONE = `
  SELECT u.id::text AS id FROM users u WHERE closed_at IS NOT NULL AND (leaving
    OR EXISTS (SELECT 1 FROM games g WHERE u.id IN (g.first_id, g.second_id) AND g.ended_at IS NULL)
    OR EXISTS (SELECT 1 FROM challenges c WHERE u.id IN (c.creator_id, c.opponent_id) AND c.status = 'open')
    OR EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id AND s.revoked_at IS NULL)
    OR EXISTS (SELECT 1 FROM notifications n WHERE n.user_id = u.id)
    OR EXISTS (SELECT 1 FROM ratings r WHERE r.user_id = u.id)
    OR EXISTS (SELECT 1 FROM changes c WHERE c.user_id = u.id)
    OR EXISTS (SELECT 1 FROM vacations v WHERE v.user_id = u.id))`;
const BACKDATE = `UPDATE users SET closed_at = closed_at - interval '1 minute' WHERE leaving`;

onServer('accounts that are closed, over two processes on one database', () => {
  const counted: Record<string, number> = {
    races: 0,
    'began before': 0,
    refused: 0,
    kills: 0,
    'games left': 0,
  };
  const tokens = new AccessTokens(
    { tokenSecret: SECRETS.TOKEN_SECRET, accessTokenSeconds: 3600, cacheMb: 128 } as Config,
    { isLive: () => Promise.resolve(true) } as never,
    new Time(),
  );
  let passwordHash: string;
  let place: Place;
  let db: SqlSession;
  let line: HttpClient;
  let settings: Record<string, string>;

  beforeAll(async () => {
    place = await serverPlace();
    line = openHttpClient(AT_ONCE);
    passwordHash = await new Passwords({
      maxPasswordsAtOnce: 2,
      maxPasswordsWaiting: 100,
      maxPasswordsWaitingPerAddress: 100,
    }).hash(PASSWORD, '');
    settings = { ...SECRETS, DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir };
    await (await startServer({ ...SECRETS, ...NEVER }, place)).close();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
  });
  afterAll(async () => {
    line.close();
    await endAllServers();
    await db?.close();
    await place?.remove();
  });
  afterEach(endAllServers);

  /** A user as if registered, but without the time of password hashing. */
  async function join(name: string): Promise<Person> {
    const id = randomUUID();
    const username = `${name}-${id.slice(0, 8)}`;
    await db.query(
      `INSERT INTO users (id, username, display_name, password_hash, created_at) VALUES ($1, $2, $2, $3, now())`,
      [id, username, passwordHash],
    );
    await db.query(
      `INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ($1, $1, now(), now() + interval '1 day')`,
      [id],
    );
    return {
      id,
      username,
      authorization: `Bearer ${tokens.sign(id, id, ALL_SCOPES).accessToken}`,
      refreshToken: '',
    };
  }

  const running = (id: string): Promise<{ id: string }[]> =>
    db.query(
      'SELECT id::text AS id FROM games WHERE $1::uuid IN (first_id, second_id) AND ended_at IS NULL',
      [id],
    );

  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await pause(2);
  }

  /** Everything that could begin a game with Ann when she closes her account. */
  async function race(servers: readonly ServerProcess[]): Promise<void> {
    const [ann, ben] = [await join('ann'), await join('ben')];
    const [one, other] = servers.map(({ url }) => url) as [string, string];
    const send = async (url: string, by: Person, request: Rest) =>
      (await line.send<Challenge>(url, by, request))!;
    const open = async (by: Person, request: Rest) => (await send(one, by, request)).body.id;
    const { acceptChallenge, createChallenge, createSeek, giveClientSeed } = VERBS;
    const terms = ownTerms();
    const hers = await open(ann, createChallenge.rest({ ...TERMS, opponent: ben.username }));
    const his = await open(ben, createChallenge.rest({ ...TERMS, opponent: ann.username }));
    await open(ann, createSeek.rest(terms));
    const seed = await open(ann, createChallenge.rest({ ...TERMS, opponent: ben.username }));
    await send(one, ann, giveClientSeed.rest(seed, newSeed()));
    const [closed, ...others] = await Promise.all([
      send(one, ann, VERBS.closeAccount.rest(PASSWORD)),
      pause(counted['races']! % 40).then(() => send(other, ben, acceptChallenge.rest(hers))),
      pause(counted['races']! % 30).then(() => send(other, ann, acceptChallenge.rest(his))),
      pause(counted['races']! % 20).then(() => send(other, ben, createSeek.rest(terms))),
      pause(counted['races']! % 50).then(() => send(one, ben, acceptChallenge.rest(seed))),
      send(other, ann, createSeek.rest(ownTerms())),
      send(other, ann, VERBS.planVacation.rest({ days: 1 })),
      send(other, ann, createChallenge.rest({ ...TERMS, opponent: ben.username })),
      send(other, ben, VERBS.login.rest({ username: ann.username, password: PASSWORD })),
    ]);
    expect(closed.status).toBe(200);
    for (const { status, body } of others) {
      if (status < 400) counted['began before']! += 1;
      else counted['refused']! += 1;
      if (status >= 400) {
        expect(['ACCOUNT_CLOSED', 'CHALLENGE_CLOSED', 'UNAUTHENTICATED', 'INVALID_CREDENTIALS', 'NOT_FOUND']).toContain(body.code); // prettier-ignore
      }
    }
    // No sweep runs: the closing ended what had begun, and nothing begins after it.
    expect(await running(ann.id)).toEqual([]);
    const live = 'SELECT 1 FROM sessions WHERE user_id = $1::uuid AND revoked_at IS NULL';
    expect(await db.query(live, [ann.id])).toEqual([]);
    counted['races']! += 1;
  }

  test(`begin no more games, however it is tried at the same moment, ${RACES} times`, async () => {
    const start = () => startServerProcess({ ...settings, ...NEVER });
    const servers = await Promise.all([start(), start()]);
    for (let i = 0; i < RACES; i++) await race(servers);
    for (const server of servers) expect(server.said()).not.toMatch(/"level":(50|60)/);
    await endAllServers();
    await db.query(BACKDATE);
    const server = await startServer({ ...SECRETS, ...NEVER }, place);
    await sweepAccounts(server.app);
    await server.close();
    expect(await db.query(UNDONE)).toEqual([]);
    expect(await brokenGames(db)).toEqual([]);
    printCounts('Closing', counted);
  }, 300_000);

  /** Kills the server when only the account is closed: the test holds the games until then. */
  async function kill(): Promise<void> {
    const server = await startServerProcess({ ...settings, SWEEP_SECONDS: '1' });
    const [ann, ben] = [await join('ann'), await join('ben')];
    const api = restApi(server.url);
    for (let i = 0; i < GAMES; i++) {
      const game = await begin(api, ann, ben, { rated: true });
      await playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: ben });
    }
    const holder = await openServerSession(place.databaseUrl!, 'halfmove tests');
    await holder.run('BEGIN');
    await holder.query('SELECT 1 FROM games WHERE first_id = $1::uuid ORDER BY id FOR UPDATE', [ann.id]);
    const sent = line.send(server.url, ann, VERBS.closeAccount.rest(PASSWORD));
    const closed = 'SELECT 1 FROM users WHERE id = $1::uuid AND closed_at IS NOT NULL';
    await until(async () => (await db.query(closed, [ann.id])).length === 1);
    expect(await server.end('SIGKILL')).toBe('SIGKILL');
    expect(await sent).toBeNull();
    await holder.run('ROLLBACK');
    await holder.close();
    const left = await running(ann.id);
    expect(left).toHaveLength(GAMES);
    counted['games left']! += left.length;
    counted['kills']! += 1;
    await finished(ann, ben);
  }

  /** After a restart everything is done, once. */
  async function finished(ann: Person, ben: Person): Promise<void> {
    const [one, other] = await Promise.all(
      [1, 2].map(() => startServerProcess({ ...settings, SWEEP_SECONDS: '1' })),
    );
    await until(async () => (await running(ann.id)).length === 0);
    await db.query(BACKDATE);
    await until(async () => (await db.query(UNDONE)).length === 0);
    const ends = await db.query(
      `SELECT g.reason, g.winner, count(e.*)::integer AS acts,
              (SELECT count(*)::integer FROM rating_changes r WHERE r.game_id = g.id) AS changes
       FROM games g JOIN game_events e ON e.game_id = g.id AND e.type = 'resign'
       WHERE g.first_id = $1::uuid GROUP BY g.id`,
      [ann.id],
    );
    const end = { reason: 'resignation', winner: 'second', acts: 1, changes: 2 };
    expect(ends).toEqual(Array(GAMES).fill(end));
    const rated = 'SELECT games FROM ratings WHERE user_id = $1::uuid';
    expect(await db.query(rated, [ben.id])).toEqual([{ games: GAMES }]);
    for (const server of [one!, other!]) expect(server.said()).not.toMatch(/"level":(50|60)/);
    await endAllServers();
  }

  test(`are completed by the next server when one is killed in between, ${KILLS} times`, async () => {
    for (let i = 0; i < KILLS; i++) await kill();
    expect(await brokenGames(db)).toEqual([]);
    printCounts('Closing', counted);
  }, 600_000);
});
