/** A value that is already written as JSON. */
export class JsonText<T = unknown> {
  /** The type of the value; never set. */
  declare readonly value: T;

  constructor(readonly text: string) {}
}

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
export function writeJson(answer: unknown): string {
  if (answer instanceof JsonText) return answer.text;
  if (typeof answer !== 'object' || answer === null || !isWrittenPage(answer)) return JSON.stringify(answer);
  const { items, ...more } = answer;
  const rest = JSON.stringify(more).slice(1);
  return `{"items":[${items.map(writeJson).join()}]${rest === '}' ? '' : ','}${rest}`;
}
