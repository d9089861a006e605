import { setTimeout as pause } from 'node:timers/promises';
import { insertGames } from '../support/insert-games.mjs';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';

/** Three processes sweep one PostgreSQL: the clocks' work is done once, as of its own time. */

const GAMES = rounds(1000, 100);
const DAY = 86_400;
const MOST_MS = 120_000;

onServer('three servers that sweep at once', () => {
  let place: Place;
  let db: SqlSession;
  let servers: readonly ServerProcess[];
  let ann: Person;
  let ben: Person;
  let model: string;

  beforeAll(async () => {
    place = await serverPlace();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    const settings = { DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir, SWEEP_SECONDS: '1' };
    servers = [await startServerProcess(settings)];
    servers = [
      ...servers,
      ...(await Promise.all([startServerProcess(settings), startServerProcess(settings)])),
    ];
    [ann, ben] = await Promise.all([register(servers[0]!.url, 'ann'), register(servers[1]!.url, 'ben')]);
    const api = restApi(servers[0]!.url);
    const timeControl = { type: 'perMove', seconds: DAY };
    const game = await begin(api, ann, ben, { timeControl });
    model = (await playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: ben })).id;
  });

  afterAll(async () => {
    await endAllServers();
    await db?.close();
    await place?.remove();
  });

  /** Copies of one real game whose turns began this long ago, a millisecond apart. */
  const copies = (block: string, ago: string) =>
    db.run(
      insertGames(`
      SELECT copy.* FROM games g CROSS JOIN generate_series(1, ${GAMES}) n
      CROSS JOIN LATERAL (SELECT now() - interval '${ago}' - n * interval '1 millisecond' AS began) turn
      CROSS JOIN LATERAL jsonb_populate_record(NULL::games, to_jsonb(g) || jsonb_build_object(
        'id', '00000000-0000-${block}-8000-' || lpad(to_hex(n), 12, '0'), 'turn_started_at', began,
        'deadline_at', began + interval '${DAY} seconds', 'wake_at', began + interval '${DAY * 0.8} seconds')) copy
      WHERE g.id = '${model}'`),
    );

  const count = async (where: string): Promise<number> =>
    Number((await db.query<{ count: string }>(`SELECT count(*)::text AS count FROM ${where}`))[0]!.count);

  const until = async (where: string): Promise<void> => {
    for (const end = Date.now() + MOST_MS; Date.now() < end; await pause(100)) {
      if ((await count(where)) === 0) return;
    }
    throw new Error(`There are still rows of ${where}: ${servers.map(({ said }) => said()).join('\n')}`);
  };

  test(`${GAMES} overdue games end once each, as of their deadlines, even if they are read at the same time`, async () => {
    // Long enough ago for reads to show it, stored or not.
    await copies('7001', `${DAY + 60} seconds`);
    const url = servers[2]!.url;
    for (const n of [1, 2, 3]) {
      const id = `00000000-0000-7001-8000-${n.toString(16).padStart(12, '0')}`;
      expect((await restApi(url).game(null, id)).data).toMatchObject({ status: 'finished', outcome: { reason: 'timeout' } }); // prettier-ignore
    }
    await until(`games WHERE deadline_at < now()`);
    const ended = `games g WHERE id::text LIKE '00000000-0000-7001-%' AND status = 'finished' AND reason = 'timeout'
      AND winner = 'second' AND version = 4 AND ended_at = turn_started_at + interval '${DAY} seconds'
      AND (SELECT array_agg(type ORDER BY type) FROM game_events WHERE game_id = g.id AND seq = 4 AND at = ended_at)
          = ARRAY['end', 'flag']`;
    expect(await count(ended)).toBe(GAMES);
    expect(await count(`game_events WHERE type = 'end' AND game_id::text LIKE '00000000-0000-7001-%'`)).toBe(
      GAMES,
    );
    expect(await count(`notifications WHERE type = 'gameOver' AND game_id::text LIKE '00000000-0000-7001-%'`)).toBe(2 * GAMES); // prettier-ignore
    printCounts('Sweep', { 'games ended by three servers': GAMES });
  });

  test(`${GAMES} players are reminded once each, and their games continue`, async () => {
    await copies('7002', `${DAY * 0.9} seconds`);
    await until(`games WHERE wake_at <= now()`);
    const reminded = `games g WHERE id::text LIKE '00000000-0000-7002-%' AND status = 'active' AND version = 4
      AND wake_at IS NULL AND deadline_at = turn_started_at + interval '${DAY} seconds'
      AND (SELECT count(*) FROM game_events WHERE game_id = g.id AND type = 'reminder' AND player = 'first') = 1`;
    expect(await count(reminded)).toBe(GAMES);
    expect(await count(`notifications WHERE type = 'reminder' AND user_id = '${ann.id}'::uuid`)).toBe(GAMES);
    expect(servers.map(({ isAlive }) => isAlive())).toEqual([true, true, true]);
  });

  test('a game that cannot be judged does not block others', async () => {
    const broken = '00000000-0000-7003-8000-000000000001';
    await db.run('BEGIN');
    await copies('7003', `${DAY} seconds`);
    await db.run(`UPDATE games SET ruleset = 'no-such-game' WHERE id = '${broken}'`);
    await db.run('COMMIT');
    await until(`games WHERE deadline_at < now() AND id <> '${broken}'`);
    expect(await count(`games WHERE id = '${broken}' AND status = 'active'`)).toBe(1);
    await db.run(`UPDATE games SET ruleset = 'chess' WHERE id = '${broken}'`);
    await until(`games WHERE deadline_at < now()`);
  });

  test('nor does one whose end the database refuses', async () => {
    const refused = '00000000-0000-7004-8000-000000000007';
    await db.run('BEGIN');
    await copies('7004', `${DAY} seconds`);
    // Its place in the log is taken, so its end cannot be written.
    await db.run(`
      INSERT INTO game_events (game_id, seq, type, data, at, hash) VALUES ('${refused}', 4, 'end', '{}', now(), '')`);
    await db.run('COMMIT');
    await until(`games WHERE deadline_at < now() AND id <> '${refused}'`);
    expect(await count(`games WHERE id = '${refused}' AND status = 'active'`)).toBe(1);
    expect(await count(`games WHERE id::text LIKE '00000000-0000-7004-%' AND status = 'finished'`)).toBe(
      GAMES - 1,
    );
  });
});
