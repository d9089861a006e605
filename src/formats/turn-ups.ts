import { find, type Game } from '../rules/play.js';
import { illegalWord, malformed } from './candidates.js';
import { found, miss, type Found, type Miss } from './fault.js';
import { shown } from '../rules/shown.js';
import { plain, type Notation, type WrittenPly } from './notation.js';

/**
 * The moves of face-down games with the pieces that they turned up: `a1(N)`, `a1-a2`, `a1xa2`, `a1?a2(n)x`, `pass`.
 */

const LONGEST = 16;
const FORMS = 'a1(N), a1-a2, a1xa2, a1?a2(n)x, a1?a2(P) or pass';
const TURN_UP = /^([a-z][0-9]{1,2})\(([A-Za-z])\)$/;
const MOVE = /^(?:(?:[a-z][0-9]{1,2}){1,2}|pass)$/;
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
  if (ply === null) return malformed(word, at, FORMS);
  return find(game, ply.move).ok ? found(ply) : illegalWord(game, word, at, [ply.move]);
}

/** Examples of moves before they are played: `a1(?)`, `a1?a2`. */
export const AHEAD = 'a1(?), a1-a2, a1xa2, a1?a2 or pass';
const TO_COME = /^([a-z][0-9]{1,2})(?:\(\?\)|[-x?]([a-z][0-9]{1,2}))$/;
const TOLD = /^([a-z][0-9]{1,2})(?:\(|\?([a-z][0-9]{1,2})(?:\(|x$))/;

/** Parses a move to be played. One that names the piece to turn up is refused before the board is looked at. */
export function readAhead(game: Game<unknown>, word: string, at: number): Found<WrittenPly> {
  const text = word.replace(/[!?]{0,4}$/, '');
  const [, from = text, to = ''] = TO_COME.exec(text) ?? [];
  const move = from + to;
  if (!MOVE.test(move)) return told(word, at) ?? malformed(word, at, AHEAD);
  return find(game, move).ok ? plain(move) : illegalWord(game, word, at, [move]);
}

function told(word: string, at: number): Miss | null {
  const [, from, to = ''] = TOLD.exec(word) ?? [];
  if (from === undefined) return null;
  const message = `${shown(word)} names the piece that the move will turn up, which cannot be known yet. Send ${from}${to}.`;
  return { ...miss(at, message), fault: 'faceDown' };
}

export const turnUpNotation: Notation = { hasVariations: false, forms: FORMS, read };
