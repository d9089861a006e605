import type { GameRow, PlyRow, Transition } from '../../src/features/games/game.row.js';
import { newsOf } from '../../src/features/notifications/game-news.js';
import { NO_OFFERS } from '../../src/arbiter/offers.js';
import type { Player } from '../../src/rules/ruleset.js';

/** Which notifications a ply writes and answers. */

const AT = new Date('2026-01-31T12:00:00.000Z');

const row = (turn: Player, plyCount: number): GameRow =>
  ({
    id: 'game',
    firstId: 'ann',
    secondId: 'ben',
    status: 'active',
    turn,
    plyCount,
    offers: NO_OFFERS,
    deadlineAt: null,
    clock: { reminded: false, given: 0, stops: [] },
    lastActivityAt: AT,
  }) as unknown as GameRow;

const ply = (player: Player, automatic = false): PlyRow => ({ player, automatic }) as unknown as PlyRow;

const told = (before: GameRow, after: GameRow, plies: readonly PlyRow[]) => {
  const { notices, stale } = newsOf({
    before,
    after,
    plies,
    events: [],
    planNews: [],
    byClock: false,
  } satisfies Transition);
  return [notices.map(({ userId, type }) => [userId, type]), stale.map(({ userId, type }) => [userId, type])];
};

const after = (clock: Partial<GameRow['clock']>) =>
  told({ ...row('first', 4), clock: { ...row('first', 4).clock, ...clock } }, row('second', 5), [
    ply('first'),
  ]);

test('a plain ply writes no notification and answers none', () => {
  expect(after({})).toEqual([[], []]);
  expect(told(row('first', 4), row('first', 6), [ply('first'), ply('second', true)])).toEqual([[], []]);
});

test('a ply answers the reminder of its turn, also one sent before the deadline moved', () => {
  const reminder = [['ann', 'reminder']];
  expect(after({ reminded: true })).toEqual([[], reminder]);
  expect(after({ stops: [{ kind: 'pause', from: 1, until: 2 }] })).toEqual([[], reminder]);
});

test('a ply answers that time was given for its turn', () => {
  expect(after({ given: 60 })).toEqual([
    [],
    [
      ['ann', 'reminder'],
      ['ann', 'timeGiven'],
    ],
  ]);
});
