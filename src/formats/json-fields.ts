import { shown } from '../rules/shown.js';
import { miss, UNPRINTABLE, type Miss } from './fault.js';
import { isUnknown } from './head.js';
import type { Node } from './json-nodes.js';
import { LIMITS } from './score.js';

/** Parses the fields of JSON objects and keeps the first fault. */

/** The faults of a document, shared by the parsers of its objects. */
export class Faults {
  first: Miss | null = null;

  add(at: number, message: string): void {
    this.first ??= miss(at, message);
  }
}

export class Fields {
  private readonly fields: ReadonlyMap<string, Node>;

  constructor(
    private readonly node: Node,
    what: string,
    names: readonly string[] | null,
    private readonly faults: Faults,
  ) {
    this.fields = node.kind === 'object' ? node.fields : new Map();
    if (node.kind !== 'object') faults.add(node.at, `${what} must be an object.`);
    for (const [name, { at }] of this.fields) {
      if (names !== null && !names.includes(name)) {
        faults.add(at, `${what} must not have a field ${shown(name)}. Leave it out.`);
      }
    }
  }

  /** The offset of a field, or of the object. */
  at(name: string): number {
    return this.fields.get(name)?.at ?? this.node.at;
  }

  get names(): readonly string[] {
    return [...this.fields.keys()];
  }

  /** A field that is missing is null. */
  text(name: string): string | null {
    const value = this.scalar(name, 'a text');
    if (value === null) return null;
    const fits = typeof value === 'string' && value.length <= LIMITS.value && !UNPRINTABLE.test(value);
    return fits ? value : this.wrong(name, `a text of at most ${LIMITS.value} printable characters`);
  }

  /** A known text: `?`, as tags write it, is null too. */
  known(name: string): string | null {
    const text = this.text(name);
    return text === null || isUnknown(text) ? null : text;
  }

  whole(name: string): number | null {
    const value = this.scalar(name, 'a whole number');
    if (value === null) return null;
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LIMITS.whole;
    return fits ? value : this.wrong(name, `a whole number from 0 to ${LIMITS.whole}`);
  }

  number(name: string): number | null {
    const value = this.scalar(name, 'a number');
    if (value === null) return null;
    const fits = typeof value === 'number' && Math.abs(value) <= LIMITS.whole;
    return fits ? value : this.wrong(name, `a number from -${LIMITS.whole} to ${LIMITS.whole}`);
  }

  flag(name: string): boolean | null {
    const value = this.scalar(name, 'true or false');
    return value === null || typeof value === 'boolean' ? value : this.wrong(name, 'true or false');
  }

  /** Text, number, true, false or null. */
  scalar(name: string, wanted: string): string | number | boolean | null {
    const node = this.fields.get(name);
    if (node === undefined) return null;
    return node.kind === 'scalar' ? node.value : this.wrong(name, wanted);
  }

  isScalar(name: string): boolean {
    return this.fields.get(name)?.kind === 'scalar';
  }

  list(name: string): readonly Node[] {
    const node = this.fields.get(name);
    if (node?.kind === 'list') return node.items;
    this.wrong(name, 'a list');
    return [];
  }

  /** The object in a field; null where it is missing or null. */
  object(name: string, names: readonly string[] | null): Fields | null {
    const node = this.fields.get(name);
    if (node === undefined || (node.kind === 'scalar' && node.value === null)) return null;
    return new Fields(node, `${JSON.stringify(name)}`, names, this.faults);
  }

  private given(name: string): string {
    const node = this.fields.get(name);
    if (node?.kind === 'scalar') return shown(node.value);
    return node === undefined ? 'nothing' : `a${node.kind === 'object' ? 'n' : ''} ${node.kind}`;
  }

  wrong(name: string, wanted: string): null {
    this.faults.add(this.at(name), `${JSON.stringify(name)} must be ${wanted}; got ${this.given(name)}.`);
    return null;
  }
}
