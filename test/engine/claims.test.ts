import { DomainError } from '../../src/platform/errors/errors.js';
import { chess } from '../../src/rules/chess/chess.js';
import { banqiHongkong } from '../../src/rules/facedown/banqi.js';
import { xiangqi } from '../../src/rules/xiangqi/xiangqi.js';
import { engine, storedAfter } from './stored-games.js';

/** Claims of stored games, and the errors for invalid ones. */

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

test('accepts a valid claim', () => {
  const row = storedAfter(chess, [...ROUND, ...ROUND]);
  expect(engine.claimRefusal(row, THREEFOLD)).toBeNull();
});

test('says what an invalid claim lacks', () => {
  const row = storedAfter(chess, ROUND);
  expect(engine.claimRefusal(row, THREEFOLD)).toEqual(
    unmet('The position has occurred twice; a claim needs three occurrences.'),
  );
  expect(engine.claimRefusal(row, 'fiftyMoves')).toEqual(
    unmet('The game has had 4 plies in a row without a capture or pawn move; a claim needs 100.'),
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

test('refuses a claim with a move for the claim or for the move', () => {
  const row = storedAfter(chess, ROUND.slice(0, -1));
  expect(errorOf(() => engine.claimWith(row, THREEFOLD, 'f6g8'))).toEqual(
    notMet('After this move the position will have occurred twice; a claim needs three occurrences.'),
  );
  expect(errorOf(() => engine.claimWith(row, THREEFOLD, 'g1f3'))).toMatchObject({
    code: 'ILLEGAL_MOVE',
    details: { field: 'move' },
  });
});

test('games without claims refuse them, and turn nothing up', () => {
  const third =
    'A draw by threefoldRepetition cannot be claimed in this game: it ends by itself when a position occurs for the third time.';
  expect(engine.claimRefusal(storedAfter(xiangqi, ['a1a2']), THREEFOLD)).toEqual(unmet(third));
  const dealt = storedAfter(banqiHongkong, []);
  expect(errorOf(() => engine.claimWith(dealt, THREEFOLD, 'a1'))).toEqual(notMet(third));
});
