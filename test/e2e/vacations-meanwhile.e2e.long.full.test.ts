import { Referee } from '../../src/features/games/referee.js';
import { CalendarStore } from '../../src/features/calendar/calendar.store.js';
import { VacationsStore } from '../../src/features/vacations/vacations.store.js';
import { addsUp, days, VacationFixture, noVacation } from '../support/vacation-fixture.js';
import { DAY, HOUR } from '../support/pair.js';
import { rounds } from '../support/scale.js';
import type { Game } from '../support/api-types.js';

/** Vacations, and what happens at the same time. */
// Long: it plays many random cases.

const on = new VacationFixture();
beforeAll(() => on.open());
afterAll(() => on.close());
beforeEach(() => on.meet());

/** Runs something before each game is updated, which may make the update fail. */
async function meddling<T>(before: (id: string) => Promise<void> | null, work: () => Promise<T>): Promise<T> {
  const referee = on.server.app.get(Referee);
  const own = Referee.prototype.decideFor;
  referee.decideFor = async (id, decide) => {
    await before(id);
    return own.call(referee, id, decide);
  };
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(referee, 'decideFor');
  }
}

it('updates twenty games at once', async () => {
  const games: Game[] = [];
  for (let i = 0; i < 20; i += 1) games.push(await on.game());
  const { data } = await on.api.planVacation(on.ann, { days: 1 });
  const untils = await Promise.all(
    games.map(async (one) => (await on.shown(one)).clocks.first.onVacationUntil),
  );
  expect(new Set(untils)).toEqual(new Set([data.endsAt]));
  await on.api.endVacation(on.ann, data.id);
  const back = await Promise.all(
    games.map(async (one) => (await on.shown(one)).clocks.first.onVacationUntil),
  );
  expect(new Set(back)).toEqual(new Set([null]));
});

it('skips a game that cannot be updated, and the sweep updates it', async () => {
  const games = [await on.game(), await on.game(), await on.game()];
  const failing = games[1]!;
  const fail = (id: string) => (id === failing.id ? Promise.reject(new Error('no database')) : null);
  const { data } = await meddling(fail, () => on.api.planVacation(on.ann, { days: 2 }));
  expect(data.status).toBe('running');
  const untils = async () =>
    Promise.all(games.map(async (one) => (await on.shown(one)).clocks.first.onVacationUntil));
  expect(await untils()).toEqual([data.endsAt, null, data.endsAt]);
  on.time.forward(90_000);
  await meddling(fail, () => on.sweepVacations());
  expect(await untils()).toEqual([data.endsAt, null, data.endsAt]);
  await on.sweepVacations();
  expect(await untils()).toEqual([data.endsAt, data.endsAt, data.endsAt]);
  expect((await on.shown(failing)).deadlineAt).toBe(on.after(2 * DAY, failing.deadlineAt!));
  expect(await on.server.app.get(VacationsStore).unsettledUsers(on.time.now())).not.toContain(on.ann.id);

  await meddling(fail, () => on.api.endVacation(on.ann, data.id));
  expect(await untils()).toEqual([null, data.endsAt, null]);
  const ended = on.after(0);
  on.time.forward(HOUR);
  await on.sweepVacations();
  expect(await untils()).toEqual([null, null, null]);
  expect((await on.events(failing)).at(-1)).toMatchObject({ type: 'vacationEnd', at: ended, usedUp: false });
  const deadlines = await Promise.all(games.map(async (one) => (await on.shown(one)).deadlineAt));
  expect(deadlines).toEqual(games.map((one) => on.after(90_000, one.deadlineAt!)));
});

it('updates the games again when the vacation ends during the update', async () => {
  const games = [await on.game(), await on.game()];
  const { data } = await on.api.planVacation(on.ann, { startsAt: on.after(DAY), days: 5 });
  // Long after its start, as after a downtime of the server.
  await on.later(DAY + HOUR);
  let ended: Promise<unknown> | null = null;
  await meddling(
    () => {
      if (ended !== null) return null;
      ended = on.api.endVacation(on.ann, data.id);
      return ended.then(() => undefined);
    },
    () => on.sweepVacations(),
  );
  for (const one of games) {
    const { clocks, deadlineAt } = await on.shown(one);
    expect([clocks.first.onVacationUntil, deadlineAt]).toEqual([null, on.after(HOUR, one.deadlineAt!)]);
    expect((await on.events(one)).at(-1)).toMatchObject({ type: 'vacationEnd', usedUp: false });
  }
});

it('the sweep updates a game that began during an unnoticed vacation', async () => {
  const { data } = await on.api.planVacation(on.ann, { days: 2 });
  const [store, calendar] = [on.server.app.get(VacationsStore), on.server.app.get(CalendarStore)];
  calendar.during = () => Promise.resolve([]);
  const begun = await on.game();
  Reflect.deleteProperty(calendar, 'during');
  expect(begun.clocks.first.onVacationUntil).toBeNull();
  on.time.forward(5000);
  await on.sweepVacations();
  expect((await on.shown(begun)).clocks.first.onVacationUntil).toBe(data.endsAt);
  expect((await on.shown(begun)).deadlineAt).toBe(on.after(2 * DAY, begun.deadlineAt!));
  on.time.forward(60_000);
  await on.sweepVacations();
  expect(await store.unsettledUsers(on.time.now())).not.toContain(on.ann.id);
});

it('a player is not flagged for the time of a vacation that began while the server was down', async () => {
  const [stands, over, strict] = [await on.game(), await on.game(days(1)), await on.game(noVacation(3))];
  const one = (await on.api.planVacation(on.ann, { startsAt: on.after(12 * HOUR), days: 2 })).data;
  const two = (await on.api.planVacation(on.ann, { startsAt: on.after(68 * HOUR), days: 4 })).data;
  await on.restart(6 * DAY);
  await on.sweepGames();
  const shownNow = await on.shown(stands);
  expect(shownNow).toMatchObject({ status: 'active', deadlineAt: on.after(6 * DAY, stands.deadlineAt!) });
  expect(addsUp(shownNow).slice(2)).toEqual([`vacation ${2 * 86_400}`, `vacation ${4 * 86_400}`]);
  expect(await on.shown(over)).toMatchObject({
    status: 'active',
    deadlineAt: on.after(6 * DAY, over.deadlineAt!),
  });
  expect(await on.shown(strict)).toMatchObject({ status: 'finished', endedAt: strict.deadlineAt });
  await on.sweepVacations();
  expect((await on.events(over)).map(({ type, at: when }) => [type, when])).toEqual([
    ['vacationStart', one.endsAt],
    ['vacationEnd', one.endsAt],
    ['vacationStart', on.after(0)],
  ]);
  expect((await on.shown(over)).clocks.first.onVacationUntil).toBe(two.endsAt);
  expect((await on.shown(stands)).version).toBe(shownNow.version);

  on.time.forward(2 * DAY);
  await on.sweepGames();
  const ended = on.after(6 * DAY, over.deadlineAt!);
  expect(await on.shown(over)).toMatchObject({ outcome: { reason: 'timeout' }, endedAt: ended });
  const whens = (await on.api.events(null, over.id)).data.map(({ at: when }) => when);
  expect(whens).toEqual([...whens].sort());
});

it('updates the games at the start of the server', async () => {
  const at = new VacationFixture();
  await at.open();
  try {
    // A starting server uses the real time, and a token of then must be valid now.
    await at.meet('REST', new Date(Date.now() - 20 * HOUR));
    const begun = await at.game({ timeControl: { type: 'bank', initial: 86_400 } });
    const { endsAt } = await at.plan({ startsAt: at.after(HOUR), days: 4 });
    await at.restart(20 * HOUR);
    const { clocks } = await at.shown(begun);
    expect(clocks.first).toMatchObject({ onVacationUntil: endsAt, remaining: 23 * 3600 });
    const moved = (await at.api.makeMove(at.ann, begun.id, 1, 'e2e4')).data;
    expect(moved.clocks.first.remaining).toBe(23 * 3600);
  } finally {
    await at.close();
  }
});

it('logs and counts a vacation that began and ended unnoticed', async () => {
  const begun = await on.game(days(5));
  const { data } = await on.api.planVacation(on.ann, { startsAt: on.after(DAY), days: 1 });
  on.time.forward(4 * DAY);
  await on.sweepVacations();
  expect(await on.events(begun)).toEqual([
    {
      type: 'vacationStart',
      player: 'first',
      at: data.endsAt,
      from: data.startsAt,
      until: data.endsAt,
      deadlineAt: on.after(DAY, begun.deadlineAt!),
    },
    {
      type: 'vacationEnd',
      player: 'first',
      at: data.endsAt,
      usedUp: true,
      deadlineAt: on.after(DAY, begun.deadlineAt!),
    },
  ]);
  const { version } = await on.shown(begun);
  await on.sweepVacations();
  expect((await on.shown(begun)).version).toBe(version);
});

it('a move before the sweep is in time', async () => {
  const begun = await on.game(days(1));
  await on.api.planVacation(on.ann, { startsAt: on.after(12 * HOUR), days: 2 });
  await on.later(2 * DAY);
  expect((await on.api.makeMove(on.ann, begun.id, 1, 'e2e4')).data).toMatchObject({
    plyCount: 1,
    turn: 'second',
  });
  const [ply] = (await on.api.moves(null, begun.id)).data.edges;
  expect(ply!.node.timeUsed).toBe(12 * 3600);
});

const FIRST = ['a reader', 'the sweep of games', 'the sweep of vacations'];

it.each(FIRST.slice(0, rounds(3, 2)))(
  'a player is not flagged between two vacations that began while no server ran: %s comes first',
  async (who) => {
    const game = await on.game(days(3));
    await on.api.planVacation(on.ann, { startsAt: on.after(2 * DAY), days: 2 });
    await on.api.planVacation(on.ann, { startsAt: on.after(4.5 * DAY), days: 6 });
    await on.restart(8 * DAY);
    if (who === 'the sweep of games') await on.server.app.get(Referee).sweep();
    if (who === 'the sweep of vacations') await on.sweepVacations();
    expect(await on.shown(game)).toMatchObject({ status: 'active', deadlineAt: on.after(3 * DAY) });
  },
);
