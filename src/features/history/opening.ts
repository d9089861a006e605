import { DomainError } from '../../platform/errors.js';

const MOST_MOVES = 16;
const MOVE = /^(?:[a-i]\d{1,2}(?:[a-i]\d{1,2}[a-z]?)?|pass)$/;

/** Canonical moves from a text, each with a space behind it; throws BAD_INPUT. */
export function openingOf(text: string): string {
  const moves = text.trim().split(/ +/);
  const wrong = moves.find((move) => !MOVE.test(move));
  if (wrong === undefined && moves.length <= MOST_MOVES) return moves.map((move) => `${move} `).join('');
  const fault = wrong === undefined ? `up to ${MOST_MOVES} of them` : 'as they are submitted';
  throw new DomainError(
    'BAD_INPUT',
    `opening is a list of canonical moves, ${fault}, with spaces between: "e2e4 e7e5", or "a1 b3" where squares turn up.`,
    { field: 'opening' },
  );
}
