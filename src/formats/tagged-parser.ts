import type { Game, RecordedPly } from '../rules/play.js';
import { accept, type Result } from '../rules/result.js';
import { REASONS } from '../rules/ruleset.js';
import { parseReason, parseResult, type ResultToken, type ExpectedEnd } from './ending.js';
import { found, miss, refusalIn, UNPRINTABLE, type Found, type Miss, type Step } from './fault.js';
import { shown } from '../rules/shown.js';
import { headOf, isUnknown, openBy, rulesetOf, type Tags, type Expected } from './head.js';
import { Lexer, type Tag, type Token } from './lexer.js';
import { Line } from './line.js';
import type { Notation } from './notation.js';
import { notationKind, notationOf } from './notations.js';
import type { Opening } from './opening.js';
import { LIMITS, type ReadGame } from './score.js';
import { isReservedName } from './tags.js';
import { secondsIn } from './time-text.js';

/** Parses games of tags and moves: PGN, its Xiangqi variants, and the text format of face-down games. */

/** The result after the moves. */
interface SaidResult {
  readonly result: ResultToken;
  readonly at: number;
}

class TaggedReader {
  private readonly lexer: Lexer;
  private token: Token | Miss = { kind: 'end', at: 0 };

  constructor(text: string) {
    this.lexer = new Lexer(text);
    this.advance(true);
  }

  private advance(hasVariations: boolean): void {
    this.token = this.lexer.next(hasVariations);
  }

  /** The next game, or null after the last. */
  *next(wanted: Expected): Generator<Step, Found<ReadGame> | null> {
    yield* this.skipComments();
    const start = this.token;
    if ('ok' in start) return start;
    if (start.kind === 'end') return null;
    yield { next: 'game', at: start.at };
    const tags = yield* this.tags();
    if (!(tags instanceof Map)) return tags;
    const { token } = this;
    const isResult = tags.size === 0 && 'kind' in token && token.kind === 'word' && parseResult(token.text);
    if (isResult)
      return miss(token.at, `Expected a tag or a move; found the result ${token.text} without a game.`);
    return yield* this.game(tags, start.at, wanted);
  }

  private *skipComments(): Generator<Step, void> {
    while (!('ok' in this.token) && this.token.kind === 'comment') {
      yield { next: 'word', at: this.token.at };
      this.advance(true);
    }
  }

  private *tags(): Generator<Step, Map<string, Tag> | Miss> {
    const tags = new Map<string, Tag>();
    for (;;) {
      const { token } = this;
      if ('ok' in token) return token;
      if (token.kind !== 'tag') return tags;
      const fault = tagFault(tags, token);
      if (fault !== null) return fault;
      tags.set(token.name, token);
      this.advance(true);
      yield* this.skipComments();
    }
  }

  private *game(tags: Tags, start: number, wanted: Expected): Generator<Step, Found<ReadGame>> {
    const ruleset = rulesetOf(tags, wanted, start);
    if (!ruleset.ok) return ruleset;
    const opened = openBy(tags, ruleset.value, start);
    if (!opened.ok) return opened;
    const opening = opened.value;
    const line = new Line(opening.game);
    const said = yield* this.moves(line, notationOf(notationKind(opening.ruleset)));
    return 'ok' in said ? said : ended(line, tags, opening, said, wanted.end);
  }

  /** Plays a text with only moves and perhaps a result. Returns a fault or null. */
  line(line: Line, notation: Notation, most: number): Miss | null {
    const steps = this.moves(line, notation);
    for (;;) {
      const { value, done } = steps.next();
      if (done === true) return 'ok' in value ? value : this.rest();
      if (value.next === 'ply' && line.plies.length >= most) {
        return miss(value.at, `A line must have at most ${most} moves; this one has more.`, { limit: most });
      }
    }
  }

  private rest(): Miss | null {
    for (;;) {
      const { token } = this;
      if ('ok' in token) return token;
      if (token.kind === 'end') return null;
      if (token.kind === 'tag') return miss(token.at, 'Expected moves only; found a tag. Leave tags out.');
      if (token.kind === 'word')
        return miss(token.at, `Expected no more moves after the result; found ${shown(token.text)}.`);
      this.advance(true);
    }
  }

  /** Plays the moves up to the result or the next game. */
  private *moves(line: Line, { hasVariations, read }: Notation): Generator<Step, SaidResult | Miss> {
    if (!hasVariations && !('ok' in this.token)) this.again(this.token.at);
    for (;;) {
      const { token } = this;
      if ('ok' in token) return token;
      if (token.kind === 'end' || token.kind === 'tag') return { result: '*', at: token.at };
      const result = token.kind === 'word' ? parseResult(token.text) : null;
      if (result !== null) {
        this.advance(true);
        return { result, at: token.at };
      }
      const isPly = token.kind === 'word' && !isFiller(token.text);
      yield { next: isPly ? 'ply' : 'word', at: token.at };
      const fault = isPly ? playWord(line, read, token.text, token.at) : null;
      if (fault !== null) return fault;
      if (token.kind === 'comment') noteComment(line, token.text);
      this.advance(hasVariations);
    }
  }

  /** Reads a token again as part of a game without variations. */
  private again(at: number): void {
    this.lexer.back(at);
    this.advance(false);
  }
}

/** The number of tags that the format itself defines. */
const MOST_OWN = 26;
const TOO_MANY = `A game must have at most ${LIMITS.tags} tags beside those of the format; this one has more.`;

function tagFault(tags: Tags, { name, value, at, valueAt }: Tag): Miss | null {
  if (tags.has(name))
    return miss(at, `The tag ${shown(name)} is given a second time here. Leave one of them out.`);
  if (tags.size >= LIMITS.tags + MOST_OWN) return miss(at, TOO_MANY, { limit: LIMITS.tags });
  if (isReservedName(name)) return miss(at, `A tag cannot be named ${name}. Use another name.`);
  if (name.length > LIMITS.name)
    return miss(
      at,
      `The name of a tag must have at most ${LIMITS.name} characters; ${shown(name)} has ${name.length}.`,
      { max: LIMITS.name },
    );
  if (value.length <= LIMITS.value) return null;
  return miss(
    valueAt,
    `The value of a tag must have at most ${LIMITS.value} characters; this one has ${value.length}.`,
    { max: LIMITS.value },
  );
}

function noteComment(line: Line, comment: string): void {
  const [timeUsed, clock] = [secondsIn(comment, 'emt'), secondsIn(comment, 'clk')];
  if (timeUsed !== null) line.note({ timeUsed });
  if (clock !== null) line.note({ clock });
  if (comment.includes('[%auto 1]')) line.note({ automatic: true });
}

const SIGNS = '± ∓ ⩲ ⩱ ∞ □ = += =+ +- -+ +/- -/+ +/= =/+ e.p. ep'.split(' ');
/** Null moves, as programs write them in analysis. */
const NULL_MOVES = ['--', 'Z0'];

/** True for words between moves without meaning: `12.`, `12...`, `...`, `!?`, `e.p.`, `+-`. */
const isFiller = (word: string): boolean =>
  /^[0-9]{0,10}(?:\.{1,9}|…)$/.test(word) ||
  // A longer number is a move in ICCF notation, which must not vanish as a move number.
  /^[0-9]{1,3}$/.test(word) ||
  /^[!?]{1,4}$/.test(word) ||
  SIGNS.includes(word);

/** Plays a word, which may begin with a move number as in `12.e4` or `12...e5`. */
function playWord(line: Line, read: Notation['read'], word: string, at: number): Miss | null {
  const [number] = /^[0-9]{0,10}(?:\.{1,9}|…)/.exec(word) ?? [''];
  const text = word.slice(number.length);
  const place = at + number.length;
  if (line.present.outcome !== null) {
    const { reason } = line.present.outcome;
    return miss(place, `The game is over (${reason}): expected its result; found ${shown(text)}.`);
  }
  if (NULL_MOVES.includes(text)) {
    return miss(place, `${shown(text)} is a null move, which cannot be played in a game.`);
  }
  const ply = read(line.present, text, place);
  if (!ply.ok) return ply;
  const fault = line.play(ply.value.move, ply.value.reveals, place);
  const due = line.last?.san;
  if (fault !== null || ply.value.san === null || ply.value.san === due) return fault;
  return miss(place, `${shown(text)} must be ${due} by the rules.`);
}

/** The score, if the rules allow the stated end. */
function ended(
  line: Line,
  tags: Tags,
  opening: Opening,
  last: SaidResult,
  wanted: ExpectedEnd,
): Found<ReadGame> {
  const told = tags.get('Result');
  const result = resultSaid(told, last);
  if (!result.ok) return result;
  const reasonTag = tags.get('Reason');
  const reason = reasonTag === undefined ? null : parseReason(reasonTag.value);
  if (reasonTag !== undefined && reason === null) {
    return miss(
      reasonTag.valueAt,
      `The tag Reason must be one of ${REASONS.join(', ')}; got ${shown(reasonTag.value)}.`,
    );
  }
  const termination = tags.get('Termination')?.value ?? null;
  const ending = line.ending({ result: result.value, reason, termination }, wanted);
  if (ending.ok) {
    const head = headOf(tags, opening.ruleset, ending.outcome);
    const isMuch = Object.keys(head.tags).length > LIMITS.tags;
    return isMuch
      ? miss([...tags.values()].at(-1)!.at, TOO_MANY, { limit: LIMITS.tags })
      : line.read(opening, head, ending.outcome);
  }
  const at = ending.part === 'reason' ? (reasonTag?.valueAt ?? last.at) : last.result === '*' ? (told?.valueAt ?? last.at) : last.at; // prettier-ignore
  return miss(at, ending.message);
}

/** The result after the moves, or that of the tag if it is `*`. They must not contradict each other. */
function resultSaid(tag: Tag | undefined, last: SaidResult): Found<ResultToken> {
  const told = tag === undefined || isUnknown(tag.value) ? '*' : parseResult(tag.value);
  if (told === null) {
    return miss(tag!.valueAt, `Expected the result 1-0, 0-1, 1/2-1/2 or *; found ${shown(tag!.value)}.`);
  }
  if (last.result === '*' || told === '*') return found(last.result === '*' ? told : last.result);
  if (last.result === told) return found(told);
  return miss(last.at, `The result after the moves (${last.result}) differs from the tag Result (${told}).`);
}

/**
 * Parses a text of moves, such as `1. e4 e5 2. Nf3`, that continue a game. Refused with INVALID_GAME_TEXT, line and
 * column.
 */
export function pliesIn(
  game: Game<unknown>,
  text: string,
  notation: Notation,
  most: number,
): Result<readonly RecordedPly[]> {
  const unprintable = text.search(UNPRINTABLE);
  const line = new Line(game);
  const fault =
    unprintable < 0
      ? new TaggedReader(text).line(line, notation, most)
      : miss(unprintable, `${shown(text.charAt(unprintable))} cannot stand in a text.`);
  return fault === null ? accept(line.plies) : { ok: false, refusal: refusalIn(text, fault) };
}

/** The games of a text. Stops at the first fault. */
export function* taggedGames(text: string, wanted: Expected): Generator<Step | Found<ReadGame>> {
  const reader = new TaggedReader(text);
  for (;;) {
    const game = yield* reader.next(wanted);
    if (game === null) return;
    yield game;
    if (!game.ok) return;
  }
}
