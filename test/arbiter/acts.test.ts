import {
  afterAbort,
  afterResignation,
  afterTimeout,
  objectionToAbort,
  objectionToMove,
  objectionToResign,
  type Table,
} from '../../src/arbiter/acts.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const LATER = NOW + 1000;

const fresh: Table = { status: 'active', plyCount: 0, turn: 'first', deadlineAt: LATER };
const begun: Table = { status: 'active', plyCount: 1, turn: 'second', deadlineAt: LATER };
const under: Table = { status: 'active', plyCount: 2, turn: 'first', deadlineAt: LATER };
const endless: Table = { ...under, deadlineAt: null };
const overdue: Table = { ...under, deadlineAt: NOW - 1 };
const finished: Table = { status: 'finished', plyCount: 2, turn: null, deadlineAt: null };
const aborted: Table = { status: 'aborted', plyCount: 1, turn: null, deadlineAt: null };
const pending: Table = { status: 'pending', plyCount: 0, turn: null, deadlineAt: LATER };
const forgotten: Table = { ...pending, deadlineAt: NOW - 1 };

const codeOf = (objection: { code: string } | null) => objection?.code ?? 'allowed';

describe('who may do what in which state', () => {
  // State, its name, then: the next ply by the player to move, the same by the other, resign, abort.
  test.each([
    ['fresh', fresh, 'allowed', 'NOT_YOUR_TURN', 'allowed', 'allowed'],
    ['after ply 1', begun, 'NOT_YOUR_TURN', 'allowed', 'allowed', 'allowed'],
    ['after ply 2', under, 'allowed', 'NOT_YOUR_TURN', 'allowed', 'TOO_LATE_TO_ABORT'],
    ['without a clock', endless, 'allowed', 'NOT_YOUR_TURN', 'allowed', 'TOO_LATE_TO_ABORT'],
    ['overdue', overdue, 'DEADLINE_PASSED', 'DEADLINE_PASSED', 'DEADLINE_PASSED', 'DEADLINE_PASSED'],
    ['finished', finished, 'GAME_OVER', 'GAME_OVER', 'GAME_OVER', 'GAME_OVER'],
    ['aborted', aborted, 'GAME_OVER', 'GAME_OVER', 'GAME_OVER', 'GAME_OVER'],
    ['pending', pending, 'GAME_PENDING', 'GAME_PENDING', 'GAME_PENDING', 'allowed'],
    [
      'pending for too long',
      forgotten,
      'DEADLINE_PASSED',
      'DEADLINE_PASSED',
      'DEADLINE_PASSED',
      'DEADLINE_PASSED',
    ],
  ] as const)('%s', (_name, table, byFirst, bySecond, resign, abort) => {
    const next = table.plyCount + 1;
    expect(codeOf(objectionToMove(table, 'first', next, NOW))).toBe(byFirst);
    expect(codeOf(objectionToMove(table, 'second', next, NOW))).toBe(bySecond);
    expect(codeOf(objectionToResign(table, NOW))).toBe(resign);
    expect(codeOf(objectionToAbort(table, NOW))).toBe(abort);
  });

  test('a ply that is stored is stale, whatever has become of the game', () => {
    for (const table of [under, overdue, finished]) {
      expect(codeOf(objectionToMove(table, 'first', 2, NOW))).toBe('STALE_PLY');
    }
    expect(codeOf(objectionToMove(under, 'first', 4, NOW))).toBe('STALE_PLY');
  });

  test('the deadline itself is still in time', () => {
    expect(objectionToMove({ ...under, deadlineAt: NOW }, 'first', 3, NOW)).toBeNull();
    expect(codeOf(objectionToMove({ ...under, deadlineAt: NOW }, 'first', 3, NOW + 1))).toBe(
      'DEADLINE_PASSED',
    );
  });
});

describe('results', () => {
  test('who resigns loses', () => {
    expect(afterResignation('first')).toEqual({ winner: 'second', reason: 'resignation' });
    expect(afterResignation('second')).toEqual({ winner: 'first', reason: 'resignation' });
  });

  test('who runs out of time loses, unless the other could never win', () => {
    expect(afterTimeout('second', true)).toEqual({ winner: 'second', reason: 'timeout' });
    expect(afterTimeout('second', false)).toEqual({ winner: null, reason: 'timeout' });
  });

  test('nobody wins an aborted game', () => {
    expect(afterAbort).toEqual({ winner: null, reason: 'aborted' });
  });
});
