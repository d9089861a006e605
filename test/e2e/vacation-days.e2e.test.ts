import { randomUUID } from 'node:crypto';
import { VacationFixture, OVER } from '../support/vacation-fixture.js';
import { DAY, HOUR } from '../support/pair.js';
import type { Body } from '../support/transport.js';

/** How many vacation days there are, and what is refused. */

const on = new VacationFixture();
beforeAll(() => on.open());
afterAll(() => on.close());

describe.each(OVER)('over %s', (over) => {
  beforeEach(() => on.meet(over));

  it('allows 30 days of each calendar year, and of both over New Year', async () => {
    const startsAt = new Date(Date.UTC(on.year, 11, 29, 12)).toISOString();
    await on.plan({ days: 26 });
    const early = { code: 'VACATION_USED_UP', field: 'days' };
    const much = await on.api.planVacation(on.ann, { startsAt: on.noon(12, 20).toISOString(), days: 5 });
    expect([much.refusal, much.message]).toEqual([
      early,
      `This vacation takes 5 days of ${on.year}, and you have 4 of your 30 left. Take fewer.`,
    ]);
    const over = await on.plan({ startsAt, days: 10 });
    expect((await on.mine()).years).toEqual([
      { year: on.year, used: 29, left: 1 },
      { year: on.year + 1, used: 7, left: 23 },
    ]);
    expect((await on.api.planVacation(on.ann, { startsAt: over.endsAt, days: 24 })).refusal).toEqual(early);
    await on.plan({ startsAt: over.endsAt, days: 23 });
    expect(await on.left()).toEqual([1, 0]);
    await on.api.endVacation(on.ann, over.id);
    expect(await on.left()).toEqual([4, 7]);
    expect(await on.left(on.ben)).toEqual([30, 30]);
  });

  it('refuses invalid requests, and changes nothing', async () => {
    const begun = await on.game();
    await on.plan({ startsAt: on.after(10 * DAY), days: 5 });
    const before = [await on.mine(), (await on.shown(begun)).version];
    const wishes: readonly (readonly [Body, string, string?])[] = [
      [{ days: 0 }, 'INVALID_VACATION', 'days'],
      [{ days: -3 }, 'INVALID_VACATION', 'days'],
      [{ days: 61 }, 'INVALID_VACATION', 'days'],
      [{ days: 1, startsAt: on.after(-1) }, 'INVALID_VACATION', 'startsAt'],
      [{ days: 1, startsAt: on.after(365 * DAY + 1) }, 'INVALID_VACATION', 'startsAt'],
      [{ days: 1, startsAt: '9999-12-31T00:00:00.000Z' }, 'INVALID_VACATION', 'startsAt'],
      [{ days: 31 }, 'VACATION_OVERLAPS', 'startsAt'],
      [{ days: 1, startsAt: on.after(14 * DAY) }, 'VACATION_OVERLAPS', 'startsAt'],
      [{ days: 26, startsAt: on.after(15 * DAY) }, 'VACATION_USED_UP', 'days'],
    ];
    for (const [wish, code, field] of wishes) {
      expect((await on.api.planVacation(on.ann, wish)).refusal).toEqual({ code, field });
    }
    for (const wish of [
      { days: 1.5 },
      { days: '2' },
      {},
      { days: 1, startsAt: 'tomorrow' },
      { days: 1, startsAt: 7 },
    ]) {
      expect((await on.api.planVacation(on.ann, wish)).refusal).toMatchObject({ code: 'BAD_INPUT' });
    }
    expect((await on.api.planVacation(on.ann, { days: 1 }, 'no spaces')).refusal).toMatchObject({
      code: 'BAD_INPUT',
    });
    const malformed = (await on.api.endVacation(on.ann, 'nonsense')).refusal!.code;
    expect(malformed).toBe(over === 'REST' ? 'NOT_FOUND' : 'BAD_INPUT');
    expect((await on.api.planVacation(null, { days: 1 })).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await on.api.myVacations(null)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await on.api.endVacation(null, randomUUID())).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect([await on.mine(), (await on.shown(begun)).version]).toEqual(before);
  });

  it('can be planned at most ten times', async () => {
    for (let i = 1; i <= 10; i += 1) await on.plan({ startsAt: on.after(2 * i * DAY), days: 1 });
    const wish = { startsAt: on.after(30 * DAY), days: 1 };
    expect((await on.api.planVacation(on.ann, wish)).refusal).toEqual({ code: 'LIMIT_REACHED' });
    const { items: vacations } = await on.mine();
    expect(vacations.map(({ startsAt }) => startsAt)).toEqual(
      Array.from({ length: 10 }, (_, i) => on.after(2 * (10 - i) * DAY)),
    );
    await on.plan({ days: 1 });
    await on.api.endVacation(on.ann, vacations[0]!.id);
    expect((await on.api.planVacation(on.ann, wish)).data.status).toBe('planned');
  });

  it('is private', async () => {
    const begun = await on.game();
    const vacation = await on.plan({ days: 3 });
    const nobody = { code: 'NOT_FOUND', field: 'id' };
    expect((await on.api.endVacation(on.ben, vacation.id)).refusal).toEqual(nobody);
    expect((await on.api.endVacation(on.ben, randomUUID())).refusal).toEqual(nobody);
    expect((await on.mine(on.ben)).items).toEqual([]);
    expect((await on.mine()).items).toEqual([vacation]);
    expect((await on.shown(begun)).clocks.first.onVacationUntil).toBe(vacation.endsAt);
  });

  it('has no second effect when repeated with its key', async () => {
    const wish = { days: 3 };
    const [one, two] = await Promise.all([
      on.api.planVacation(on.ann, wish, 'k1'),
      on.api.planVacation(on.ann, wish, 'k1'),
    ]);
    on.time.forward(HOUR);
    const three = await on.api.planVacation(on.ann, wish, 'k1');
    expect([two.data, three.data]).toEqual([one.data, one.data]);
    expect(await on.left()).toEqual([27, 30]);
    const reused = { code: 'IDEMPOTENCY_KEY_REUSED', field: 'idempotencyKey' };
    expect((await on.api.planVacation(on.ann, { days: 4 }, 'k1')).refusal).toEqual(reused);
    const ends = await Promise.all([
      on.api.endVacation(on.ann, one.data.id, 'k2'),
      on.api.endVacation(on.ann, one.data.id, 'k2'),
    ]);
    on.time.forward(HOUR);
    const again = await on.api.endVacation(on.ann, one.data.id, 'k2');
    expect(again.data).toMatchObject({ days: 1, endsAt: on.after(-HOUR), status: 'over' });
    expect(ends.map(({ data }) => data)).toEqual([again.data, again.data]);
    // The failed request has not used the key.
    expect((await on.api.planVacation(on.ann, { days: 0 }, 'k3')).refusal).toMatchObject({
      code: 'INVALID_VACATION',
    });
    expect((await on.api.planVacation(on.ann, { days: 1 }, 'k3')).data.days).toBe(1);
  });

  it('grants as many simultaneous requests as there are days', async () => {
    const wishes = Array.from({ length: 8 }, (_, i) => ({ startsAt: on.after((10 * i + 5) * DAY), days: 9 }));
    const answers = await Promise.all(wishes.map((wish) => on.api.planVacation(on.ann, wish)));
    expect(answers.map(({ refusal }) => refusal?.code ?? 'planned').sort()).toEqual([
      ...Array<string>(5).fill('VACATION_USED_UP'),
      ...Array<string>(3).fill('planned'),
    ]);
    const same = await Promise.all([1, 2, 3].map((one) => on.api.planVacation(on.ben, { days: one })));
    expect(same.map(({ refusal }) => refusal?.code ?? 'planned').sort()).toEqual([
      'VACATION_OVERLAPS',
      'VACATION_OVERLAPS',
      'planned',
    ]);
    expect(await on.left()).toEqual([3, 30]);
  });
});
