import { setTimeout as pause } from 'node:timers/promises';
import type { PlanNode } from '../../src/arbiter/conditional-moves.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { type Api, restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import { brokenGames } from '../support/stored.js';

/**
 * Conditional moves are set and cleared while the matching move arrives, over two processes on one PostgreSQL: what was
 * acknowledged is valid. Ben plans, Ann moves.
 */

const ROUNDS = rounds(300, 30);
const TOGGLES = 48;

const plan = (reply: string): readonly PlanNode[] => [
  { when: 'e2e4', reply, then: [{ when: 'g1f3', reply: 'b8c6' }] },
];

onServer('conditional moves, at once over two processes', () => {
  const counted: Record<string, number> = {};
  let place: Place;
  let db: SqlSession;
  let servers: readonly ServerProcess[];
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    place = await serverPlace();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    const settings = {
      DATABASE_URL: place.databaseUrl!,
      DATA_DIR: place.dataDir,
      MAX_RUNNING_GAMES: '10000',
    };
    servers = await Promise.all([startServerProcess(settings), startServerProcess(settings)]);
    [ann, ben] = await Promise.all([register(servers[0]!.url, 'ann'), register(servers[1]!.url, 'ben')]);
  });

  afterAll(async () => {
    await endAllServers();
    await db?.close();
    await place?.remove();
  });

  const count = (what: string): void => void (counted[what] = (counted[what] ?? 0) + 1);
  const over = (n: number): Api => restApi(servers[n % 2]!.url);
  /** The stored game: its moves, those of a plan with a plus, and what is still planned. */
  async function stored(id: string): Promise<{ moves: string; plan: unknown }> {
    const [row] = await db.query<{ moves: string; plan: unknown }>(
      `SELECT coalesce(string_agg(CASE WHEN automatic THEN '+' ELSE '' END || move, ' ' ORDER BY seq), '') AS moves,
         (SELECT second_plan FROM games WHERE id = $1::uuid) AS plan
       FROM plies WHERE game_id = $1::uuid`,
      [id],
    );
    return row!;
  }
  const move = (n: number, id: string, ply = 1, text = 'e2e4') => over(n).makeMove(ann, id, ply, text);
  const set = (n: number, id: string, tree: unknown) => over(n).setConditionalMoves(ben, id, tree);
  /** Slightly later than the move, so that they meet at each of their steps. */
  const late = <T>(n: number, ask: () => Promise<T>): Promise<T> => pause(n % 6).then(ask);
  const whole = async () => expect(await brokenGames(db)).toEqual([]);

  test(`one that is cleared was played before, or never, ${ROUNDS} times`, async () => {
    for (let n = 0; n < ROUNDS; n++) {
      const { id } = await begin(over(n), ann, ben);
      expect((await set(n, id, plan('e7e5'))).refusal).toBeUndefined();
      const [one, two] = await Promise.all([late(n, () => set(n, id, null)), move(n + 1, id)]);
      expect([one.refusal, two.refusal]).toEqual([undefined, undefined]);
      const { moves, plan: left } = await stored(id);
      expect(['e2e4', 'e2e4 +e7e5']).toContain(moves);
      expect(left).toBeNull();
      count(moves);
      if (moves === 'e2e4') continue;
      expect((await move(n, id, 3, 'g1f3')).data).toMatchObject({ plyCount: 3, turn: 'second' });
    }
    await whole();
  }, 300_000);

  test(`one that is set is played, and a late one is refused, ${ROUNDS} times`, async () => {
    for (let n = 0; n < ROUNDS; n++) {
      const { id } = await begin(over(n), ann, ben);
      const [given, moved] = await Promise.all([late(n, () => set(n, id, plan('e7e5'))), move(n + 1, id)]);
      expect(moved.refusal).toBeUndefined();
      if (given.refusal) expect(given.refusal).toEqual({ code: 'YOUR_TURN' });
      const { moves, plan: left } = await stored(id);
      expect(moves).toBe(given.refusal ? 'e2e4' : 'e2e4 +e7e5');
      expect(left).toEqual(given.refusal ? null : plan('e7e5')[0]!.then);
      count(given.refusal ? 'set too late' : 'set in time');
    }
    await whole();
  }, 300_000);

  test(`one that is replaced is played as last acknowledged, ${ROUNDS} times`, async () => {
    for (let n = 0; n < ROUNDS; n++) {
      const { id } = await begin(over(n), ann, ben);
      expect((await set(n + 1, id, plan('e7e5'))).refusal).toBeUndefined();
      const [given, moved] = await Promise.all([late(n, () => set(n, id, plan('c7c5'))), move(n + 1, id)]);
      expect(moved.data).toMatchObject({ plyCount: 2, turn: 'first' });
      if (given.refusal) expect(given.refusal).toMatchObject({ code: 'ILLEGAL_MOVE', field: 'tree.0.when' });
      expect((await stored(id)).moves).toBe(given.refusal ? 'e2e4 +e7e5' : 'e2e4 +c7c5');
      count(given.refusal ? 'replaced too late' : 'replaced in time');
    }
    await whole();
  }, 300_000);

  test(`${TOGGLES} changes at once do not keep the opponent from moving`, async () => {
    for (let n = 0; n < Math.ceil(ROUNDS / 10); n++) {
      const { id } = await begin(over(n), ann, ben);
      const toggles = Array.from({ length: TOGGLES }, (_, i) =>
        set(i, id, i % 3 === 0 ? null : plan(i % 3 === 1 ? 'e7e5' : 'c7c5')),
      );
      const moved = await move(n, id);
      const answers = await Promise.all(toggles);
      expect(moved.refusal).toBeUndefined();
      const codes = answers.map(({ refusal }) => refusal?.code ?? 'set');
      for (const code of codes) expect(['set', 'YOUR_TURN', 'ILLEGAL_MOVE', 'STALE_VERSION']).toContain(code);
      for (const code of codes) count(`toggled: ${code}`);
      expect((await stored(id)).moves).toMatch(/^e2e4( \+[ec]7[ec]5)?$/);
    }
    await whole();
    printCounts('Conditional moves', counted);
    const met = [
      'e2e4',
      'e2e4 +e7e5',
      'set in time',
      'set too late',
      'replaced in time',
      'replaced too late',
    ];
    if (ROUNDS >= 200)
      for (const what of met) expect([what, counted[what]]).toEqual([what, expect.any(Number)]);
  }, 300_000);
});
