import type { Outcome } from '../rules/ruleset.js';
import { parseReason, parseResult, terminationOf, type ResultToken } from './ending.js';
import { found, miss, shown, type Found, type Miss } from './fault.js';
import { headOf, openBy, rulesetOf, type Tags, type Wanted } from './head.js';
import { Lexer, type Tag, type Token } from './lexer.js';
import { Line } from './line.js';
import type { Notation } from './notation.js';
import { notationKind, notationOf } from './notations.js';
import type { Opening } from './opening.js';
import { LIMITS, type Head, type Score } from './score.js';
import { clockIn } from './time-text.js';

/** Reads games of tags and moves: PGN, its Xiangqi sister, and our text of face-down games. */

/** A result where the moves end. */
interface SaidResult {
  readonly result: ResultToken;
  readonly at: number;
}

class TaggedReader {
  private readonly lexer: Lexer;
  private token: Token | Miss = { kind: 'end', at: 0 };

  constructor(
    text: string,
    private readonly wanted: Wanted,
  ) {
    this.lexer = new Lexer(text);
    this.advance(true);
  }

  private advance(hasVariations: boolean): void {
    this.token = this.lexer.next(hasVariations);
  }

  /** The next game, null behind the last one. */
  next(): Found<Score> | null {
    this.skipComments();
    const start = this.token;
    if ('ok' in start) return start;
    if (start.kind === 'end') return null;
    const tags = this.tags();
    if (tags instanceof Map) return this.game(tags, start.at);
    return tags;
  }

  private skipComments(): void {
    while (!('ok' in this.token) && this.token.kind === 'comment') this.advance(true);
  }

  private tags(): Map<string, Tag> | Miss {
    const tags = new Map<string, Tag>();
    for (;;) {
      const { token } = this;
      if ('ok' in token) return token;
      if (token.kind !== 'tag') return tags;
      const fault = tagFault(tags, token);
      if (fault !== null) return fault;
      tags.set(token.name, token);
      this.advance(true);
      this.skipComments();
    }
  }

  private game(tags: Tags, start: number): Found<Score> {
    const ruleset = rulesetOf(tags, this.wanted, start);
    if (!ruleset.ok) return ruleset;
    const opened = openBy(tags, ruleset.value, start);
    if (!opened.ok) return opened;
    const opening = opened.value;
    const line = new Line(opening);
    const said = this.moves(line, notationOf(notationKind(opening.ruleset)));
    return 'ok' in said ? said : ended(line, tags, opening, said);
  }

  /** Plays the moves up to the result, or to where the next game begins. */
  private moves(line: Line, { hasVariations, read }: Notation): SaidResult | Miss {
    if (!hasVariations && !('ok' in this.token)) this.again(this.token.at);
    for (;;) {
      const { token } = this;
      if ('ok' in token) return token;
      if (token.kind === 'end' || token.kind === 'tag') return { result: '*', at: token.at };
      if (token.kind === 'comment') noteComment(line, token.text);
      else {
        const result = parseResult(token.text);
        if (result !== null) {
          this.advance(true);
          return { result, at: token.at };
        }
        const fault = playWord(line, read, token.text, token.at);
        if (fault !== null) return fault;
      }
      this.advance(hasVariations);
    }
  }

  /** Reads a part again, as one of a game without variations. */
  private again(at: number): void {
    this.lexer.back(at);
    this.advance(false);
  }
}

function tagFault(tags: Tags, { name, value, at, valueAt }: Tag): Miss | null {
  if (tags.has(name)) return miss(at, `The tag ${shown(name)} stands here for the second time.`);
  if (tags.size >= LIMITS.tags) return miss(at, `A game has at most ${LIMITS.tags} tags.`);
  if (name.length > LIMITS.name) return miss(at, `The name of a tag has at most ${LIMITS.name} characters.`);
  if (value.length <= LIMITS.value) return null;
  return miss(valueAt, `The value of a tag has at most ${LIMITS.value} characters.`);
}

function noteComment(line: Line, comment: string): void {
  const clock = clockIn(comment);
  if (clock !== null) line.note({ clock });
  if (comment.includes('[%auto 1]')) line.note({ automatic: true });
}

/** Words between moves that say nothing: `12.`, `12...`, `...`, `!?`, `e.p.`. */
const isFiller = (word: string): boolean =>
  /^[0-9]{0,9}\.{1,9}$/.test(word) ||
  /^[0-9]{1,9}$/.test(word) ||
  /^[!?]{1,4}$/.test(word) ||
  word === 'e.p.';

/** Plays what a word says behind its number, as in `12.e4` or `12...e5`. */
function playWord(line: Line, read: Notation['read'], word: string, at: number): Miss | null {
  if (isFiller(word)) return null;
  const [number] = /^[0-9]{1,9}\.{1,9}/.exec(word) ?? [''];
  const text = word.slice(number.length);
  const place = at + number.length;
  if (line.present.outcome !== null) {
    const { reason } = line.present.outcome;
    return miss(place, `The game is over by ${reason}: expected its result, found ${shown(text)}.`);
  }
  const ply = read(line.present, text, place);
  if (!ply.ok) return ply;
  const fault = line.play(ply.value.move, ply.value.reveals, place);
  const due = line.last?.san;
  if (fault !== null || ply.value.san === null || ply.value.san === due) return fault;
  return miss(place, `${shown(text)} is ${due} by the rules.`);
}

/** The score, if the end that the text says is one that the rules allow. */
function ended(line: Line, tags: Tags, opening: Opening, last: SaidResult): Found<Score> {
  const told = tags.get('Result');
  const result = resultSaid(told, last);
  if (!result.ok) return result;
  const reasonTag = tags.get('Reason');
  const reason = reasonTag === undefined ? null : parseReason(reasonTag.value);
  if (reasonTag !== undefined && reason === null) {
    return miss(reasonTag.valueAt, `There is no reason ${shown(reasonTag.value)} for an end.`);
  }
  const termination = tags.get('Termination')?.value ?? null;
  const ending = line.ending({ result: result.value, reason, termination });
  if (ending.ok) return line.score(withoutUsual(headOf(tags, opening), ending.outcome), ending.outcome);
  const at = ending.part === 'reason' ? (reasonTag?.valueAt ?? last.at) : last.result === '*' ? (told?.valueAt ?? last.at) : last.at; // prettier-ignore
  return miss(at, ending.message);
}

/** The Termination tag is kept only where it says something of its own. */
function withoutUsual(head: Head, outcome: Outcome | null): Head {
  const { Termination: said, ...tags } = head.tags;
  return said === undefined || said === terminationOf(outcome) ? { ...head, tags } : head;
}

/** The result behind the moves, or of the tag where that is `*`; they may not contradict each other. */
function resultSaid(tag: Tag | undefined, last: SaidResult): Found<ResultToken> {
  const told = tag === undefined || tag.value === '?' || tag.value === '' ? '*' : parseResult(tag.value);
  if (told === null) {
    return miss(tag!.valueAt, `Expected the result 1-0, 0-1, 1/2-1/2 or *, found ${shown(tag!.value)}.`);
  }
  if (last.result === '*' || told === '*') return found(last.result === '*' ? told : last.result);
  if (last.result === told) return found(told);
  return miss(last.at, `The result here is ${last.result}, that of the tag Result is ${told}.`);
}

/** The games of a text, one by one; the first that is broken is the last. */
export function* taggedGames(text: string, wanted: Wanted): Generator<Found<Score>> {
  const reader = new TaggedReader(text, wanted);
  for (let game = reader.next(); game !== null; game = reader.next()) {
    yield game;
    if (!game.ok) return;
  }
}
