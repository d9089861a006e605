import { once } from 'node:events';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Sessions } from '../../src/features/auth/sessions.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { closedAfterEach } from '../support/closed-after-each.js';
import { type Api, restApi } from '../support/api.js';
import { openStream } from '../support/event-streams.js';
import { PASSWORD, type Person, register, renewed } from '../support/people.js';
import { begin } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { openSocket, type Socket, type Watch } from '../support/sockets.js';
import { ringTime, type StoppedTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** What listens is told when its token expires or its session ends, at that moment and in which words. */

const LIFETIME = 86_400_000;
const EXPIRED = 'The access token has expired. Refresh it and subscribe again.';
const OVER = 'Your session has ended. Log in again, or take a new token.';

let server: TestServer;
let api: Api;
let time: StoppedTime;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  api = restApi(server.http);
  time = ringTime(server.app);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const { kept } = closedAfterEach();

const version = async (watch: Watch): Promise<unknown> => {
  const { data, errors } = await watch.next();
  expect(errors).toBeUndefined();
  return (data!['gameChanged'] as unknown as { version: number }).version;
};

/** A socket on which a game is watched, of a user or of nobody. */
async function watching(by: Person | null, id: string): Promise<{ socket: Socket; watch: Watch }> {
  const socket = kept(await openSocket(server, by));
  const watch = socket.watch(id, '{ version }');
  await version(watch);
  return { socket, watch };
}

const endOf = async (watch: Watch): Promise<unknown> =>
  watch.next().then(
    ({ errors }) => errors,
    (close: unknown) => close,
  );

test('a client of graphql-ws whose token expires three times misses no move', async () => {
  const game = await begin(api, ann, ben);
  const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6'];
  let played = 0;
  const play = async () => {
    must(await api.makeMove(played % 2 === 0 ? ann : ben, game.id, played + 1, moves[played]!));
    played += 1;
  };
  const codes: number[] = [];
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: () => ({ authorization: ann.authorization }),
    on: { closed: (event) => codes.push((event as { code: number }).code) },
    // Of all its defaults only the wait is another one: while it is disconnected, a move is played.
    retryWait: async () => {
      [ann, ben] = [await renewed(server.http, ann), await renewed(server.http, ben)];
      await play();
    },
  });
  const { cursor } = must(await api.changes(ann, { fromNow: true }));
  const seen: number[] = [];
  const events: number[] = [];
  let wake = (): void => undefined;
  const faults: unknown[] = [];
  const follow = (query: string, take: (data: never) => void) =>
    client.subscribe(
      { query },
      {
        next: ({ data, errors }) => {
          if (errors) faults.push(errors);
          else take(data as never);
          wake();
        },
        error: (fault) => {
          faults.push(fault);
          wake();
        },
        complete: () => undefined,
      },
    );
  follow(
    `subscription { gameChanged(gameId: "${game.id}") { plyCount } }`,
    (data: { gameChanged: { plyCount: number } }) => seen.push(data.gameChanged.plyCount),
  );
  follow(
    `subscription { myEvents(after: "${cursor}") { type version } }`,
    ({ myEvents }: { myEvents: { type: string; version: number } }) => {
      if (myEvents.type === 'PLY') events.push(myEvents.version);
    },
  );
  const until = async (holds: () => boolean) => {
    while (!holds() && faults.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    expect(faults).toEqual([]);
  };
  const told = () => seen.at(-1) === played && (events.at(-1) ?? 1) === played + 1;
  for (let expiries = 0; expiries < 3; expiries += 1) {
    await until(told);
    await play();
    await until(told);
    time.forward(LIFETIME);
    await until(() => codes.length > expiries && told());
  }
  await client.dispose();
  expect(played).toBe(6);
  expect(codes.slice(0, 3)).toEqual([4403, 4403, 4403]);
  expect([...new Set(seen)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  // After each reconnection the events since the cursor come again; none is left out.
  expect([...new Set(events)]).toEqual([2, 3, 4, 5, 6, 7]);
});

test('a token that expires closes its sockets at once, without a message, and no others', async () => {
  const { id } = await begin(api, ann, ben);
  const [own, strangers] = [await watching(ann, id), await watching(null, id)];
  time.forward(LIFETIME - 2000);
  const later = await watching(await renewed(server.http, ben), id);
  time.forward(2000);
  expect(await endOf(own.watch)).toMatchObject({ code: 4403, reason: EXPIRED });
  must(await api.makeMove(await renewed(server.http, ann), id, 1, 'e2e4'));
  expect([await version(strangers.watch), await version(later.watch)]).toEqual([2, 2]);
});

test('an event after the expiry closes the socket as well, if the alarm is late', async () => {
  const { id } = await begin(api, ann, ben);
  const { watch } = await watching(ann, id);
  time.moment = new Date(time.moment.getTime() + LIFETIME);
  must(await api.makeMove(await renewed(server.http, ann), id, 1, 'e2e4'));
  expect(await endOf(watch)).toMatchObject({ code: 4403, reason: EXPIRED });
});

const unauthenticated = (message: string) => [
  expect.objectContaining({ message, extensions: { code: 'UNAUTHENTICATED' } }),
];

const ENDS: readonly (readonly [string, () => Promise<void>])[] = [
  ['is logged out', async () => void must(await api.logout(ann))],
  ['closes the account', async () => void must(await api.closeAccount(ann, PASSWORD))],
  [
    'uses a refresh token twice',
    async () => {
      await renewed(server.http, ann);
      time.forward(60_000);
      await api.refresh(null, ann.refreshToken);
    },
  ],
  [
    'is logged out by another process',
    async () => {
      const { db } = server.app.get(PrismaService);
      await db.session.updateMany({ where: { userId: ann.id }, data: { revokedAt: time.now() } });
      await server.app.get(Sessions)['lookForEnds']();
    },
  ],
];
test.each(ENDS)(
  'each subscription of a user who %s ends with an error, and the socket with 4401',
  async (_, end) => {
    const { id } = await begin(api, ann, ben);
    const [own, bens] = [await watching(ann, id), await watching(ben, id)];
    const events = own.socket.send('subscription { myEvents { id } }');
    const lobby = own.socket.watchLobby();
    await lobby.next();
    await end();
    for (const watch of [own.watch, events, lobby]) expect(await endOf(watch)).toEqual(unauthenticated(OVER));
    expect([await own.socket.closed, await own.socket.reason]).toEqual([4401, OVER]);
    await api.plain(ben, 'abort', id);
    expect(await version(bens.watch)).toBe(2);
  },
);

const STREAM_ENDS: readonly (readonly [string, string, () => unknown])[] = [
  ['expires', EXPIRED, () => time.forward(LIFETIME)],
  ['is of a session that ends', OVER, async () => must(await api.logout(ann))],
];
test.each(STREAM_ENDS)(
  'an event stream whose token %s ends with a problem, and one of a game goes on',
  async (_, detail, end) => {
    const { id } = await begin(api, ann, ben);
    const [own, ofGame] = [
      kept(await openStream(server.url, 'me/events', ann)),
      kept(await openStream(server.url, `games/${id}/events`, ann)),
    ];
    for (const { answer, from } of [own, ofGame]) while (from() === undefined) await once(answer, 'data');
    await end();
    expect(await own.ended).toBe(true);
    const [, problem] = /\nevent: end\ndata: (.+)\n\n$/.exec(own.text())!;
    expect(JSON.parse(problem!)).toMatchObject({ code: 'UNAUTHENTICATED', status: 401, detail });
    await api.plain(await renewed(server.http, ben), 'abort', id);
    expect((await ofGame.next()).version).toBe(2);
  },
);
