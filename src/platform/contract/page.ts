import { ObjectType } from '@nestjs/graphql';
import { validate } from 'uuid';
import type { ListCursors } from './cursors.js';
import { DomainError } from '../errors/errors.js';
import { model, shown } from './model.js';

/** Relay connections: pages by keyset cursors. */

export const MAX_PAGE_SIZE = 100;
/** The default page size of most lists; logs have longer pages. */
export const DEFAULT_PAGE_SIZE = 20;

@ObjectType({ description: 'The place of a page in its list.' })
export class PageInfo extends model({
  hasNextPage: shown(Boolean, {
    description:
      'True if more items follow this page. In a page read with `last`: true if `before` was given.',
  }),
  hasPreviousPage: shown(Boolean, {
    description:
      'True if more items precede this page. In a page read with `first`: true if `after` was given.',
  }),
  startCursor: shown(String, {
    nullable: true,
    description: 'The cursor of the first item, for `before`; null if the page is empty.',
  }),
  endCursor: shown(String, {
    nullable: true,
    description: 'The cursor of the last item, for `after`; null if the page is empty.',
  }),
}) {}

export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
}

/** The arguments of a page, before they are checked. */
export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** The size of a page, checked; throws BAD_INPUT. */
export function pageSize(asked: number | null | undefined, field: string, fallback: number): number {
  const size = asked ?? fallback;
  if (Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE) return size;
  const message = `${field} must be between 1 and ${MAX_PAGE_SIZE}; got ${size}.`;
  throw new DomainError('BAD_INPUT', message, { field, min: 1, max: MAX_PAGE_SIZE });
}

export const isUuid = (key: unknown): key is string => validate(key);

/** A range of a list by the keys of its rows. */
export interface Range<Key> {
  /** Both exclusive. */
  readonly after?: Key | undefined;
  readonly before?: Key | undefined;
  readonly limit: number;
  /** Counted from the end of the range; the rows still come in order. */
  readonly fromEnd: boolean;
}

/** A range of a list that is in memory, keyed by the index of each row. */
export function sliceOf<Row>(
  rows: readonly (readonly [place: number, row: Row])[],
  { after = -1, before = rows.length, limit, fromEnd }: Range<number>,
): readonly (readonly [place: number, row: Row])[] {
  const between = rows.slice(after + 1, before);
  return fromEnd ? between.slice(-limit) : between.slice(0, limit);
}

/** A list, and how its rows are shown. */
export interface List<Key, Row, Node> {
  readonly cursors: ListCursors<Key>;
  /** The default page size. */
  readonly size: number;
  readonly read: (range: Range<Key>) => Promise<readonly Row[]>;
  readonly key: (row: Row) => Key;
  readonly node: (row: Row) => Node | Promise<Node>;
}

/** A page of a list, from its end if `last` is given. Throws BAD_INPUT, INVALID_CURSOR. */
export async function pageOf<Key, Row, Node>(
  page: PageRequest,
  { cursors, size, read, key, node }: List<Key, Row, Node>,
): Promise<Connection<Node>> {
  const range = rangeOf(page, cursors, size);
  return connect(await read(range), range, (row) => cursors.make(key(row)), node);
}

/** The range to read for a page: one row more than the page, to know whether more follow. */
export function rangeOf<Key>(
  { first, last, after, before }: PageRequest,
  cursors: ListCursors<Key>,
  fallback: number,
): Range<Key> {
  if (first != null && last != null) {
    throw new DomainError('BAD_INPUT', 'last must not be used together with first. Remove one of them.', {
      field: 'last',
    });
  }
  const fromEnd = last != null;
  const size = fromEnd ? pageSize(last, 'last', fallback) : pageSize(first, 'first', fallback);
  return {
    after: cursors.read(after, 'after') ?? undefined,
    before: cursors.read(before, 'before') ?? undefined,
    limit: size + 1,
    fromEnd,
  };
}

/** The page of the rows that were read; the extra row is at the far end. */
export async function connect<Key, Row, Node>(
  rows: readonly Row[],
  { after, before, limit, fromEnd }: Range<Key>,
  cursor: (row: Row) => string,
  node: (row: Row) => Node | Promise<Node>,
): Promise<Connection<Node>> {
  const shown = fromEnd ? rows.slice(1 - limit) : rows.slice(0, limit - 1);
  const nodes = await Promise.all(shown.map(node));
  const more = rows.length >= limit;
  const cursorAt = (place: number) => () => {
    const row = shown.at(place);
    return row === undefined ? null : cursor(row);
  };
  return {
    edges: shown.map((row, place) => new LazyEdge(row, cursor, nodes[place]!)),
    pageInfo: new LazyPageInfo(
      fromEnd ? before !== undefined : more,
      fromEnd ? more : after !== undefined,
      cursorAt(0),
      cursorAt(-1),
    ),
  };
}

/** Makes its cursor when it is read: cursors are encrypted, and REST shows only those of the first and last row. */
export class LazyEdge<Row, Node> implements Edge<Node> {
  constructor(
    private readonly row: Row,
    private readonly makeCursor: (row: Row) => string,
    readonly node: Node,
  ) {}

  get cursor(): string {
    return this.makeCursor(this.row);
  }
}

/** Its cursors are made when they are read. */
export class LazyPageInfo implements PageInfo {
  constructor(
    readonly hasNextPage: boolean,
    readonly hasPreviousPage: boolean,
    private readonly start: () => string | null,
    private readonly end: () => string | null,
  ) {}

  get startCursor(): string | null {
    return this.start();
  }

  get endCursor(): string | null {
    return this.end();
  }
}
