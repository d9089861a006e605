import { find, type Game } from '../rules/play.js';
import { illegalWord } from './candidates.js';
import { found, miss, shown, type Found } from './fault.js';
import type { Notation, WrittenPly } from './notation.js';

/** The moves of face-down games with all that they turned up: `a1(N)`, `a1-a2`, `a1xa2`, `a1?a2(n)x`, `pass`. */

const LONGEST = 16;
const TURN_UP = /^([a-z][0-9]{1,2})\(([A-Za-z])\)$/;
const STEP = /^([a-z][0-9]{1,2})[-x]([a-z][0-9]{1,2})$/;
const ATTEMPT = /^([a-z][0-9]{1,2})\?([a-z][0-9]{1,2})\(([A-Za-z])\)x?$/;

function parse(san: string): WrittenPly | null {
  if (san === 'pass') return { move: san, reveals: null, san };
  const [, square, turned] = TURN_UP.exec(san) ?? [];
  if (square !== undefined) return { move: square, reveals: turned!, san };
  const [, from, to] = STEP.exec(san) ?? [];
  if (from !== undefined) return { move: from + to!, reveals: null, san };
  const [, start, target, tried] = ATTEMPT.exec(san) ?? [];
  return start === undefined ? null : { move: start + target!, reveals: tried!, san };
}

function read(game: Game<unknown>, word: string, at: number): Found<WrittenPly> {
  const ply = word.length > LONGEST ? null : parse(word.replace(/[!?]{0,4}$/, ''));
  if (ply === null) {
    const forms = 'a1(N), a1-a2, a1xa2, a1?a2(n)x, a1?a2(P) or pass';
    return miss(at, `Expected a move, as ${forms}, or a result; found ${shown(word)}.`);
  }
  return find(game, ply.move).ok ? found(ply) : illegalWord(game, word, at, [ply.move]);
}

export const turnUpNotation: Notation = { hasVariations: false, read };
