/** A value that is already written as JSON. */
export class JsonText<T = unknown> {
  /** The type of the value; never set. */
  declare readonly value: T;
  /** What the text consists of, in order; buffers hold UTF-8. */
  readonly parts: readonly Part[];

  constructor(...parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** Long text that is sent often is kept as it is sent. */
type Part = string | Buffer;

/** A page whose items are written already, null for missing ones. */
export type PageOfTexts<Page extends { readonly items: readonly unknown[] }> = Omit<Page, 'items'> & {
  readonly items: readonly (JsonText<NonNullable<Page['items'][number]>> | (null & Page['items'][number]))[];
};

/** A page of which some items are written already. */
interface WrittenPage {
  readonly items: readonly unknown[];
}

const isWrittenPage = (value: object): value is WrittenPage =>
  'items' in value && Array.isArray(value.items) && value.items.some((item) => item instanceof JsonText);

/** The JSON of an answer, which may be a JsonText or a page of them. */
export const writeJson = (answer: unknown): Part => joined(partsOf(answer));

function partsOf(answer: unknown): readonly Part[] {
  if (answer instanceof JsonText) return answer.parts;
  if (typeof answer !== 'object' || answer === null || !isWrittenPage(answer))
    return [JSON.stringify(answer)];
  const { items, ...more } = answer;
  const rest = JSON.stringify(more).slice(1);
  const written = items.flatMap((item, i) => (i === 0 ? partsOf(item) : [',', ...partsOf(item)]));
  return ['{"items":[', ...written, rest === '}' ? ']}' : `],${rest}`];
}

function joined(parts: readonly Part[]): Part {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  const lengths = parts.map((part) => Buffer.byteLength(part));
  const whole = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length));
  let at = 0;
  for (const [i, part] of parts.entries()) {
    if (typeof part === 'string') whole.write(part, at);
    else whole.set(part, at);
    at += lengths[i]!;
  }
  return whole;
}
