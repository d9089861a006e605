import fc from 'fast-check';
import { startVacation } from '../../src/arbiter/clock-acts.js';
import type { GameState } from '../../src/arbiter/state.js';
import type { TimeControl } from '../../src/arbiter/time-control.js';
import type { VacationRow } from '../../src/features/calendar/vacation.row.js';
import { isNothing } from '../../src/features/games/transition.js';
import { asOfNow, isDue, nextMoment, shownAfter } from '../../src/features/games/as-of-now.js';
import { arbiterColumns, storedRow, type GameRow } from '../../src/features/games/game.row.js';
import { acted, begin, daily, DAY, HOUR, pending, plies, START } from '../arbiter/states.js';
import { deepFreeze } from '../support/deep-freeze.js';

/** What the clock has done in a game by now: shown at any time, stored at some. */

const rowOf = (state: GameState): GameRow =>
  ({
    id: 'game',
    ruleset: 'chess',
    rated: state.rated,
    version: state.version,
    timeControl: state.timeControl,
    creator: 'first',
    firstId: 'ann',
    secondId: 'ben',
    lastActivityAt: new Date(START),
    endedAt: null,
    unrated: null,
    ...arbiterColumns(state),
  }) as unknown as GameRow;

const absence = (from: number, until: number): VacationRow =>
  ({ userId: 'ann', startsAt: new Date(from), endsAt: new Date(until) }) as unknown as VacationRow;

const at = (row: GameRow, now: number, absences: readonly VacationRow[] = []) =>
  asOfNow(row, absences, new Date(now), () => true);

const seconds = fc.integer({ min: 60, max: 60 * 86_400 });
const control: fc.Arbitrary<TimeControl> = fc.oneof(
  seconds.map((some) => ({ type: 'perMove', seconds: some }) as const),
  seconds.map((some) => ({ type: 'bank', initial: some, increment: 60, cap: 60 * 86_400 }) as const),
);
const ms = (days: number) => fc.integer({ min: 0, max: days * DAY });

/** A turn of Ann, in a pause that may have been called off, with a vacation that the game may have recorded. */
const game = fc
  .record({
    control,
    paused: fc.boolean(),
    off: fc.boolean(),
    knows: fc.boolean(),
    from: ms(40),
    length: ms(30),
  })
  .map(({ control: timeControl, paused, off, knows, from, length }) => {
    const away = { from: START + from, until: START + from + length };
    let state = begin(timeControl);
    if (paused) state = acted(state, START, ['first', 'offerPause'], ['second', 'acceptPause']);
    if (paused && off) state = acted(state, START, ['first', 'unpause']);
    if (knows && from === 0) state = startVacation(state, 'first', away, START)?.state ?? state;
    return { row: rowOf(state), absences: [absence(away.from, away.until)] };
  });

test('there is nothing to do before the next event of the clock, and something at it', () => {
  fc.assert(
    fc.property(game, ({ row }) => {
      const next = nextMoment(row);
      if (next === null) return expect(isNothing(at(row, START + 400 * DAY))).toBe(true);
      expect([isNothing(at(row, next - 1)), isDue(row, new Date(next - 1))]).toEqual([true, false]);
      expect([isNothing(at(row, next)), isDue(row, new Date(next))]).toEqual([false, true]);
    }),
  );
});

test('a second check at the same time finds nothing more to do', () => {
  fc.assert(
    fc.property(game, ms(200), ({ row, absences }, later) => {
      deepFreeze(row);
      const { after } = at(row, START + later, absences);
      expect(isNothing(at(after, START + later, absences))).toBe(true);
      expect(isDue(after, new Date(START + later))).toBe(false);
    }),
  );
});

test('the result is the same whether it was stored in between or only shown', () => {
  const facts = ({ status, winner, reason, endedAt, deadlineAt, lastActivityAt, clock }: GameRow) => {
    return {
      status,
      winner,
      reason,
      endedAt,
      deadlineAt,
      lastActivityAt,
      away: clock.away,
      bank: clock.bank,
    };
  };
  fc.assert(
    fc.property(game, fc.array(ms(200), { maxLength: 5 }), ms(200), ({ row, absences }, looks, last) => {
      let stored = row;
      for (const look of [...looks, last].sort((a, b) => a - b)) {
        stored = at(stored, START + look, absences).after;
        expect(facts(at(row, START + look, absences).after)).toEqual(facts(stored));
      }
    }),
  );
});

test('a game that is shown as ended keeps its stored row', () => {
  const row = rowOf(plies(2, begin(daily)));
  const shown = shownAfter(at(row, START + 9 * DAY));
  expect(shown).toMatchObject({ status: 'finished', version: row.version + 1, endedAt: row.deadlineAt });
  expect(shown.unstored!.events.map(({ type, seq }) => [type, seq])).toEqual([['flag', 2], ['end', 2]]); // prettier-ignore
  expect(storedRow(shown)).toBe(row);
  const early = shownAfter(at(row, START + HOUR));
  expect([early, storedRow(early)]).toEqual([row, row]);
});

test('a game whose seed does not come is aborted as of its deadline', () => {
  const row = rowOf(pending(daily));
  expect(nextMoment(row)).toBe(START + DAY + 1);
  expect(at(row, START + 9 * DAY).after).toMatchObject({ status: 'aborted', endedAt: new Date(START + DAY) });
});

test('an ended game has no next event', () => {
  const { after } = at(rowOf(begin(daily)), START + 9 * DAY);
  expect(nextMoment({ ...after, deadlineAt: new Date(START), wakeAt: new Date(START) })).toBeNull();
});
