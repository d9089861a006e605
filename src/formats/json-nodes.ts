import { found, miss, type Found, type Miss } from './fault.js';
import { shown } from '../rules/shown.js';

/** Parses JSON into nodes with offsets, so that faults have a line and a column. */

export type Node = { readonly at: number } & (
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Node> }
);

/** The limits of a parser. */
export interface Limits {
  /** The subject of messages, such as `A game`. */
  readonly what: string;
  /** The deepest nesting, and the most values in all. */
  readonly depth: number;
  readonly values: number;
  /** The characters allowed between values. */
  readonly space: string;
}

const GAME: Limits = { what: 'A game', depth: 16, values: 20_000, space: ' \t\n\r\uFEFF' };

const NUMBER = /-?(?:0|[1-9][0-9]{0,20})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?/y;
const WORDS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

export class JsonReader {
  private at = 0;
  private values = 0;

  constructor(
    private readonly text: string,
    private readonly limits: Limits = GAME,
  ) {}

  /** The only value of the text. */
  whole(): Found<Node> {
    const value = this.next(0);
    return value.ok && !this.isDone ? this.expected('the end of the text') : value;
  }

  /** The games of the text, also those in lists. Stops at the first fault. */
  *games(): Generator<Found<Node>> {
    while (!this.isDone) {
      const isList = this.takes('[');
      if (isList && this.takes(']')) continue;
      do {
        this.values = 0;
        const game = this.next(isList ? 1 : 0);
        yield game;
        if (!game.ok) return;
      } while (isList && this.takes(','));
      if (!isList || this.takes(']')) continue;
      yield this.expected(', or ]');
      return;
    }
  }

  /** True if only space is left. */
  private get isDone(): boolean {
    this.skipSpace();
    return this.at >= this.text.length;
  }

  /** The next value of the text. */
  private next(depth: number): Found<Node> {
    this.skipSpace();
    const { text, at, limits } = this;
    const character = text.charAt(at);
    if (depth > limits.depth)
      return miss(at, `${limits.what} must not be nested more than ${limits.depth} levels deep.`, {
        max: limits.depth,
      });
    if (++this.values > limits.values)
      return miss(at, `${limits.what} must have at most ${limits.values} values in it.`, {
        limit: limits.values,
      });
    if (character === '{') return this.object(depth);
    if (character === '[') return this.list(depth);
    if (character === '"') {
      const value = this.string();
      return value.ok ? found({ kind: 'scalar', at, value: value.value }) : value;
    }
    const word = WORDS.find(([name]) => text.startsWith(name, at));
    if (word !== undefined) {
      this.at += word[0].length;
      return found({ kind: 'scalar', at, value: word[1] });
    }
    NUMBER.lastIndex = at;
    const [number] = NUMBER.exec(text) ?? [];
    if (number === undefined) return this.expected('a value');
    this.at += number.length;
    return found({ kind: 'scalar', at, value: Number(number) });
  }

  private skipSpace(): void {
    while (this.at < this.text.length && this.limits.space.includes(this.text.charAt(this.at))) this.at++;
  }

  private expected(what: string): Miss {
    const character = this.text.charAt(this.at);
    const rest = character === '' ? 'the end of the text' : shown(character);
    return miss(this.at, `Expected ${what}; found ${rest}.`);
  }

  /** Consumes this character if it is next. */
  private takes(character: string): boolean {
    this.skipSpace();
    const takes = this.text.charAt(this.at) === character;
    if (takes) this.at++;
    return takes;
  }

  private list(depth: number): Found<Node> {
    const at = this.at++;
    const items: Node[] = [];
    if (this.takes(']')) return found({ kind: 'list', at, items });
    for (;;) {
      const item = this.next(depth + 1);
      if (!item.ok) return item;
      items.push(item.value);
      if (this.takes(']')) return found({ kind: 'list', at, items });
      if (!this.takes(',')) return this.expected(', or ]');
    }
  }

  private object(depth: number): Found<Node> {
    const at = this.at++;
    const fields = new Map<string, Node>();
    if (this.takes('}')) return found({ kind: 'object', at, fields });
    for (;;) {
      this.skipSpace();
      const nameAt = this.at;
      if (this.text.charAt(nameAt) !== '"') return this.expected('the name of a field in quotes');
      const name = this.string();
      if (!name.ok) return name;
      if (fields.has(name.value)) {
        return miss(
          nameAt,
          `The field ${shown(name.value)} is given a second time here. Leave one of them out.`,
        );
      }
      if (!this.takes(':')) return this.expected(':');
      const value = this.next(depth + 1);
      if (!value.ok) return value;
      fields.set(name.value, value.value);
      if (this.takes('}')) return found({ kind: 'object', at, fields });
      if (!this.takes(',')) return this.expected(', or }');
    }
  }

  private string(): Found<string> {
    const { text } = this;
    const start = this.at++;
    while (this.at < text.length && text.charAt(this.at) !== '"') {
      this.at += text.charAt(this.at) === '\\' ? 2 : 1;
    }
    this.at++;
    try {
      return found(JSON.parse(text.slice(start, this.at)) as string);
    } catch {
      return miss(start, 'This text in quotes is not valid JSON: check its escapes and closing quote.');
    }
  }
}
