import { miss, type Miss } from './fault.js';
import { shown } from '../rules/shown.js';

/** The tokens of a text of tags and moves, as in PGN, in one pass. */

export interface Tag {
  readonly kind: 'tag';
  readonly name: string;
  readonly value: string;
  readonly at: number;
  readonly valueAt: number;
}

export type Token =
  | Tag
  | { readonly kind: 'word'; readonly text: string; readonly at: number }
  | { readonly kind: 'comment'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly at: number };

const SPACE = new Set(' \t\n\r\v\f\uFEFF\u00A0');
const LINE_END = new Set('\n\r');
const NAME = /^[A-Za-z0-9_]$/;

export class Lexer {
  private at = 0;

  constructor(private readonly text: string) {}

  /**
   * The next token. Skips evaluations (`$1`), lines escaped by `%` and, unless parentheses belong to the moves,
   * variations.
   */
  next(hasVariations: boolean): Token | Miss {
    const { text } = this;
    for (;;) {
      this.skipSpace();
      const at = this.at;
      if (at >= text.length) return { kind: 'end', at };
      const character = text.charAt(at);
      if (character === '[') return this.tag();
      if (character === '{' || character === ';') return this.comment();
      if (character === '}') return miss(at, 'This } has no { before it.');
      if (character === '$') this.skipEvaluation();
      else if (hasVariations && character === ')') return miss(at, 'This ) has no ( before it.');
      else if (hasVariations && character === '(') {
        const fault = this.skipVariation();
        if (fault !== null) return fault;
      } else return this.word(hasVariations ? '{};[]()$' : '{};[]$');
    }
  }

  /** Goes back to the token at this offset. */
  back(at: number): void {
    this.at = at;
  }

  private skipSpace(): void {
    const { text } = this;
    for (;;) {
      while (SPACE.has(text.charAt(this.at))) this.at++;
      const isEscape = text.charAt(this.at) === '%' && this.startsLine();
      if (!isEscape) return;
      this.toLineEnd();
    }
  }

  private startsLine(): boolean {
    const before = this.text.charAt(this.at - 1);
    return this.at === 0 || LINE_END.has(before) || (this.at === 1 && before === '\uFEFF');
  }

  private toLineEnd(): void {
    while (this.at < this.text.length && !LINE_END.has(this.text.charAt(this.at))) this.at++;
  }

  private skipEvaluation(): void {
    this.at++;
    while (/^[0-9]$/.test(this.text.charAt(this.at))) this.at++;
  }

  private comment(): Token | Miss {
    const at = this.at;
    if (this.text.charAt(at) === ';') {
      this.toLineEnd();
      return { kind: 'comment', text: this.text.slice(at + 1, this.at), at };
    }
    const end = this.text.indexOf('}', at);
    if (end < 0) return miss(at, 'This comment has no } at its end.');
    this.at = end + 1;
    return { kind: 'comment', text: this.text.slice(at + 1, end), at };
  }

  /** Skips a variation with its contents. Returns a fault or null. */
  private skipVariation(): Miss | null {
    const start = this.at;
    let depth = 0;
    while (this.at < this.text.length) {
      const character = this.text.charAt(this.at);
      if (character === '{' || character === ';') {
        const comment = this.comment();
        if ('ok' in comment) return comment;
        continue;
      }
      this.at++;
      if (character === '(') depth++;
      if (character === ')' && --depth === 0) return null;
    }
    return miss(start, 'This variation has no ) at its end.');
  }

  private word(ends: string): Token | Miss {
    const { text, at } = this;
    for (;;) {
      while (
        this.at < text.length &&
        !SPACE.has(text.charAt(this.at)) &&
        !ends.includes(text.charAt(this.at))
      )
        this.at++;
      if (this.at === at || !this.promotes()) break;
      this.at += 3;
    }
    if (this.at > at) return { kind: 'word', text: text.slice(at, this.at), at };
    return miss(at, `Expected a move, a result or a tag; found ${shown(text.charAt(at))}.`);
  }

  /** True if `(Q)` follows a square directly: a promotion rather than a variation. */
  private promotes(): boolean {
    return /^[0-9]\([QRBN]\)$/.test(this.text.slice(this.at - 1, this.at + 3));
  }

  private tag(): Token | Miss {
    const { text, at } = this;
    this.at++;
    this.skipBlanks();
    const nameAt = this.at;
    while (NAME.test(text.charAt(this.at))) this.at++;
    const name = text.slice(nameAt, this.at);
    if (name === '') return this.expected('the name of a tag, of letters, digits and _');
    this.skipBlanks();
    if (text.charAt(this.at) !== '"') return this.expected(`the value of the tag ${shown(name)} in quotes`);
    const valueAt = this.at;
    const value = this.quoted();
    if (typeof value !== 'string') return value;
    this.skipBlanks();
    if (text.charAt(this.at) !== ']') return this.expected(`] at the end of the tag ${shown(name)}`);
    this.at++;
    return { kind: 'tag', name, value, at, valueAt };
  }

  private skipBlanks(): void {
    while (' \t'.includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at++;
  }

  private expected(what: string): Miss {
    const character = this.text.charAt(this.at);
    const rest = LINE_END.has(character) ? 'the end of the line' : shown(character);
    return miss(this.at, `Expected ${what}; found ${character === '' ? 'the end of the text' : rest}.`);
  }

  /** A quoted value: `\"` is a quote and `\\` a backslash; any other backslash is literal. */
  private quoted(): string | Miss {
    const { text } = this;
    const start = this.at++;
    const parts: string[] = [];
    let from = this.at;
    for (;;) {
      const character = text.charAt(this.at);
      if (character === '' || LINE_END.has(character)) {
        return miss(start, 'This value has no " at its end: a value must end on the line where it begins.');
      }
      if (character === '"') break;
      const escapes = character === '\\' && '"\\'.includes(text.charAt(this.at + 1) || ' ');
      if (escapes) {
        parts.push(text.slice(from, this.at));
        from = ++this.at;
      }
      this.at++;
    }
    parts.push(text.slice(from, this.at++));
    return parts.join('');
  }
}
