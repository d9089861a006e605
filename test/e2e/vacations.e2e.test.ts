import { SHOWN_LATE_MS } from '../../src/features/games/as-of-now.js';
import { playMoves } from '../support/play.js';
import { addsUp, days, VacationFixture, noVacation, OVER } from '../support/vacation-fixture.js';
import { DAY, HOUR } from '../support/pair.js';

/** Vacations and their effect on the clocks. */

const on = new VacationFixture();
beforeAll(() => on.open());
afterAll(() => on.close());

describe.each(OVER)('over %s', (over) => {
  beforeEach(() => on.meet(over));

  it('starts at once: the clock of the side to move stops, and all others run', async () => {
    const [onMove, strict] = [await on.game(), await on.game(noVacation(3))];
    const waiting = await playMoves(on.api, await on.game(), ['e2e4'], { first: on.ann, second: on.ben });
    on.time.forward(HOUR);
    const vacation = await on.plan({ days: 2 });
    expect(vacation).toEqual({
      id: vacation.id,
      startsAt: on.after(0),
      endsAt: on.after(2 * DAY),
      days: 2,
      status: 'running',
    });

    const stands = await on.shown(onMove);
    expect(stands.deadlineAt).toBe(on.after(2 * DAY, onMove.deadlineAt!));
    expect(addsUp(stands)).toEqual(['turnStarted 0', 'allowance 259200', 'vacation 172800']);
    expect(stands.clocks).toMatchObject({
      first: { running: false, remaining: 3 * 86_400 - 3600, onVacationUntil: vacation.endsAt },
      second: { onVacationUntil: null },
    });
    expect(await on.events(onMove)).toEqual([
      {
        type: 'vacationStart',
        player: 'first',
        at: on.after(0),
        from: on.after(0),
        until: vacation.endsAt,
        deadlineAt: stands.deadlineAt,
      },
    ]);
    const runs = await on.shown(waiting);
    expect([runs.deadlineAt, runs.clocks.second.running]).toEqual([waiting.deadlineAt, true]);
    expect(runs.clocks.first.onVacationUntil).toBe(vacation.endsAt);
    const without = await on.shown(strict);
    expect([without.version, without.deadlineAt]).toEqual([strict.version, strict.deadlineAt]);
    expect([without.clocks.first.running, without.clocks.first.onVacationUntil]).toEqual([true, null]);
    expect(await on.mine()).toEqual({
      items: [vacation],
      years: [
        { year: on.year, used: 2, left: 28 },
        { year: on.year + 1, used: 0, left: 30 },
      ],
      current: vacation,
    });
  });

  it('is planned, begins by the sweep, and continues when its player moves', async () => {
    const begun = await on.game({ timeControl: { type: 'bank', initial: 3 * 86_400, increment: 60 } });
    const startsAt = on.after(DAY);
    const planned = await on.plan({ startsAt, days: 4 });
    expect(planned).toMatchObject({ startsAt, endsAt: on.after(4 * DAY, startsAt), status: 'planned' });
    await on.sweepVacations();
    expect((await on.shown(begun)).version).toBe(1);
    expect((await on.mine()).current).toBeNull();

    await on.later(DAY + 2500);
    await on.sweepVacations();
    const stands = await on.shown(begun);
    expect(await on.events(begun)).toMatchObject([
      { type: 'vacationStart', at: on.after(0), from: startsAt, until: planned.endsAt },
    ]);
    expect(stands.deadlineAt).toBe(on.after(4 * DAY, begun.deadlineAt!));
    expect(stands.clocks.first.remaining).toBe(2 * 86_400);
    expect((await on.mine()).current).toMatchObject({ id: planned.id, status: 'running' });

    await on.later(DAY);
    const moved = await playMoves(on.api, stands, ['e2e4', 'e7e5'], { first: on.ann, second: on.ben });
    const [ply] = (await on.api.moves(null, begun.id)).data.edges;
    expect([ply!.node.timeUsed, ply!.node.clock]).toEqual([86_400, 2 * 86_400 + 60]);
    expect(moved.clocks.first).toMatchObject({ running: false, onVacationUntil: planned.endsAt });
    expect(moved.clocks.first.remaining).toBe(2 * 86_400 + 60);
    expect(addsUp(moved)).toEqual(['turnStarted 0', `allowance ${2 * 86_400 + 60}`, 'vacation 259198']);
    await on.sweepVacations();
    expect((await on.shown(begun)).version).toBe(moved.version);
  });

  it('is ended early: the days begun count, and the clock continues', async () => {
    const begun = await on.game();
    on.time.forward(HOUR);
    const vacation = await on.plan({ days: 5 });
    await on.later(DAY + HOUR);
    const now = on.after(0);
    expect((await on.api.endVacation(on.ann, vacation.id)).data).toEqual({
      ...vacation,
      endsAt: now,
      days: 2,
      status: 'over',
    });
    const runs = await on.shown(begun);
    expect(runs.deadlineAt).toBe(on.after(DAY + HOUR, begun.deadlineAt!));
    expect(addsUp(runs)).toEqual(['turnStarted 0', 'allowance 259200', 'vacation 90000']);
    expect(runs.clocks.first).toMatchObject({
      running: true,
      remaining: 3 * 86_400 - 3600,
      onVacationUntil: null,
    });
    expect((await on.events(begun)).slice(1)).toEqual([
      { type: 'vacationEnd', player: 'first', at: now, usedUp: false, deadlineAt: runs.deadlineAt },
    ]);
    expect(await on.left()).toEqual([28, 30]);
    expect((await on.api.endVacation(on.ann, vacation.id)).refusal).toEqual({ code: 'VACATION_OVER' });
    await on.sweepVacations();
    expect((await on.shown(begun)).version).toBe(runs.version);

    on.time.forward(3 * DAY - HOUR);
    expect((await on.shown(begun)).status).toBe('active');
    on.time.forward(1 + SHOWN_LATE_MS);
    expect(await on.shown(begun)).toMatchObject({ outcome: { reason: 'timeout' }, endedAt: runs.deadlineAt });
  });

  it('stops no clock any longer when it is ended after a whole day', async () => {
    const begun = await on.game();
    const vacation = await on.plan({ days: 5 });
    await on.later(DAY);
    expect((await on.api.endVacation(on.ann, vacation.id)).data).toMatchObject({
      days: 1,
      endsAt: on.after(0),
    });
    expect((await on.shown(begun)).deadlineAt).toBe(on.after(DAY, begun.deadlineAt!));
    expect((await on.events(begun)).at(-1)).toMatchObject({ type: 'vacationEnd', usedUp: false });
    // Another one may follow directly.
    await on.plan({ days: 1 });
    const again = await on.shown(begun);
    expect(addsUp(again)).toEqual(['turnStarted 0', 'allowance 259200', 'vacation 86400', 'vacation 86400']);
  });

  it('is cancelled before its start: no day counts, and no game changes', async () => {
    const begun = await on.game();
    const planned = await on.plan({ startsAt: on.after(DAY + 500), days: 3 });
    expect(await on.left()).toEqual([27, 30]);
    const { data } = await on.api.endVacation(on.ann, planned.id);
    expect(data).toEqual({ ...planned, endsAt: planned.startsAt, days: 0, status: 'calledOff' });
    expect([await on.left(), (await on.mine()).items]).toEqual([[30, 30], []]);
    expect((await on.api.endVacation(on.ann, planned.id)).refusal).toEqual({ code: 'VACATION_OVER' });
    await on.later(DAY + HOUR);
    await on.sweepVacations();
    expect((await on.shown(begun)).version).toBe(1);
    on.time.forward(3 * DAY);
    expect(await on.shown(begun)).toMatchObject({ status: 'finished', endedAt: begun.deadlineAt });
  });

  it('is used up: the clock continues by itself, with the deadline announced before', async () => {
    const begun = await on.game();
    const waiting = await playMoves(on.api, await on.game(days(7)), ['e2e4'], {
      first: on.ann,
      second: on.ben,
    });
    const { endsAt } = await on.plan({ days: 2 });
    const { deadlineAt } = await on.shown(begun);
    await on.later(2 * DAY + HOUR);
    await on.sweepGames();
    const back = await on.shown(begun);
    expect(back).toMatchObject({ deadlineAt, clocks: { first: { running: true, onVacationUntil: null } } });
    const end = { type: 'vacationEnd', player: 'first', at: endsAt, usedUp: true };
    expect((await on.events(begun)).at(-1)).toEqual({ ...end, deadlineAt });
    expect((await on.events(waiting)).at(-1)).toEqual({ ...end, deadlineAt: waiting.deadlineAt });
    expect((await on.mine()).items).toMatchObject([{ status: 'over', days: 2 }]);
    await on.sweepVacations();
    expect((await on.shown(begun)).version).toBe(back.version);
    on.time.forward(3 * DAY);
    await on.sweepGames();
    expect(await on.shown(begun)).toMatchObject({ outcome: { winner: 'second' }, endedAt: deadlineAt });
  });

  it('does not stop the clocks of a game without vacations, nor those of an opponent', async () => {
    const strict = await on.game(noVacation(3));
    const waiting = await playMoves(on.api, await on.game(), ['e2e4'], { first: on.ann, second: on.ben });
    await on.plan({ days: 20 });
    const later = await on.game(noVacation(3));
    expect(later.clocks.first).toMatchObject({ running: true, onVacationUntil: null });
    on.time.forward(3 * DAY + 1);
    await on.sweepVacations();
    await on.sweepGames();
    expect(await on.shown(strict)).toMatchObject({
      outcome: { winner: 'second', reason: 'timeout' },
      endedAt: strict.deadlineAt,
    });
    expect(await on.shown(waiting)).toMatchObject({ outcome: { winner: 'first', reason: 'timeout' } });
    expect((await on.events(strict)).map(({ type }) => type)).toEqual(['flag', 'end']);
  });

  it('does not extend the limit of 60 days: the game ends during the vacation', async () => {
    const begun = await on.game(days(50));
    await on.later(45 * DAY);
    await on.plan({ days: 30 });
    const cut = await on.shown(begun);
    expect(cut.deadlineAt).toBe(on.after(60 * DAY, begun.turnStartedAt));
    const D = 86_400;
    expect(addsUp(cut)).toEqual([
      'turnStarted 0',
      `allowance ${50 * D}`,
      `vacation ${30 * D}`,
      `ceiling ${-20 * D}`,
    ]);
    on.time.forward(15 * DAY);
    expect((await on.shown(begun)).status).toBe('active');
    on.time.forward(1);
    await on.sweepGames();
    expect(await on.shown(begun)).toMatchObject({ outcome: { reason: 'timeout' }, endedAt: cut.deadlineAt });
    expect((await on.events(begun)).map(({ type }) => type)).toEqual(['vacationStart', 'flag', 'end']);
  });

  it('applies to a game that begins during it', async () => {
    const { endsAt } = await on.plan({ days: 2 });
    on.time.forward(HOUR);
    const begun = await on.game();
    expect(begun.deadlineAt).toBe(on.after(3 * DAY, endsAt));
    expect(begun.clocks.first).toMatchObject({ running: false, onVacationUntil: endsAt });
    expect(addsUp(begun)).toEqual(['turnStarted 0', 'allowance 259200', `vacation ${2 * 86_400 - 3600}`]);
    const start = (await on.api.events(null, begun.id)).data.find(({ type }) => type === 'start');
    expect(start).toMatchObject({ data: { onVacationUntil: { first: endsAt } } });
    await on.sweepVacations();
    expect((await on.shown(begun)).version).toBe(1);
    on.time.forward(2 * DAY);
    expect((await on.shown(begun)).clocks.first).toMatchObject({ running: true, onVacationUntil: null });
  });

  it('stops a turn twice, with the clock running in between', async () => {
    const begun = await on.game(days(5));
    const [one, two] = [await on.plan({ days: 2 }), await on.plan({ startsAt: on.after(3 * DAY), days: 3 })];
    const three = await on.plan({ startsAt: two.endsAt, days: 1 });
    for (let day = 0; day < 8; day += 1) {
      await on.later(DAY);
      await on.sweepVacations();
      await on.sweepGames();
    }
    const turn = await on.shown(begun);
    expect(turn.deadlineAt).toBe(on.after(6 * DAY, begun.deadlineAt!));
    const [D, stand] = [86_400, (count: number) => `vacation ${count * 86_400}`];
    expect(addsUp(turn)).toEqual(['turnStarted 0', `allowance ${5 * D}`, stand(2), stand(3), stand(1)]);
    expect((await on.events(begun)).map(({ type, at: when }) => [type, when])).toEqual([
      ['vacationStart', one.startsAt],
      ['vacationEnd', one.endsAt],
      ['vacationStart', two.startsAt],
      ['vacationEnd', two.endsAt],
      ['vacationStart', three.startsAt],
      ['vacationEnd', three.endsAt],
    ]);
    expect(turn.clocks.first.remaining).toBe(3 * D);
  });

  it('overlaps with a pause: each second counts once', async () => {
    const begun = await on.game();
    on.time.forward(HOUR);
    const vacation = await on.plan({ days: 3 });
    await on.later(DAY);
    await on.api.plain(on.ann, 'offerPause', begun.id);
    expect((await on.api.plain(on.ben, 'acceptPause', begun.id)).data.status).toBe('paused');
    await on.later(DAY);
    await on.api.plain(on.ben, 'unpause', begun.id);
    await on.later(12 * HOUR);
    await on.api.endVacation(on.ann, vacation.id);
    expect(await on.shown(begun)).toMatchObject({
      status: 'paused',
      deadlineAt: on.after(3 * DAY, begun.deadlineAt!),
    });
    await on.later(12 * HOUR + SHOWN_LATE_MS);
    const runs = await on.shown(begun);
    expect([runs.status, runs.clocks.first.running]).toEqual(['active', true]);
    expect(runs.deadlineAt).toBe(on.after(3 * DAY, begun.deadlineAt!));
    expect(addsUp(runs)).toEqual([
      'turnStarted 0',
      'allowance 259200',
      `vacation ${2.5 * 86_400}`,
      `pause ${0.5 * 86_400}`,
    ]);
  });
});
