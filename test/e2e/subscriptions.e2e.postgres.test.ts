import { clientSeedHash } from '../../src/fairness/commitment.js';
import { PubSub } from '../../src/platform/events/pubsub.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { GAME, LEGAL_MOVE } from '../support/documents.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Game, LegalMove } from '../support/api-types.js';
import { openSocket, type Socket, type Watch } from '../support/sockets.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import type { By } from '../support/transport.js';

/** gameChanged: the current game, and again after each change, as each viewer may see it. */
// Both databases: a server on PostgreSQL receives acts through the event log.

/** All fields that either transport shows. */
const SEEN = GAME.replace('viewer {', `viewer { legalMoves ${LEGAL_MOVE}`);
type Seen = Omit<Game, 'viewer'> & {
  readonly viewer: (Game['viewer'] & { readonly legalMoves: readonly LegalMove[] }) | null;
};

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '1' });
  time = stopTime(server.app);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((socket) => socket.close()));
});
afterAll(() => server.close());

const open = async (by: By): Promise<Socket> => {
  const socket = await openSocket(server, by);
  sockets.push(socket);
  return socket;
};

const next = async (watch: Watch): Promise<Seen> => {
  const { data, errors } = await watch.next();
  if (errors) throw new Error(JSON.stringify(errors));
  return data!['gameChanged'] as unknown as Seen;
};

const nextCode = async (watch: Watch): Promise<unknown> => {
  const { data, errors } = await watch.next();
  expect(data).toBeNull();
  return errors![0]!.extensions['code'];
};

/** How many subscribers a game has in this process. */
const listeners = ({ id }: Game): number => server.app.get(PubSub)['emitter'].listenerCount(`game.${id}`);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.each(TRANSPORTS)('acts over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  it('reach both players and a spectator, each with what they may see', async () => {
    const game = await begin(api, ann, ben);
    const viewers = [ann, ben, null];
    const watches = await Promise.all(viewers.map(async (by) => (await open(by)).watch(game.id, SEEN)));
    const acts = [
      () => Promise.resolve(),
      () => api.makeMove(ann, game.id, 1, 'e2e4'),
      () => api.makeMove(ben, game.id, 2, 'e7e5'),
      () => api.resign(ben, game.id),
    ];
    for (const [version, act] of acts.entries()) {
      await act();
      const seen = await Promise.all(watches.map(next));
      for (const [i, by] of viewers.entries()) {
        const { viewer } = seen[i]!;
        expect(seen[i]).toMatchObject((await api.game(by, game.id)).data);
        const legal = (await api.legalMoves(by, game.id)).data;
        expect(viewer?.legalMoves ?? []).toEqual(legal.map((move) => expect.objectContaining(move)));
      }
      expect(seen.map(({ version: at }) => at)).toEqual(Array(3).fill(version + 1));
      expect(seen.map(({ viewer }) => viewer?.seat ?? null)).toEqual(['first', 'second', null]);
      expect(seen.map(({ viewer }) => viewer !== null && viewer.legalMoves.length > 0)).toEqual([
        version % 2 === 0 && version < 3,
        version === 1,
        false,
      ]);
    }
    expect((await api.game(null, game.id)).data.fairness.serverSeed).not.toBeNull();
  });

  it('are not announced when they were refused', async () => {
    const game = await begin(api, ann, ben);
    const watch = (await open(ben)).watch(game.id, '{ version }');
    await next(watch);
    await api.makeMove(ann, game.id, 1, 'e2e5');
    await api.makeMove(ben, game.id, 1, 'e7e5');
    await api.abort(ann, game.id);
    expect((await next(watch)).version).toBe(2);
  });

  it('reach each subscription of a socket to this game, and none to another', async () => {
    const [one, two] = [await begin(api, ann, ben), await begin(api, ann, ben)];
    const socket = await open(null);
    const watches = [
      socket.watch(one.id, '{ id plyCount }'),
      socket.watch(one.id, '{ id turn }'),
      socket.watch(two.id, '{ id plyCount }'),
    ] as const;
    for (const watch of watches) await next(watch);
    await api.makeMove(ann, one.id, 1, 'e2e4');
    await api.makeMove(ann, two.id, 1, 'd2d4');
    expect(await next(watches[0])).toEqual({ id: one.id, plyCount: 1 });
    expect(await next(watches[1])).toEqual({ id: one.id, turn: 'second' });
    expect(await next(watches[2])).toEqual({ id: two.id, plyCount: 1 });
  });

  it('that give an awaited seed start the game for all subscribers', async () => {
    const later = newSeed();
    const game = await begin(api, ann, ben, { clientSeedHash: clientSeedHash(later) });
    const watch = (await open(null)).watch(game.id, '{ status fairness { awaitingSeed } }');
    expect(await next(watch)).toEqual({ status: 'pending', fairness: { awaitingSeed: true } });
    await api.giveClientSeed(ann, game.id, later);
    expect(await next(watch)).toEqual({ status: 'active', fairness: { awaitingSeed: false } });
  });
});

it('include the end by the clock, without a read of the game', async () => {
  const game = await begin(restApi(server.http), ann, ben, {
    timeControl: { type: 'perMove', seconds: 60 },
  });
  const watch = (await open(null)).watch(game.id, '{ status outcome { winner reason } }');
  expect(await next(watch)).toMatchObject({ status: 'active' });
  time.forward(60_001);
  expect(await next(watch)).toEqual({ status: 'finished', outcome: { winner: 'second', reason: 'timeout' } });
});

it('reach a slow reader only as the newest state', async () => {
  const api = restApi(server.http);
  const game = await begin(api, ann, ben);
  const watch = (await open(null)).watch(game.id, '{ version plyCount }');
  const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6'];
  await playMoves(api, game, moves, { first: ann, second: ben });
  const versions: number[] = [];
  while (versions.at(-1) !== moves.length + 1) versions.push((await next(watch)).version);
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
});

describe('the end of a subscription', () => {
  const watched = async (by: By) => {
    const game = await begin(restApi(server.http), ann, ben);
    const socket = await open(by);
    const watch = socket.watch(game.id, '{ version }');
    await next(watch);
    return { game, socket, watch };
  };

  it('removes the listeners: when it is stopped, and when its socket closes', async () => {
    const { game, socket, watch } = await watched(ann);
    const other = socket.watch(game.id, '{ version }');
    await next(other);
    expect(listeners(game)).toBe(2);
    watch.stop();
    await until(() => listeners(game) === 1);
    await socket.close();
    await until(() => listeners(game) === 0);
  });
});

describe('a subscription', () => {
  it.each([
    ['01890000-0000-7000-8000-000000000000', 'NOT_FOUND'],
    ['x', 'BAD_INPUT'],
  ])('to the game %j is refused with %s', async (id, code) => {
    const watch = (await open(ann)).watch(id, '{ id }');
    expect(await nextCode(watch)).toBe(code);
  });

  it('with an internal error masks it, and ends', async () => {
    const game = await begin(restApi(server.http), ann, ben);
    const watch = (await open(ann)).watch(game.id, '{ version }');
    await next(watch);
    const pubsub = server.app.get(PubSub);
    const { GamesStore } = await import('../../src/features/games/games.store.js');
    const store = server.app.get(GamesStore);
    const find = store.find.bind(store);
    store.find = () => Promise.reject(new Error('secret words'));
    pubsub.publish(`game.${game.id}`, { version: 2 });
    const { errors } = await watch.next();
    store.find = find;
    expect(errors![0]!.extensions['code']).toBe('INTERNAL');
    expect(JSON.stringify(errors)).not.toMatch(/secret|find|store/);
    await expect(next(watch)).rejects.toThrow('has ended');
  });
});
