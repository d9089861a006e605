import { ObjectType } from '@nestjs/graphql';
import { validate } from 'uuid';
import { DomainError } from './errors.js';
import { model, shown } from './model.js';

/** Relay connections: pages by keyset cursors. */

export const MOST_ON_A_PAGE = 100;

@ObjectType({ description: 'Where a page lies in its list (Relay).' })
export class PageInfo extends model({
  hasNextPage: shown(Boolean),
  hasPreviousPage: shown(Boolean),
  startCursor: shown(String, { nullable: true }),
  endCursor: shown(String, { nullable: true }),
}) {}

export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
}

/** The arguments of a page as they come in. */
export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** The size of a page, checked; throws BAD_INPUT. */
export function pageSize(asked: number | null | undefined, field: string, fallback: number): number {
  const size = asked ?? fallback;
  if (Number.isInteger(size) && size >= 1 && size <= MOST_ON_A_PAGE) return size;
  throw new DomainError('BAD_INPUT', `${field} is a whole number from 1 to ${MOST_ON_A_PAGE}.`, { field });
}

export const isUuid = (key: unknown): key is string => validate(key);

/**
 * A page of a list that goes one way: `rows` are up to `size + 1` rows behind the cursor, and the extra one tells
 * that there are more.
 */
export function forwardPage<Row, Node>(
  rows: readonly Row[],
  size: number,
  behindCursor: boolean,
  cursor: (row: Row) => string,
  node: (row: Row) => Node,
): Connection<Node> {
  const edges = rows.slice(0, size).map((row) => ({ cursor: cursor(row), node: node(row) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: rows.length > size,
      hasPreviousPage: behindCursor,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** A range of a list that is read from either end; throws BAD_INPUT. */
export function rangeSize(
  { first, last }: PageRequest,
  fallback: number,
): { size: number; fromEnd: boolean } {
  if (first != null && last != null) {
    throw new DomainError('BAD_INPUT', 'Give first or last, not both.', { field: 'last' });
  }
  const fromEnd = last != null;
  return { size: fromEnd ? pageSize(last, 'last', fallback) : pageSize(first, 'first', fallback), fromEnd };
}

/** As forwardPage, for a list that is read from either end: the extra row lies at the far end of `rows`. */
export function rangePage<Row, Node>(
  rows: readonly Row[],
  { after, before, ...ends }: PageRequest,
  fallback: number,
  cursor: (row: Row) => string,
  node: (row: Row) => Node,
): Connection<Node> {
  const { size, fromEnd } = rangeSize(ends, fallback);
  const shown = fromEnd ? rows.slice(-size) : rows.slice(0, size);
  const edges = shown.map((row) => ({ cursor: cursor(row), node: node(row) }));
  const more = rows.length > size;
  return {
    edges,
    pageInfo: {
      hasNextPage: fromEnd ? before != null : more,
      hasPreviousPage: fromEnd ? more : after != null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
