import { find } from '../rules/play.js';
import type { StatedEnd } from './ending.js';
import { found, miss, refused, type Found, type Miss, type Step } from './fault.js';
import { shown } from '../rules/shown.js';
import { normalizedFen, type Expected } from './head.js';
import { Line } from './line.js';
import { illegalWord } from './candidates.js';
import { open, type Opening } from './opening.js';
import { LIMITS, NO_HEAD, type ReadGame, type Score } from './score.js';
import { fromSquares, ucciText } from './wxf.js';

/** Xiangqi games as engines read them, one per line: `position startpos moves h2e2 h9g7`. */

/** The default rule set: that of clubs and engines. */
const USUAL = 'xiangqi-tournament';

export function writeUcci({ start, plies }: Score): string {
  const from = start === null ? 'startpos' : `fen ${start}`;
  const moves = plies.length === 0 ? [] : ['moves', ...plies.map(({ move }) => ucciText(move))];
  return `${['position', from, ...moves].join(' ')}\n`;
}

/** A UCCI line has no result. */
const NO_END: StatedEnd = { result: '*', reason: null, termination: null };

interface Word {
  readonly text: string;
  readonly at: number;
}

/** Enough words to contain the first ply over the limit. */
const MOST_WORDS = LIMITS.plies + 100;

function wordsOf(line: string, start: number): readonly Word[] {
  const words: Word[] = [];
  for (const match of line.matchAll(/[^ \t\uFEFF]+/g)) {
    words.push({ text: match[0], at: start + match.index });
    if (words.length >= MOST_WORDS) break;
  }
  return words;
}

/** The games of a text. Stops at the first fault; skips empty lines. */
export function* ucciGames(text: string, wanted: Expected): Generator<Step | Found<ReadGame>> {
  for (let start = 0; start <= text.length;) {
    const end = lineEnd(text, start);
    const words = wordsOf(text.slice(start, end), start);
    if (words.length > 0) {
      yield { next: 'game', at: words[0]!.at };
      const game = yield* readLine(words, wanted, end);
      yield game;
      if (!game.ok) return;
    }
    start = end + 1;
  }
}

function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charAt(end) !== '\n' && text.charAt(end) !== '\r') end++;
  return end;
}

function* readLine(words: readonly Word[], wanted: Expected, end: number): Generator<Step, Found<ReadGame>> {
  const rest = words[0]!.text === 'position' ? words.slice(1) : words;
  const movesAt = rest.findIndex(({ text }) => text === 'moves');
  const from = movesAt < 0 ? rest : rest.slice(0, movesAt);
  const opened = readOpening(from, wanted.ruleset ?? USUAL, rest[0]?.at ?? end);
  if (!opened.ok) return opened;
  const line = new Line(opened.value.game);
  for (const word of movesAt < 0 ? [] : rest.slice(movesAt + 1)) {
    yield { next: 'ply', at: word.at };
    const fault = playSquares(line, word);
    if (fault !== null) return fault;
  }
  const ending = line.ending(NO_END, wanted.end);
  return ending.ok ? line.read(opened.value, NO_HEAD, ending.outcome) : miss(end, ending.message);
}

function readOpening([kind, ...rest]: readonly Word[], ruleset: string, at: number): Found<Opening> {
  const isStart = kind?.text === 'startpos';
  if (kind === undefined || (!isStart && kind.text !== 'fen')) {
    return miss(at, `Expected startpos or fen; found ${shown(kind?.text)}.`);
  }
  if (isStart && rest.length > 0) {
    return miss(rest[0]!.at, `Expected moves; found ${shown(rest[0]!.text)}.`);
  }
  const start = isStart ? null : normalizedFen(rest.map(({ text }) => text).join(' '), ruleset);
  const opened = open({ ruleset, options: {}, setup: null, start, faceDown: null });
  return opened.ok ? found(opened.value) : refused(rest[0]?.at ?? kind.at, opened.refusal);
}

function playSquares(line: Line, { text, at }: Word): Miss | null {
  const { present } = line;
  if (present.outcome !== null) {
    return miss(
      at,
      `The game is over (${present.outcome.reason}): expected no more moves; found ${shown(text)}.`,
    );
  }
  const move = fromSquares(text);
  if (move === null || text.length !== 4) {
    return miss(at, `Expected a move such as h2e2; found ${shown(text)}.`);
  }
  return find(present, move).ok ? line.play(move, null, at) : illegalWord(present, text, at, [move]);
}
