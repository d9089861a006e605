import { setTimeout as pause } from 'node:timers/promises';
import { createClient, operations, type Tokens } from '../../packages/client/src/client.js';
import { openServerSession } from '../../src/platform/database/session.js';
import { restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { openStream } from '../support/event-streams.js';
import { startDroppingProxy } from '../support/dropping-proxy.js';
import { bearer, PASSWORD, type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { ownTerms } from '../support/seeks.js';
import { onServer } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Game } from '../support/api-types.js';
import { must } from '../support/transport.js';
import { openSocket, type Socket, type Watch } from '../support/sockets.js';

/** Two processes on one PostgreSQL: each learns what happens on the other. */

const GAMES = 20;
const ROUNDS = 20;

onServer('on another process', () => {
  let place: Place;
  let here: ServerProcess;
  let there: ServerProcess;
  let socket: Socket;
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    place = await serverPlace();
    const settings = { DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir, HEARTBEAT_SECONDS: '60' };
    [here, there] = await Promise.all([startServerProcess(settings), startServerProcess(settings)]);
    [ann, ben] = await Promise.all([register(there.url, 'ann'), register(there.url, 'ben')]);
    socket = await openSocket(here, ben);
  });

  afterAll(async () => {
    await socket?.close();
    await endAllServers();
    await place?.remove();
  });

  test('the end of a session is felt within a second, also by what is open and silent', async () => {
    const username = `cid-${Date.now().toString(36)}`;
    const session = must(await restApi(there.url).register(null, { username, password: PASSWORD }));
    const open = await openSocket(here, bearer(session));
    // Known here, so that it would be believed for a while.
    expect((await restApi(here.url).me(bearer(session))).refusal).toBeUndefined();
    must(await restApi(there.url).endSession(bearer(session), session.id));
    const ended = performance.now();
    // Nobody asks here: the process hears of it.
    expect(await open.closed).toBe(4401);
    const felt = performance.now() - ended;
    process.stdout.write(`the end of a session: felt after ${Math.round(felt)} ms\n`);
    // Long before the next heartbeat, which would find it as well.
    expect(felt).toBeLessThan(20_000);
    expect((await restApi(here.url).me(bearer(session))).refusal).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('wrong passwords count for both', async () => {
    const { username } = await register(there.url, 'dan');
    const guess = async ({ url }: ServerProcess) =>
      (await restApi(url).login(null, { username, password: 'not the right one' })).refusal?.code;
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 12; i += 1) codes.push(await guess(i % 2 === 0 ? here : there));
    expect(codes).toEqual([...Array<string>(10).fill('INVALID_CREDENTIALS'), 'RATE_LIMITED', 'RATE_LIMITED']);
  });

  const newGame = (): Promise<Game> => begin(restApi(there.url), ann, ben);

  const watch = async ({ id }: Game): Promise<Watch> => {
    const watching = socket.watch(id, '{ version plyCount status }');
    expect(await watching.next()).toMatchObject({
      data: { gameChanged: { version: 1, plyCount: 0, status: 'active' } },
    });
    return watching;
  };

  const heard = async (watching: Watch): Promise<unknown> => {
    const { data, errors } = await watching.next();
    expect(errors).toBeUndefined();
    return data!['gameChanged'];
  };

  test('a subscriber receives each act', async () => {
    const game = await newGame();
    const watching = await watch(game);
    const api = restApi(there.url);
    await api.makeMove(ann, game.id, 1, 'e2e4');
    expect(await heard(watching)).toEqual({ version: 2, plyCount: 1, status: 'active' });
    await api.makeMove(ben, game.id, 2, 'e7e5');
    expect(await heard(watching)).toEqual({ version: 3, plyCount: 2, status: 'active' });
    await api.resign(ann, game.id);
    expect(await heard(watching)).toEqual({ version: 4, plyCount: 2, status: 'finished' });
  });

  test('a subscriber receives the changes of many watched games at once', async () => {
    const games = await Promise.all(Array.from({ length: GAMES }, newGame));
    const watches = await Promise.all(games.map(watch));
    await Promise.all(games.map(({ id }) => restApi(there.url).makeMove(ann, id, 1, 'e2e4')));
    for (const watching of watches) expect(await heard(watching)).toMatchObject({ version: 2, plyCount: 1 });
  });

  test('a subscriber receives an act on their own process once, although the log repeats it', async () => {
    const [game, other] = [await newGame(), await newGame()];
    const [watching, later] = [await watch(game), await watch(other)];
    await restApi(here.url).makeMove(ann, game.id, 1, 'e2e4');
    expect(await heard(watching)).toMatchObject({ version: 2 });
    const next = heard(watching);
    // The log is read in order: the other game's entry comes after this game's.
    await restApi(there.url).makeMove(ann, other.id, 1, 'e2e4');
    expect(await heard(later)).toMatchObject({ version: 2 });
    await restApi(there.url).makeMove(ben, game.id, 2, 'e7e5');
    expect(await next).toMatchObject({ version: 3 });
  });

  test('a subscriber receives events on streams, and resumes one process’s stream on the other', async () => {
    const game = await newGame();
    const api = restApi(there.url);
    const [own, ofGame] = [
      await openStream(here.url, 'me/events', ben),
      await openStream(here.url, `games/${game.id}/events`, null),
    ];
    while (own.from() === undefined || ofGame.from() === undefined) await pause(10);
    await api.makeMove(ann, game.id, 1, 'e2e4');
    await api.sendMessage(ann, game.id, 'Hello');
    // Events that wait for the transactions of other tests come first: those of the challenge and the start.
    const first = async (stream: typeof own, type: string) => {
      let event = await stream.next();
      while (event.type !== type) event = await stream.next();
      return event;
    };
    const ply = await first(own, 'ply');
    const message = await own.next();
    expect([ply, message]).toMatchObject([{ version: 2 }, { type: 'messageSent' }]);
    expect(await first(ofGame, 'ply')).toMatchObject({ version: 2 });
    const resumed = await openStream(there.url, 'me/events', ben, { lastEventId: ply.id });
    expect(await resumed.next()).toEqual(message);
    for (const stream of [own, ofGame, resumed]) stream.close();
  });

  test('a subscriber receives seeks that are added to and removed from the lobby', async () => {
    const api = restApi(there.url);
    const lobby = socket.send('subscription { lobbyChanged { id seek { id } } }');
    const told = async (): Promise<unknown> => {
      const { data, errors } = await lobby.next();
      expect(errors).toBeUndefined();
      return data!['lobbyChanged'];
    };
    expect(await told()).toEqual({ id: null, seek: null });
    const opened = async (): Promise<string> => {
      const { id } = (await api.createSeek(ann, ownTerms())).data;
      expect(await told()).toEqual({ id, seek: { id } });
      return id;
    };
    const cancelled = await opened();
    await api.cancelChallenge(ann, cancelled);
    expect(await told()).toEqual({ id: cancelled, seek: null });
    const taken = await opened();
    await api.acceptChallenge(ben, taken);
    expect(await told()).toEqual({ id: taken, seek: null });
    lobby.stop();
  });

  test('a refresh token that is used at the same moment gets the same next one', async () => {
    let { refreshToken } = ann;
    for (let i = 0; i < ROUNDS; i++) {
      const answers = await Promise.all(
        [here, there, here, there].map(({ url }) => restApi(url).refresh(null, refreshToken)),
      );
      const sessions = answers.map(must);
      expect(new Set(sessions.map((session) => session.refreshToken)).size).toBe(1);
      for (const { url } of [here, there]) must(await restApi(url).me(bearer(sessions[i % 4]!)));
      refreshToken = sessions[0]!.refreshToken;
    }
  });

  test('three tabs whose token is refused at once stay signed in, whichever process answers and whatever is lost', async () => {
    const { username } = must(await restApi(here.url).me(ben));
    const proxies = await Promise.all([here, there].map(({ url }) => startDroppingProxy(url)));
    let session: Tokens = must(await restApi(here.url).login(null, { username, password: PASSWORD }));
    let requests = 0;
    for (let i = 0; i < ROUNDS; i++) {
      // One with another signature is refused, as one that has expired.
      session = { ...session, accessToken: `${session.accessToken.slice(0, -6)}AAAAAA` };
      proxies[i % 2]!.dropAnswersTo('mutation refresh', i % 3);
      const tabs = [1, 2, 3].map(() =>
        createClient({
          url: here.url,
          backoffMs: 10,
          session: () => session,
          onSession: (renewed) => (session = renewed!),
          fetch: (request) => {
            const { pathname } = new URL(request.url);
            return fetch(new Request(`${proxies[(requests += 1) % 2]!.url}${pathname}`, request));
          },
        }),
      );
      const names = await Promise.all(
        tabs.map(async (tab) => (await tab.graphql(operations.me)).me.username),
      );
      expect(names).toEqual([username, username, username]);
      proxies[i % 2]!.dropAnswersTo('', 0);
    }
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  test('a ticket for a stream opens one of them, wherever it was made', async () => {
    const by = bearer(
      must(await restApi(there.url).login(null, { username: ann.username, password: PASSWORD })),
    );
    for (let i = 0; i < ROUNDS; i++) {
      const ticket = must(await restApi(here.url).createStreamTicket(by));
      const streams = await Promise.all(
        [here, there].map(({ url }) => openStream(url, `me/events?ticket=${ticket}`, null)),
      );
      expect(streams.map(({ answer }) => answer.statusCode).sort()).toEqual([200, 401]);
      for (const stream of streams) stream.close();
    }
  });

  test('a refresh whose answer was lost can be repeated', async () => {
    const proxy = await startDroppingProxy(here.url);
    proxy.drop('answer');
    await expect(restApi(proxy.url).refresh(null, ben.refreshToken)).rejects.toThrow();
    const { refreshToken } = must(await restApi(there.url).refresh(null, ben.refreshToken));
    expect((await restApi(here.url).refresh(null, ben.refreshToken)).data).toMatchObject({ refreshToken });
    must(await restApi(here.url).refresh(null, refreshToken));
    await proxy.close();
  });
});

onServer('two servers whose sweeps are an hour away', () => {
  let place: Place;
  beforeAll(async () => {
    place = await serverPlace();
  });
  afterAll(async () => {
    await endAllServers();
    await place?.remove();
  });

  test('end games that neither of them began, at their deadlines, once each', async () => {
    const settings = { DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir, SWEEP_SECONDS: '3600' };
    const before = await startServerProcess(settings);
    const [ann, ben] = [await register(before.url, 'ann'), await register(before.url, 'ben')];
    const timeControl = { type: 'perMove', seconds: 86_400 };
    for (let i = 0; i < GAMES; i++) await begin(restApi(before.url), ann, ben, { timeControl });
    await before.end('SIGTERM');
    const db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    try {
      // Some at the same moment, then one after the other.
      await db.run(`
        UPDATE games g SET deadline_at = at, turn_started_at = at - interval '86400 seconds', wake_at = NULL,
          clock = clock || '{"reminded": true}'
        FROM (SELECT id, now() + interval '6 seconds' + row_number() OVER (ORDER BY id) * interval '50 milliseconds' AS at
              FROM games) next WHERE g.id = next.id`);
      const deadlines = await db.query<{ id: string; at: string }>('SELECT id, deadline_at::text AS at FROM games ORDER BY id'); // prettier-ignore
      await Promise.all([startServerProcess(settings), startServerProcess(settings)]);
      const ends = () =>
        db.query<{ id: string; at: string }>(`
          SELECT g.id, e.at::text AS at FROM games g JOIN game_events e ON e.game_id = g.id AND e.type = 'end'
          WHERE g.status = 'finished' AND g.ended_at = e.at ORDER BY g.id`);
      while ((await ends()).length < GAMES) await pause(50);
      expect(await ends()).toEqual(deadlines);
    } finally {
      await db.close();
    }
  });
});
