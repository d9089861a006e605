import type { PlanNode } from '../../src/arbiter/conditional-moves.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { LogService } from '../../src/features/transparency/log.service.js';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { type Api, restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { lost } from '../support/lost-commits.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { onServer, printCounts, rounds } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { brokenGames } from '../support/stored.js';
import { must, send } from '../support/transport.js';

/**
 * A database that loses the newest commits under running servers, as a failover without synchronous replication does. One
 * server still knows the lost state, the other stores another course up to the same version: nothing is judged on what
 * was lost. Ann makes ply 1.
 */

const ROUNDS = rounds(40, 8);

onServer('a commit that was lost', () => {
  let place: Place;
  let db: SqlSession;
  let servers: readonly TestServer[];
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    place = await serverPlace();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    // The sweep of a server would read what it does not know yet.
    const settings = { SWEEP_SECONDS: '3600', LOG_SECONDS: '3600', MAX_RUNNING_GAMES: '10000' };
    servers = [await startServer(settings, place), await startServer(settings, place)];
    [ann, ben] = [await register(servers[0]!.http, 'ann'), await register(servers[0]!.http, 'ben')];
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await db?.close();
    await place?.remove();
  });

  const over = (n: number): Api => restApi(servers[n % 2]!.http);

  async function expectWhole(ids: readonly string[]): Promise<void> {
    for (const id of ids) expect(holds(verify(must(await over(0).record(null, id))))).toBe(true);
    expect(await brokenGames(db)).toEqual([]);
  }

  test(`judges no move on a lost position, ${ROUNDS} times`, async () => {
    const counted = { refused: 0, stored: 0 };
    const ids: string[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const { id } = await begin(over(n), ann, ben);
      ids.push(id);
      // With the lost e2e4 the bishop could move, with d2d4 it cannot.
      must(await lost(db, id, () => over(n).makeMove(ann, id, 1, 'e2e4')));
      must(await over(n + 1).makeMove(ann, id, 1, n % 4 === 3 ? 'a2a3' : 'd2d4'));
      must(await over(n).makeMove(ben, id, 2, 'e7e5'));
      const third = await over(n).makeMove(ann, id, 3, 'f1c4');
      expect(third.refusal).toMatchObject({ code: 'ILLEGAL_MOVE', field: 'move' });
      counted.refused++;
      must(await over(n + 1).makeMove(ann, id, 3, 'g1f3'));
      counted.stored++;
    }
    await expectWhole(ids);
    printCounts('Lost moves', counted);
  }, 120_000);

  test(`plays no reply that was lost, ${ROUNDS} times`, async () => {
    const plan = (reply: string): readonly PlanNode[] => [{ when: 'e2e4', reply, then: [] }];
    const ids: string[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const { id } = await begin(over(n), ann, ben);
      ids.push(id);
      must(await lost(db, id, () => over(n).setConditionalMoves(ben, id, plan('e7e5'))));
      must(await over(n + 1).setConditionalMoves(ben, id, plan('c7c5')));
      const { position } = must(await over(n).makeMove(ann, id, 1, 'e2e4'));
      expect(position).toContain('/pp1ppppp/8/2p5/');
    }
    await expectWhole(ids);
  }, 120_000);

  test('takes no tag of a lost state for the stored one of the same version', async () => {
    const { id } = await begin(over(0), ann, ben);
    const path = `/v1/games/${id}`;
    const etag = await lost(db, id, async () => {
      must(await over(0).makeMove(ann, id, 1, 'e2e4'));
      return (await send(servers[0]!.http, path, {}, ben)).headers['etag']!;
    });
    must(await over(1).makeMove(ann, id, 1, 'd2d4'));
    const reply = (match: string) => {
      const asked = {
        method: 'post',
        headers: { 'If-Match': match },
        body: { ply: 2, move: 'e7e5' },
      } as const;
      return send(servers[0]!.http, `${path}/moves`, asked, ben);
    };
    const refused = await reply(etag);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([412, { code: 'STALE_VERSION' }]);
    const now = (await send(servers[0]!.http, path, {}, ben)).headers['etag']!;
    expect((await reply(now)).status).toBe(200);
    await expectWhole([id]);
  });

  test('signs no checkpoint of a log whose end was lost, once it is as long again', async () => {
    const grow = async (n: number) => {
      await begin(over(n), ann, ben);
      await servers[n % 2]!.app.get(LogService).append();
    };
    const checkpoint = async (n: number) =>
      (await send(servers[n]!.http, '/log/checkpoint')).text.split('\n');
    await grow(0);
    const [, size, root] = await checkpoint(0);
    await db.run(`BEGIN; SET LOCAL session_replication_role = replica;
      DELETE FROM log_nodes WHERE level = 0 AND idx = ${size} - 1; DELETE FROM log_entries WHERE idx = ${size} - 1; COMMIT`);
    await grow(1);
    expect((await checkpoint(0)).slice(0, 3)).toEqual((await checkpoint(1)).slice(0, 3));
    expect((await checkpoint(0)).slice(1, 3)).toEqual([size, expect.not.stringMatching(root!)]);
  });
});
