import type { GameRow, PlyRow, Transition } from '../../src/features/games/game.row.js';
import { newsOf } from '../../src/features/notifications/game-news.js';
import { NO_OFFERS } from '../../src/arbiter/offers.js';
import type { Player } from '../../src/rules/ruleset.js';

/** Which user an act notifies when a turn has several plies. */

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

const moved = (userId: string) => ['yourTurn', 'reminder', 'timeGiven'].map((type) => [userId, type]);

test('a ply notifies the player whose turn begins, and answers the mover’s own notification', () => {
  expect(told(row('first', 4), row('second', 5), [ply('first')])).toEqual([
    [['ben', 'yourTurn']],
    moved('ann'),
  ]);
});

test('a player who continues a turn of several plies gets no notification', () => {
  expect(told(row('first', 4), row('first', 5), [ply('first')])).toEqual([[], moved('ann')]);
});

test('a player who is still to move after their planned reply is notified', () => {
  const act = [row('first', 4), row('second', 6), [ply('first'), ply('second', true)]] as const;
  expect(told(...act)).toEqual([[['ben', 'yourTurn']], moved('ann')]);
});

test('a player who is to move again after a reply gets a notification that stays unread', () => {
  const act = [row('first', 4), row('first', 6), [ply('first'), ply('second', true)]] as const;
  expect(told(...act)).toEqual([[['ann', 'yourTurn']], moved('ann').slice(1)]);
});
