import { shown } from '../../rules/shown.js';
import { badInput, DomainError } from '../../platform/errors/errors.js';

const MOST_MOVES = 16;
const MOVE = /^(?:[a-i]\d{1,2}(?:[a-i]\d{1,2}[a-z]?)?|pass)$/;

/** The moves of a text in coordinates. Throws BAD_INPUT. */
export function movesOf(text: string): readonly string[] {
  const moves = text.trim().split(/ +/);
  const wrong = moves.find((move) => !MOVE.test(move));
  if (wrong !== undefined) {
    const given = shown(wrong);
    throw badInput(
      'opening',
      `opening must have moves in coordinates, separated by spaces, such as "e2e4 e7e5" or "a1 b3" (turn-ups); got ${given}.`,
    );
  }
  if (moves.length <= MOST_MOVES) return moves;
  const message = `opening must have at most ${MOST_MOVES} moves; got ${moves.length}.`;
  throw new DomainError('BAD_INPUT', message, { field: 'opening', max: MOST_MOVES });
}
