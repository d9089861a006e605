import type { GameRow, PlyRow, Transition } from '../../src/features/games/game.row.js';
import { newsOf } from '../../src/features/notifications/game-news.js';
import { NO_OFFERS } from '../../src/arbiter/offers.js';
import type { Player } from '../../src/rules/ruleset.js';

/** Whom an act is news for, where a turn has several plies. */

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

test('a ply is news for whose turn has come, and answers what its player was told', () => {
  expect(told(row('first', 4), row('second', 5), [ply('first')])).toEqual([
    [['ben', 'yourTurn']],
    moved('ann'),
  ]);
});

test('who goes on by hand with a turn of several plies is told nothing', () => {
  expect(told(row('first', 4), row('first', 5), [ply('first')])).toEqual([[], moved('ann')]);
});

test('who is still to move after a reply that was played for him is told so', () => {
  const act = [row('first', 4), row('second', 6), [ply('first'), ply('second', true)]] as const;
  expect(told(...act)).toEqual([[['ben', 'yourTurn']], moved('ann')]);
});

test('who is to move again after a reply is told so, and that is not stale', () => {
  const act = [row('first', 4), row('first', 6), [ply('first'), ply('second', true)]] as const;
  expect(told(...act)).toEqual([[['ann', 'yourTurn']], moved('ann').slice(1)]);
});
