import fc from 'fast-check';
import { SHOWN_LATE_MS } from '../../src/features/games/as-of-now.js';
import { DAY, HOUR, snapshot } from '../support/pair.js';
import { VacationFixture } from '../support/vacation-fixture.js';
import { runs } from '../support/scale.js';
import { unchained } from '../support/record.js';
import type { Game } from '../support/api-types.js';
import { type Body, must } from '../support/transport.js';

/** Whatever the players have done: a read shows what the sweep then stores. */
// Long: it plays many random cases.

const on = new VacationFixture();
beforeAll(() => on.open());
afterAll(() => on.close());

const seconds = fc.integer({ min: 60, max: 10 * 86_400 });
const terms: fc.Arbitrary<Body> = fc.oneof(
  seconds.map((some) => ({ timeControl: { type: 'perMove', seconds: some } })),
  seconds.map((some) => ({ timeControl: { type: 'perMove', seconds: some, noVacation: true } })),
  seconds.map((some) => ({ timeControl: { type: 'bank', initial: some, increment: 60, cap: 10 * 86_400 } })),
  fc.constant({ timeControl: { type: 'none' } }),
);

/** An act, and how long nothing happens after it. Refused acts are skipped. */
const step = fc.record({
  what: fc.constantFrom(
    'move',
    'pause',
    'unpause',
    'unpauseBoth',
    'vacation',
    'vacationOfBen',
    'draw',
    'look',
  ),
  after: fc.oneof(fc.integer({ min: 0, max: 2 * HOUR }), fc.integer({ min: 0, max: 9 * DAY })),
});

const LINE = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6', 'b5a4', 'g8f6'];

async function done(what: string, game: Game): Promise<void> {
  const { api, ann, ben } = on;
  const { plyCount } = await on.shown(game);
  const startsAt = on.after(3 * HOUR);
  if (what === 'move')
    await api.makeMove(plyCount % 2 === 0 ? ann : ben, game.id, plyCount + 1, LINE[plyCount]);
  if (what === 'draw') await api.plain(ben, 'offerDraw', game.id);
  if (what === 'pause') await api.plain(ann, 'offerPause', game.id);
  if (what === 'pause') await api.plain(ben, 'acceptPause', game.id);
  if (what.startsWith('unpause')) await api.plain(ann, 'unpause', game.id);
  if (what === 'unpauseBoth') await api.plain(ben, 'unpause', game.id);
  if (what === 'vacation') await api.planVacation(ann, { days: 2, startsAt });
  if (what === 'vacationOfBen') await api.planVacation(ben, { days: 1, startsAt });
}

const ended: string[] = [];

test('reads match the next sweep in random games with clocks, pauses, unrecorded vacations and reminders', async () => {
  await fc.assert(
    fc.asyncProperty(terms, fc.array(step, { minLength: 1, maxLength: 6 }), async (control, steps) => {
      await on.meet();
      const game = await on.game(control);
      for (const { what, after } of steps) {
        await done(what, game);
        await on.later(after);
      }
      const read = async () => [await on.shown(game), must(await on.api.events(null, game.id))] as const;
      const before = await snapshot(on.server, game);
      const [shown, events] = await read();
      expect(await snapshot(on.server, game)).toEqual(before);
      expect(shown.fairness.headHash).toBe(before.game['head_hash']);

      // A read shows what the clock had done by then.
      on.time.forward(-SHOWN_LATE_MS);
      await on.sweepGames();
      on.time.forward(SHOWN_LATE_MS);
      const [now, logged] = await read();
      const { game: row } = await snapshot(on.server, game);
      // Rated and casual games differ here: the secret, and the continuation of the chain.
      const later = { serverSeed: null, headHash: null, receipt: null };
      const known = (one: Game) => ({ ...one, fairness: { ...one.fairness, ...later } });
      expect([known(now), unchained(logged)]).toEqual([known(shown), unchained(events)]);
      expect(logged.filter(({ hash }) => hash === null)).toEqual([]);
      expect(row).toMatchObject({
        status: shown.status,
        version: shown.version,
        reason: shown.outcome?.reason ?? null,
      });
      ended.push(`${shown.status} ${Number(before.game['version'] !== shown.version)}`);
    }),
    { ...runs(200), endOnFailure: true },
  );
  // Running and ended games, with and without pending work of the clock.
  expect(new Set(ended).size).toBeGreaterThan(2);
});
