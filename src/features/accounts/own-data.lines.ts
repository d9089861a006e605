import type { Connection } from '../../platform/contract/page.js';

/** The file of a user's data: lines of JSON, each with the name of its section. */

export const FORMAT = 'halfmove-own-data';
export const VERSION = 1;
export const MEDIA_TYPE = 'application/x-ndjson';

/** The sections, in their order in the file. */
export const LINE_KINDS = [
  'header',
  'profile',
  'newsSettings',
  'webhook',
  'session',
  'rating',
  'ratingPoint',
  'block',
  'vacation',
  'challenge',
  'notification',
  'import',
  'game',
  'end',
] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** A long line is sent in chunks of this many characters. */
const PIECE = 65_536;

export const lineOf = (kind: LineKind, data: unknown): string => `${JSON.stringify({ kind, data })}\n`;

/** A line in chunks: `data`, followed by lists that are read while they are written. The last chunk ends the line. */
export async function* longLine(
  kind: LineKind,
  data: object,
  lists: Readonly<Record<string, AsyncIterable<readonly unknown[]>>>,
): AsyncGenerator<string> {
  let piece = `{"kind":${JSON.stringify(kind)},"data":${JSON.stringify(data).slice(0, -1)}`;
  for (const [name, pages] of Object.entries(lists)) {
    let between = `,${JSON.stringify(name)}:[`;
    for await (const page of pages) {
      for (const item of page) {
        piece += between + JSON.stringify(item);
        between = ',';
      }
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    piece += between === ',' ? ']' : `${between}]`;
  }
  yield `${piece}}}\n`;
}

/** The pages of a connection, from `first` on if given, each read when the previous one is consumed. */
export async function* onwards<Node>(
  read: (after: string | null) => Promise<Connection<Node>>,
  first?: Connection<Node>,
): AsyncGenerator<readonly Node[]> {
  for (let page = first ?? (await read(null)); ; page = await read(page.pageInfo.endCursor)) {
    yield page.edges.map(({ node }) => node);
    if (!page.pageInfo.hasNextPage) return;
  }
}

/** The same for a list that continues after its last row, until a page is short. */
export async function* pagesOf<Row>(
  limit: number,
  read: (last: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let page: readonly Row[];
  for (let last: Row | null = null; ; last = page.at(-1)!) {
    page = await read(last, limit);
    yield page;
    if (page.length < limit) return;
  }
}

/** The same pages with each row converted; a page at a time, so that further reads are batched. */
export async function* shownAs<Row, Shown>(
  pages: AsyncIterable<readonly Row[]>,
  show: (row: Row) => Shown | Promise<Shown>,
): AsyncGenerator<readonly Shown[]> {
  for await (const page of pages) yield await Promise.all(page.map(show));
}
