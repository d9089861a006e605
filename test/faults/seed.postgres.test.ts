import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { holds, verify } from '../../src/fairness/verify.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { rulesets } from '../../src/rules/registry.js';
import { restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { onServer } from '../support/scale.js';
import { endAllServers, startServerProcess } from '../support/server-process.js';
import { must } from '../support/transport.js';

/** The program that seeds a history (bench/seed.mjs), stopped by kill -9 and started again. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GAMES = 300;
const KILLED_BEHIND_CHUNKS = 2;
const ARGUMENTS = ['--games', String(GAMES), '--seed', '7', '--until', '2026-01-31T12:00:00Z'];
const SECRETS = { TOKEN_SECRET: '7'.repeat(64), SEED_SECRET: '9'.repeat(64) };

/** What each run draws again: nonces, and the salt of the password. */
const CONTENT = {
  users: "to_jsonb(t) - 'password_hash'",
  games: 'to_jsonb(t)',
  plies: 'to_jsonb(t)',
  game_events: 'to_jsonb(t)',
  challenges: 'to_jsonb(t)',
  client_seeds: 'to_jsonb(t)',
  messages: 'to_jsonb(t)',
  notifications: 'to_jsonb(t)',
  ratings: 'to_jsonb(t)',
  rating_changes: 'to_jsonb(t)',
};

function seed({ databaseUrl, dataDir }: Place, args: readonly string[] = ARGUMENTS) {
  const child = spawn(process.execPath, ['bench/seed.mjs', databaseUrl!, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...SECRETS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += String(chunk)));
  const closed = once(child, 'close');
  const ended = async () => {
    await closed;
    return { code: child.exitCode, signal: child.signalCode, said };
  };
  return { ended, kill: () => child.kill('SIGKILL') };
}

/** The chunks that are marked, or 0 if there are no marks yet. */
async function chunksIn(session: SqlSession): Promise<number> {
  const [found] = await session.query<{ there: boolean }>(
    "SELECT to_regclass('bench.chunks') IS NOT NULL AS there",
  );
  if (!found!.there) return 0;
  const [marked] = await session.query<{ count: string }>('SELECT count(*) FROM bench.chunks');
  return Number(marked!.count);
}

/** Seeds until this many chunks exist, and no further. */
async function seedAndKill(place: Place, session: SqlSession, chunks: number): Promise<void> {
  const seeding = seed(place);
  while ((await chunksIn(session)) < chunks) await pause(5);
  seeding.kill();
  expect(await seeding.ended()).toMatchObject({ signal: 'SIGKILL' });
}

async function contentOf(session: SqlSession) {
  const content: Record<string, unknown> = {};
  for (const [table, shown] of Object.entries(CONTENT)) {
    const query = `SELECT count(*), md5(string_agg(r, ',' ORDER BY r)) FROM (SELECT (${shown})::text AS r FROM ${table} t) x`;
    content[table] = (await session.query(query))[0];
  }
  return content;
}

onServer('a seeded history', () => {
  const places: Place[] = [];
  const sessions: SqlSession[] = [];

  beforeAll(async () => {
    for (let n = 0; n < 2; n++) {
      const place = await serverPlace();
      places.push(place);
      sessions.push(await openServerSession(place.databaseUrl!, 'halfmove tests'));
    }
  });
  afterAll(async () => {
    await endAllServers();
    for (const session of sessions) await session.close();
    for (const place of places) await place.remove();
  });

  test('is the same whether its seeding was killed or not', async () => {
    const [place, other] = places;
    const [session, otherSession] = sessions;
    await seedAndKill(place!, session!, KILLED_BEHIND_CHUNKS);
    // In one statement: a commit sent before the kill may still arrive.
    const [stored] = await session!.query<{ games: number; marked: number }>(
      `SELECT (SELECT count(*)::integer FROM games) AS games,
              (SELECT sum(games)::integer FROM bench.chunks) AS marked`,
    );
    expect(stored!.games).toBe(stored!.marked);
    expect(stored!.games).toBeLessThan(GAMES);

    const [resumed, straight] = await Promise.all([
      seed(place!, []).ended(),
      seed(other!, [...ARGUMENTS, '--threads', '1']).ended(),
    ]);
    for (const run of [resumed, straight]) {
      expect(run).toMatchObject({
        code: 0,
        said: expect.stringContaining('No faults found.') as string,
      });
    }
    const content = await contentOf(session!);
    expect(content).toEqual(await contentOf(otherSession!));
    expect(content).toMatchObject({ games: { count: String(GAMES) } });
  });

  test('is not seeded with other numbers, nor into a used database', async () => {
    const { code, said } = await seed(places[0]!, ['--games', '301']).ended();
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('--games 300') as string });
    await sessions[1]!.run('DROP SCHEMA bench CASCADE');
    const refused = await seed(places[1]!).ended();
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('already has users') as string });
  });

  test('is served: games of all rule sets, their moves, and records that verify', async () => {
    const { databaseUrl, dataDir } = places[0]!;
    const { url } = await startServerProcess({ DATABASE_URL: databaseUrl!, DATA_DIR: dataDir, ...SECRETS });
    const games = await sessions[0]!.query<{ id: string; ruleset: string; ply_count: number }>(
      `SELECT DISTINCT ON (ruleset) id, ruleset, ply_count FROM games
       WHERE status = 'finished' AND ply_count BETWEEN 5 AND 90 AND takebacks = '[]' ORDER BY ruleset, id`,
    );
    expect(games.map(({ ruleset }) => ruleset)).toEqual(rulesets().map(({ id }) => id).sort()); // prettier-ignore
    const api = restApi(url);
    for (const { id, ply_count: plyCount } of games) {
      expect((await api.game(null, id)).data).toMatchObject({ status: 'finished', plyCount });
      expect((await api.moves(null, id, { first: 100 })).data.edges).toHaveLength(plyCount);
      const record: unknown = must(await api.record(null, id));
      expect(verify(record).filter(({ ok }) => ok === false)).toEqual([]);
      expect(holds(verify(record))).toBe(true);
    }
  });
});
