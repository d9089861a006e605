import { DomainError } from '../../src/platform/errors.js';
import { chess } from '../../src/rules/chess/chess.js';
import { banqiHongkong } from '../../src/rules/facedown/banqi.js';
import { xiangqi } from '../../src/rules/xiangqi/xiangqi.js';
import { engine, storedAfter } from './stored-games.js';

/** Claims of stored games, and the errors that refuse them. */

const THREEFOLD = 'threefoldRepetition';
const ROUND = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];

function errorOf(act: () => unknown): Pick<DomainError, 'code' | 'message' | 'details'> | null {
  try {
    act();
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}

const notMet = (message: string): unknown => ({
  code: 'CLAIM_NOT_MET',
  message,
  details: { field: 'reason' },
});

const unmet = (message: string): unknown => ({ code: 'CLAIM_NOT_MET', message, field: 'reason' });

test('a claim that holds is not refused', () => {
  const row = storedAfter(chess, [...ROUND, ...ROUND]);
  expect(engine.claimRefusal(row, THREEFOLD)).toBeNull();
});

test('a claim that does not hold is told what is missing', () => {
  const row = storedAfter(chess, ROUND);
  expect(engine.claimRefusal(row, THREEFOLD)).toEqual(
    unmet('The position has occurred twice so far; a claim needs three times.'),
  );
  expect(engine.claimRefusal(row, 'fiftyMoves')).toEqual(
    unmet('4 plies without a capture or pawn move have been played; a claim needs 100.'),
  );
});

test('a claim with a move gives the ply and the draw', () => {
  const row = storedAfter(chess, [...ROUND, ...ROUND.slice(0, -1)]);
  const judged = engine.claimWith(row, THREEFOLD, 'f6g8');
  expect(judged).toMatchObject({
    outcome: { winner: null, reason: THREEFOLD },
    turn: null,
    proof: null,
    anchors: false,
    ply: { player: 'second', move: 'f6g8', san: 'Ng8', claimable: [THREEFOLD] },
  });
});

test('a claim with a move is refused for the claim or for the move', () => {
  const row = storedAfter(chess, ROUND.slice(0, -1));
  expect(errorOf(() => engine.claimWith(row, THREEFOLD, 'f6g8'))).toEqual(
    notMet('With that move the position has occurred twice so far; a claim needs three times.'),
  );
  expect(errorOf(() => engine.claimWith(row, THREEFOLD, 'g1f3'))).toMatchObject({
    code: 'ILLEGAL_MOVE',
    details: { field: 'move' },
  });
});

test('games without claims refuse them, and nothing is turned up for it', () => {
  const third = 'This game has no such claim: it ends by itself when a position occurs for the third time.';
  expect(engine.claimRefusal(storedAfter(xiangqi, ['a1a2']), THREEFOLD)).toEqual(unmet(third));
  const dealt = storedAfter(banqiHongkong, []);
  expect(errorOf(() => engine.claimWith(dealt, THREEFOLD, 'a1'))).toEqual(notMet(third));
});
