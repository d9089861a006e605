import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { Poller } from '../support/changes.js';
import { freshPlace, type Place, SERVER } from '../support/databases.js';
import { MATE } from '../support/imports.js';
import { IMPORTED, type Imported } from '../support/operations/imports.js';
import { type Person, register } from '../support/people.js';
import { sample } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { isMissing } from '../support/transport.js';

/** How much a user may import, who is notified, and that nothing else is affected. */

const MOST = 5;
const MOST_IN_AN_HOUR = 10;
const LIMIT_REACHED = { code: 'LIMIT_REACHED' };
const text = (many: number): string => Array.from({ length: many }, () => MATE).join('\n');

let place: Place;
let server: TestServer;
let ann: Person;
beforeAll(async () => {
  place = await freshPlace();
  server = await startServer(
    { MAX_IMPORTED_GAMES: String(MOST), IMPORTS_PER_HOUR: String(MOST_IN_AN_HOUR) },
    place,
  );
});
beforeEach(async () => {
  ann = await register(server.http, 'ann');
});
afterAll(async () => {
  await server.close();
  await place.remove();
});

const countOf = async (by: Person): Promise<number> =>
  (await restApi(server.http).myImportedGames(by, { first: 100 })).data.games.length;

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  it('accepts games up to the limit, all of a text or none', async () => {
    const api = over(server.http);
    const { data } = await api.importGames(ann, { text: text(MOST - 1) });
    const refused = await api.importGames(ann, { text: text(2) }, 'key');
    expect(refused.refusal).toEqual(LIMIT_REACHED);
    expect(refused.message).toContain('You have 4 imported games; 2 more');
    expect(await countOf(ann)).toBe(MOST - 1);
    await api.deleteImportedGame(ann, data[0]!.id);
    expect((await api.importGames(ann, { text: text(2) }, 'key')).data).toHaveLength(2);
    expect((await api.importGames(ann, { text: MATE })).refusal).toEqual(LIMIT_REACHED);
    const ben = await register(server.http, 'ben');
    expect((await api.importGames(ben, { text: text(MOST + 1) })).refusal).toEqual(LIMIT_REACHED);
    expect([await countOf(ann), await countOf(ben)]).toEqual([MOST, 0]);
  });
});

test('imports no more than the limit with many requests at once, and reads one text per user at a time', async () => {
  const api = restApi(server.http);
  const all = await Promise.all(Array.from({ length: 8 }, () => api.importGames(ann, { text: text(2) })));
  const codes = new Set(all.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal.code])));
  const stored = all.filter(({ refusal }) => refusal === undefined).length;
  expect([...codes].filter((code) => !['RATE_LIMITED', 'LIMIT_REACHED'].includes(code))).toEqual([]);
  expect(stored).toBeGreaterThan(0);
  expect(await countOf(ann)).toBe(2 * stored);
  expect(2 * stored).toBeLessThanOrEqual(MOST);
});

test('imports once when the same key is sent twice at once', async () => {
  const api = restApi(server.http);
  const [one, other] = await Promise.all([
    api.importGames(ann, { text: MATE }, 'key'),
    api.importGames(ann, { text: MATE }, 'key'),
  ]);
  const codes = [one, other].flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal.code]));
  // The second request may come while the text of the first is read.
  expect([[], ['RATE_LIMITED']]).toContainEqual(codes);
  expect(await countOf(ann)).toBe(1);
});

test('tells a user who imports too often when to retry', async () => {
  const api = restApi(server.http);
  for (let i = 0; i < MOST_IN_AN_HOUR; i += 1) {
    expect((await api.importGames(ann, { text: 'x' })).refusal).toMatchObject({ line: 1, column: 1 });
  }
  const { refusal, retryAfter, message } = await api.importGames(ann, { text: 'x' });
  expect({ ...refusal, retryAfter }).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) });
  expect(message).toContain('you may send 20 per minute and 10 per hour');
  const ben = await register(server.http, 'ben');
  expect((await api.importGames(ben, { text: MATE })).data).toHaveLength(1);
});

describe.each(TRANSPORTS)('who is notified over %s', (_, over) => {
  it('the importing user: each game, and its deletion', async () => {
    const api = over(server.http);
    const ask: Api['changes'] = (by, asked) =>
      api.changes(by, asked, `{ kind id deleted at importedGame ${IMPORTED} }`);
    const ben = await register(server.http, 'ben');
    const [anns, bens] = [ann, ben].map((by) => new Poller(server.app, ask, by));
    await Promise.all([anns!.poll(), bens!.poll()]);
    const { data: games } = await api.importGames(ann, { text: text(2) });
    const told = await anns!.poll();
    expect(told.map(({ kind, id, deleted }) => [kind, id, deleted]).sort()).toEqual(
      games.map(({ id }) => ['import', id, false]).sort(),
    );
    for (const change of told as unknown as readonly {
      readonly id: string;
      readonly importedGame: Imported;
    }[]) {
      expect(change.importedGame).toEqual(games.find(({ id }) => id === change.id));
    }
    await api.deleteImportedGame(ann, games[0]!.id);
    expect(await anns!.poll()).toMatchObject([
      { kind: 'import', id: games[0]!.id, deleted: true, importedGame: null },
    ]);
    expect(await bens!.poll()).toEqual([]);
  });
});

test('an import does not affect what was played here', async () => {
  const db = server.app.get(PrismaService).db;
  const tables = async () => {
    const [games, plies, ratings, notifications] = await Promise.all([
      ...[db.game.count(), db.ply.count(), db.ratingChange.count(), db.notification.count()],
    ]);
    return { games, plies, ratings, notifications };
  };
  const before = await tables();
  const named = MATE.replace('Ada', ann.username);
  const { data } = await restApi(server.http).importGames(ann, { text: named });
  expect(await tables()).toEqual(before);
  const api = restApi(server.http);
  expect(isMissing(await api.game(ann, data[0]!.id))).toBe(true);
  expect((await api.myGames(ann, { list: 'all' })).data.games).toEqual([]);
});

(SERVER === undefined ? test.skip : test)('the limit holds on two instances', async () => {
  const other = await startServer({ MAX_IMPORTED_GAMES: String(MOST) }, { ...place });
  try {
    for (let round = 0; round < 5; round += 1) {
      const by = await register(server.http, 'two');
      const both = await Promise.all(
        [server, other].map(({ http }) => restApi(http).importGames(by, { text: text(3) })),
      );
      expect(both.map(({ refusal }) => refusal?.code ?? 'stored').sort()).toEqual([
        'LIMIT_REACHED',
        'stored',
      ]);
      expect(await countOf(by)).toBe(3);
      const key = await Promise.all(
        [server, other].map(({ http }) => restApi(http).importGames(by, { text: MATE }, 'key')),
      );
      expect(key[0]!.data).toEqual(key[1]!.data);
      expect(await countOf(by)).toBe(4);
    }
  } finally {
    await other.close();
  }
});
