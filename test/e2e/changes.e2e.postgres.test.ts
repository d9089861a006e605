import { ChangesService } from '../../src/features/changes/changes.service.js';
import { Referee } from '../../src/features/games/referee.js';
import { NotificationsService } from '../../src/features/notifications/notifications.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { Poller, sorted } from '../support/changes.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** Which changes a user receives, and which not. */
// Both databases: the changes depend on open transactions, of which the embedded database has one.

const DAY = 86_400_000;

let server: TestServer;
let time: StoppedTime;
let api: Api;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
  api = restApi(server.http);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let ask: Api['changes'];
  let anns: Poller;
  let bens: Poller;
  beforeAll(() => (ask = over(server.http).changes));

  /** Both users have read all changes. */
  async function upToDate(): Promise<void> {
    [anns, bens] = [new Poller(server.app, ask, ann), new Poller(server.app, ask, ben)];
    await Promise.all([anns.poll(), bens.poll()]);
  }

  const told = async () => [await anns.news(), await bens.news()];

  it('begins with everything, and continues with what changes', async () => {
    const { id } = await begin(api, ann, ben);
    anns = new Poller(server.app, ask, ann);
    const first = await anns.poll();
    expect(sorted(first)).toEqual(
      [`challenge ${id}`, `game ${id}`, `notification ${id}:gameStarted`, `profile ${ann.id}`].sort(),
    );
    expect(first.map(({ kind }) => kind)[0]).toBe('profile');
    const shown = (kind: string) => first.find((change) => change.kind === kind);
    expect(shown('game')).toMatchObject({ game: (await api.game(ann, id)).data, challenge: null });
    expect(shown('challenge')).toMatchObject({ challenge: (await api.challenge(ann, id)).data, game: null });
    expect(shown('profile')).toMatchObject({ profile: { id: ann.id, username: ann.username } });
    expect(await anns.poll()).toEqual([]);

    await api.makeMove(ann, id, 1, 'e2e4');
    await api.makeMove(ben, id, 2, 'e7e5');
    const [game, ...more] = (await anns.poll()).filter(({ kind }) => kind === 'game');
    expect([game, more]).toMatchObject([{ id, deleted: false, game: { plyCount: 2 } }, []]);
    expect(await anns.poll()).toEqual([]);
  });

  it('tells both players, and no one else, of each act of a game', async () => {
    const { id } = await begin(api, ann, ben);
    const eve = new Poller(server.app, ask, await register(server.http, 'eve'));
    await eve.poll();
    await upToDate();
    const acts = [
      () => api.makeMove(ann, id, 1, 'e2e4'),
      () => api.plain(ann, 'offerTakeback', id),
      () => api.plain(ben, 'acceptTakeback', id),
      () => api.plain(ann, 'offerPause', id),
      () => api.plain(ben, 'acceptPause', id),
      () => api.resign(ann, id),
    ];
    for (const act of acts) {
      const { refusal } = await act();
      expect([refusal, ...(await told())]).toEqual([undefined, [`game ${id}`], [`game ${id}`]]);
    }
    expect(await eve.news()).toEqual([]);
  });

  it('tells both users of a challenge about it, until it is closed', async () => {
    await upToDate();
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
    const { data: direct } = await api.createChallenge(ann, { ...terms, opponent: ben.username });
    expect(await told()).toEqual([[`challenge ${direct.id}`], [`challenge ${direct.id}`]]);
    await api.declineChallenge(ben, direct.id);
    const declined = await anns.poll();
    expect(declined.find(({ id }) => id === direct.id)).toMatchObject({ challenge: { status: 'declined' } });
    expect(await bens.news()).toEqual([`challenge ${direct.id}`]);

    const { data: link } = await api.createChallenge(ann, terms);
    expect(await told()).toEqual([[`challenge ${link.id}`], []]);
    await api.acceptChallenge(ben, link.id, { linkToken: link.linkToken });
    const both = [`challenge ${link.id}`, `game ${link.id}`];
    expect(await told()).toEqual([both, both]);
  });

  it('tells only their owner about conditional moves', async () => {
    const { id } = await begin(api, ann, ben);
    await upToDate();
    await api.setConditionalMoves(ben, id, [{ when: 'e2e4', reply: 'e7e5' }]);
    expect(await told()).toEqual([[], [`game ${id}`]]);
    await api.setConditionalMoves(ben, id, null);
    expect(await told()).toEqual([[], [`game ${id}`]]);
    // A user without pending changes sees none when the move is played.
    await api.setConditionalMoves(ben, id, [{ when: 'e2e4', reply: 'e7e5' }]);
    await api.makeMove(ann, id, 1, 'e2e4');
    const [hers, his] = [await anns.poll(), await bens.poll()];
    expect(hers.filter(({ kind }) => kind === 'game')).toMatchObject([{ id, game: { plyCount: 2 } }]);
    expect(his.filter(({ kind }) => kind === 'game')).toMatchObject([{ id, game: { plyCount: 2 } }]);
    expect(JSON.stringify(hers)).not.toContain('conditional');
  });

  it('tells the blocking user about a block and its end, and not the blocked user', async () => {
    await upToDate();
    await api.blockUser(ann, ben.username);
    const [block] = await anns.poll();
    expect(block).toMatchObject({
      kind: 'block',
      id: ben.id,
      deleted: false,
      blocked: { username: ben.username },
    });
    // A repeated block is not a change.
    await api.blockUser(ann, ben.username);
    expect(await told()).toEqual([[], []]);
    await api.unblockUser(ann, ben.username);
    const [gone] = await anns.poll();
    expect(gone).toMatchObject({ kind: 'block', id: ben.id, deleted: true, blocked: null });
    expect(await told()).toEqual([[], []]);
    await api.blockUser(ann, ben.username);
    expect(await told()).toEqual([[`block ${ben.id}`], []]);
  });

  it('tells the owner about notes and mutes, and of messages only if they are not muted', async () => {
    const { id } = await begin(api, ann, ben);
    await upToDate();
    await api.setNote(ann, id, 'He likes the Najdorf');
    expect((await anns.poll())[0]).toMatchObject({
      kind: 'seat',
      id,
      seat: { note: 'He likes the Najdorf', muted: false },
    });
    expect(await bens.poll()).toEqual([]);
    await api.sendMessage(ben, id, 'Hello');
    expect(await told()).toEqual([[`messages ${id}`], [`messages ${id}`]]);
    await api.muteOpponent(ann, id, true);
    expect(await told()).toEqual([[`seat ${id}`], []]);
    expect((await api.sendMessage(ben, id, 'Hello?')).refusal).toEqual({ code: 'MUTED' });
    expect([await anns.poll(), await bens.poll()]).toEqual([[], []]);
  });

  it('tells the user about profile, ratings, vacations and notifications', async () => {
    const { id } = await begin(api, ann, ben, { rated: true });
    await upToDate();
    const displayName = `Dr ${ann.username}`;
    await api.updateProfile(ann, { displayName });
    expect(await anns.poll()).toMatchObject([{ kind: 'profile', profile: { displayName } }]);
    expect(await bens.poll()).toEqual([]);
    // A login is not a change.
    await api.login(null, { username: ann.username, password: 'correct horse battery' });
    expect(await anns.poll()).toEqual([]);

    await api.makeMove(ann, id, 1, 'e2e4');
    await api.makeMove(ben, id, 2, 'e7e5');
    await api.resign(ben, id);
    const rated = (await anns.poll()).find(({ kind }) => kind === 'rating');
    expect(rated).toMatchObject({ id: 'chess', rating: { pool: { id: 'chess' }, games: 1, wins: 1 } });
    expect(await bens.news()).toEqual([`game ${id}`, 'rating chess']);

    const startsAt = new Date(time.now().getTime() + 3 * DAY).toISOString();
    const { data: vacation } = await api.planVacation(ann, { days: 2, startsAt });
    expect(await anns.poll()).toMatchObject([{ kind: 'vacation', id: vacation.id, vacation: { days: 2 } }]);
    await api.endVacation(ann, vacation.id);
    expect(await anns.poll()).toMatchObject([
      { kind: 'vacation', id: vacation.id, deleted: true, vacation: null },
    ]);
    expect(await bens.poll()).toEqual([]);

    const { data: marked } = await api.markNotificationsRead(ann, { ids: [`${id}:gameOver`] });
    expect(marked).toBe(1);
    expect(await anns.poll()).toMatchObject([
      {
        kind: 'notification',
        id: `${id}:gameOver`,
        notification: { type: 'gameOver', readAt: expect.any(String) as string },
      },
    ]);
    expect(await bens.poll()).toEqual([]);
  });

  it('shows an overdue game as ended, and again when the end is stored', async () => {
    const { id } = await begin(api, ann, ben, { timeControl: { type: 'perMove', seconds: 60 } });
    [anns, bens] = [new Poller(server.app, ask, ann), new Poller(server.app, ask, ben)];
    time.forward(66_000);
    const game = (await anns.poll()).find(({ kind }) => kind === 'game');
    expect(game).toMatchObject({ id, game: { status: 'finished' } });
    expect(await anns.poll()).toEqual([]);
    await server.app.get(Referee).sweep();
    expect(await anns.news()).toEqual([`game ${id}`]);
  });
});

it('tells about deleted notifications as long as a cursor can be that old', async () => {
  const { id } = await begin(api, ann, ben);
  const anns = new Poller(server.app, api.changes, ann);
  await anns.poll();
  time.forward(181 * DAY);
  await server.app.get(NotificationsService).prune();
  ann = await renewed(server.http, ann);
  const fresh = new Poller(server.app, api.changes, ann);
  const gone = (await fresh.poll()).filter(({ deleted }) => deleted);
  expect(sorted(gone)).toEqual([`-notification ${id}:gameStarted`]);

  const { db } = server.app.get(PrismaService);
  const tombstones = () => db.change.count({ where: { deleted: true, userId: ann.id } });
  // The database records them by its own clock, which has not moved.
  const real = new Date();
  time.moment = new Date(real.getTime() + 90 * DAY);
  await server.app.get(ChangesService).forget();
  expect(await tombstones()).toBe(1);
  time.moment = new Date(real.getTime() + 92 * DAY);
  await server.app.get(ChangesService).forget();
  expect(await tombstones()).toBe(0);
  const left = await db.change.count({ where: { userId: ann.id } });
  expect(left).toBeGreaterThan(1);
  time.moment = real;
});
