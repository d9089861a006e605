import { clientSeedHash } from '../../src/fairness/commitment.js';
import { SHOWN_LATE_MS } from '../../src/features/games/as-of-now.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import type { Body } from '../support/transport.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** The running games of a player: the most urgent first, by deadline, with counts. */

const HOUR = 3600;
const perMove = (seconds: number) => ({ timeControl: { type: 'perMove', seconds } });

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  beforeEach(async () => {
    api = over(server.http);
    [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  });

  const listOf = async (by: Person, page: Body = {}) =>
    (await api.myGames(by, { list: 'running', ...page })).data;
  const idsOf = async (by: Person, page: Body = {}) => (await listOf(by, page)).games.map(({ id }) => id);

  /** One game of each kind, in the order of their urgency for Ann. */
  async function all(): Promise<readonly string[]> {
    const untimed = await begin(api, ann, ben);
    const waiting = await begin(api, ann, ben, { ...perMove(HOUR), seat: 'second' });
    const slow = await begin(api, ann, ben, perMove(30 * HOUR));
    const seed = await begin(api, ann, ben, {
      ...perMove(20 * HOUR),
      clientSeedHash: clientSeedHash(newSeed()),
    });
    const quick = await begin(api, ann, ben, perMove(2 * HOUR));
    const asked = await begin(api, ann, ben, { ...perMove(10 * HOUR), seat: 'second' });
    await api.plain(ben, 'offerPause', asked.id);
    const paused = await begin(api, ann, ben, perMove(HOUR));
    await api.plain(ben, 'offerPause', paused.id);
    await api.plain(ann, 'acceptPause', paused.id);
    return [quick, asked, seed, slow, untimed, waiting, paused].map(({ id }) => id);
  }

  it('lists games that wait for the player first, by deadline; then the others', async () => {
    const ids = await all();
    expect(await idsOf(ann)).toEqual(ids);
    expect((await listOf(ann)).counts).toEqual({ toMove: 4, waiting: 3, offers: 1 });
    expect((await listOf(ben)).counts).toEqual({ toMove: 2, waiting: 5, offers: 0 });
  });

  it.each([1, 2, 3, 25])('pages of %d are complete and in order, each game once', async (first) => {
    const ids = await all();
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const { games, pageInfo } = await listOf(ann, { first, ...(after === null ? {} : { after }) });
      seen.push(...games.map(({ id }) => id));
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    expect(seen).toEqual(ids);
  });

  it('moves a game behind those that wait for the player after a move or an answer', async () => {
    const ids = await all();
    await api.makeMove(ann, ids[0]!, 1, 'e2e4');
    await api.plain(ann, 'declinePause', ids[1]!);
    const now = await idsOf(ann);
    expect(now.slice(0, 3)).toEqual(ids.slice(2, 5));
    expect((await listOf(ann)).counts).toEqual({ toMove: 3, waiting: 4, offers: 0 });
  });

  it('omits overdue games, also from the counts', async () => {
    const { id } = await begin(api, ann, ben, perMove(60));
    time.forward(60_001 + SHOWN_LATE_MS);
    expect(await listOf(ann)).toMatchObject({ games: [], counts: { toMove: 0, waiting: 0, offers: 0 } });
    expect((await api.myGames(ann, { list: 'ended' })).data.games.map((game) => game.id)).toEqual([id]);
  });

  it('refuses cursors of another list, of another user, and forged ones', async () => {
    await all();
    const { endCursor } = (await listOf(ann, { first: 2 })).pageInfo;
    for (const [by, list, after] of [
      [ben, 'running', endCursor],
      [ann, 'all', endCursor],
      [ann, 'running', 'nonsense'],
    ] as const) {
      const { refusal } = await api.myGames(by, { list, after });
      expect(refusal).toEqual({ code: 'INVALID_CURSOR', field: 'after' });
    }
  });
});
