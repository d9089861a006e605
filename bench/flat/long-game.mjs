import { Chess } from 'chess.js';

/** A legal game of chess of so many plies, always the same, in which no position and no rule ends it. */

const MULTIPLIER = 1664525;
const INCREMENT = 1013904223;
const MODULUS = 2 ** 32;
/** The first one whose game lasts for 305 plies. */
const FIRST_SEED = 4;

function* numbers(seed) {
  for (let state = seed; ;) {
    state = (state * MULTIPLIER + INCREMENT) % MODULUS;
    yield state / MODULUS;
  }
}

function tryGame(plies, seed) {
  const game = new Chess();
  const random = numbers(seed);
  const pick = (list) => list[Math.floor(random.next().value * list.length)];
  while (game.history().length < plies && !game.isGameOver()) {
    const moves = game.moves({ verbose: true });
    // Few captures make a long game.
    const quiet = moves.filter(({ captured }) => !captured);
    game.move(pick(quiet.length > 0 ? quiet : moves));
  }
  return game.isGameOver() ? null : game.history({ verbose: true });
}

export function longGame(plies) {
  for (let seed = FIRST_SEED; ; seed++) {
    const moves = tryGame(plies, seed);
    if (moves) return moves.map(({ from, to, promotion }) => `${from}${to}${promotion ?? ''}`);
  }
}
