import { find, position, type Game } from '../rules/play.js';
import type { AnyRuleset } from '../rules/registry.js';
import { accept, refuse, type Refusal, type Result } from '../rules/result.js';
import type { MoveFormat } from '../rules/ruleset.js';
import { ambiguous, illegalWord, legalTexts } from './candidates.js';
import { withHyphens } from './ending.js';
import { type Found, type Miss } from './fault.js';
import { shown } from '../rules/shown.js';
import { plain, type Notation, type WrittenPly } from './notation.js';
import { notationKind, notationOf, type NotationKind } from './notations.js';
import { sanNotation } from './san.js';
import { AHEAD, readAhead } from './turn-ups.js';
import { fromSquares, readSquares, readWxf } from './wxf.js';

/** Parses one move as people write it. An ambiguous one is not guessed. */

interface Reader {
  readonly read: Notation['read'];
  /** Examples of what it reads. */
  readonly forms: string;
}

/** Squares in lower case are always coordinates, legal or not; with face-down pieces a single one is a turn-up. */
const OWN = /^(?:[a-z][0-9]{1,2}){2}[a-z]?$/;
const OWN_FACE_DOWN = /^(?:(?:[a-z][0-9]{1,2}){1,2}|pass)$/;

/** Coordinates with a hyphen, and ICCS, which has capitals. */
const PARTED = /^[a-i](?:10|[0-9])-?[a-i](?:10|[0-9])$/;
const ICCS = /^[A-I][0-9]-?[A-I][0-9]$/;

const own: Reader = {
  forms: 'e2e4',
  read: (game, word, at) => (find(game, word).ok ? plain(word) : illegalWord(game, word, at, [word])),
};
const san: Reader = sanNotation;
const wxf: Reader = { forms: 'C2=5 or +R-2', read: readWxf };
const iccs: Reader = { forms: 'H2-E2', read: readSquares };
const ucci: Reader = { forms: 'h2e2', read: readSquares };
const ahead: Reader = { forms: AHEAD, read: readAhead };

/** The parsers for each way to write a move; the first is the stored one. */
const READERS: Readonly<Record<NotationKind, Readonly<Partial<Record<MoveFormat, Reader>>>>> = {
  san: { coordinates: own, san },
  xiangqi: { coordinates: own, wxf, iccs, ucci },
  turnUps: { coordinates: own, san: ahead },
};

/** The parsers for moves without a given format. */
const ANY: Readonly<Record<NotationKind, Reader>> = {
  san: { forms: `e2e4, ${san.forms}`, read: san.read },
  xiangqi: { forms: 'h3e3, C2=5, +R-2 or H2-E2', read: readXiangqi },
  turnUps: { forms: `c5, a1a2, ${AHEAD}`, read: readAhead },
};

function readXiangqi(game: Game<unknown>, word: string, at: number): Found<WrittenPly> {
  const text = word.replace(/[+#!?]{0,6}$/, '');
  if (PARTED.test(text)) return readOwn(game, text.replace('-', ''), at);
  if (ICCS.test(text)) return readSquares(game, text, at);
  return /^[\u3000-\uFFFF]/.test(word) ? readChinese(game, word, at) : readWxf(game, word, at);
}

function readOwn(game: Game<unknown>, word: string, at: number): Found<WrittenPly> {
  const read = own.read(game, word, at);
  return read.ok ? read : { ...read, message: read.message + ranksFromZero(game, word) };
}

/** Only exactly as the rules write it. */
function readChinese(game: Game<unknown>, word: string, at: number): Found<WrittenPly> {
  const here = position(game);
  const { ruleset } = game;
  const meant = legalTexts(game).filter(({ move }) =>
    ruleset.notations(here, move).some(({ name, text }) => name === 'chinese' && text === word),
  );
  const [one, another] = meant;
  if (one === undefined) return illegalWord(game, word, at, []);
  if (another === undefined) return plain(one.text);
  return ambiguous(word, at, meant.map(({ move, text }) => ({ text, san: ruleset.san(here, move, null) }))); // prettier-ignore
}

/** The ways to write a move in the games of a rule set. */
export const moveFormatsOf = (ruleset: AnyRuleset): readonly MoveFormat[] =>
  Object.keys(READERS[notationKind(ruleset)]) as MoveFormat[];

const readerOf = (kind: NotationKind, format: MoveFormat | null): Reader =>
  format === null ? ANY[kind] : READERS[kind][format]!;

/** True if the text is a move in coordinates, legal or not. */
export const isStored = ({ hidden }: AnyRuleset, text: string, format: MoveFormat | null): boolean =>
  format === 'coordinates' || (format === null && (hidden ? OWN_FACE_DOWN : OWN).test(text));

/**
 * The move that a text means, in coordinates; `format` is one of moveFormatsOf, null for any. Coordinates are
 * returned unchecked. Refused with ILLEGAL_MOVE, AMBIGUOUS_MOVE with candidates, or GAME_OVER. The answer does not
 * depend on what a move turns up: a text that names it is always refused.
 */
export function readMove(game: Game<unknown>, text: string, format: MoveFormat | null): Result<string> {
  if (isStored(game.ruleset, text, format)) return accept(text);
  if (game.outcome !== null) return refuse('GAME_OVER', 'move', 'The game is over.');
  const { read, forms } = readerOf(notationKind(game.ruleset), format);
  const move = read(game, withHyphens(text.replace(/\s+/g, '')), 0);
  return move.ok ? accept(move.value.move) : { ok: false, refusal: refusalOf(text, move, forms) };
}

function refusalOf(text: string, { message, fault, candidates }: Miss, forms: string): Refusal {
  if (candidates !== undefined) {
    const words = `${message} Send one of ${candidates.join(', ')}.`;
    return { code: 'AMBIGUOUS_MOVE', field: 'move', message: words, candidates };
  }
  const words = fault === 'malformed' ? `Expected a move, such as ${forms}; found ${shown(text)}.` : message;
  return { code: 'ILLEGAL_MOVE', field: 'move', message: words, fault: fault ?? 'cannotReach' };
}

/** The notation for a line of moves, in which face-down games name what was turned up. */
export function lineNotation(ruleset: AnyRuleset, format: MoveFormat | null): Notation {
  const kind = notationKind(ruleset);
  const usual = notationOf(kind);
  return kind === 'turnUps' ? usual : { ...usual, ...readerOf(kind, format) };
}

/** A hint to add to a refusal if the coordinates would be legal with ranks from 0, else empty. */
export function ranksFromZero(game: Game<unknown>, text: string): string {
  const move = notationKind(game.ruleset) === 'xiangqi' ? fromSquares(text) : null;
  if (move === null || !find(game, move).ok) return '';
  return ` If you count ranks from 0, as UCCI does, send ${move}, or set format to ucci.`;
}
