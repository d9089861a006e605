import { applyDecorators, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { shown, shownWithGaps, type FieldType, type Model } from './model.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type Connection } from './page.js';
import { rangeInput } from './page.inputs.js';

/** Lists in REST, all in one form: the items of a page with the cursors of the neighbouring pages. */

const ITEMS = 'The items of this page, in the order of the list.';
const NEXT = 'The cursor of the next page, for `after`; null on the last page.';
const PREVIOUS = 'The cursor of the previous page, for `before` with `last`; null on the first page.';

/** Marks the routes of pages for `isPaginated`. */
const PAGES = 'pages';

/** The properties of a list. */
export const pageFields = <const K extends FieldType>(item: K) => ({
  items: shown([item], { description: ITEMS }),
  next: shown(String, { nullable: true, description: NEXT }),
});

/** A list with null in place of missing items. */
export const pageFieldsWithGaps = <const K extends Model>(item: K) => ({
  items: shownWithGaps(item, 'The items in the order asked for; null in the place of an unknown one.'),
  next: shown(String, { nullable: true, description: NEXT }),
});

/** The properties of a list that can be read from either end. */
export const pageFieldsBothWays = <const K extends FieldType>(item: K) => ({
  ...pageFields(item),
  previous: shown(String, { nullable: true, description: PREVIOUS }),
});

type NodeOf<C> = C extends Connection<infer Node> ? Node : never;
/** Further properties of a list, such as a count. */
type MoreOf<C> = Omit<C, 'edges' | 'pageInfo'>;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

interface PageBothWays<Item> extends Page<Item> {
  readonly previous: string | null;
}

/** A page in the form of REST. */
export function listPage<C extends Connection<unknown>>(connection: C): Page<NodeOf<C>> & MoreOf<C> {
  const { edges, pageInfo, ...more } = connection;
  const items = edges.map(({ node }) => node as NodeOf<C>);
  return { items, next: pageInfo.hasNextPage ? pageInfo.endCursor : null, ...more };
}

/** The same for a list that can be read from either end. */
export function listPageBothWays<C extends Connection<unknown>>(
  connection: C,
): PageBothWays<NodeOf<C>> & MoreOf<C> {
  const { hasPreviousPage, startCursor } = connection.pageInfo;
  return { ...listPage(connection), previous: hasPreviousPage ? startCursor : null };
}

/** A list with a single page. */
export const wholeList = <Item>(items: readonly Item[]): Page<Item> => ({ items, next: null });

/** The URL of the next page. */
function nextPage(address: URL, cursor: string): string {
  const query = new URLSearchParams(address.search);
  const { last } = Object.fromEntries(query);
  query.set('after', cursor);
  // `before` limits a walk from the start as well, but is the position of a walk from the end.
  if (last !== undefined) {
    query.set('first', last);
    query.delete('last');
    query.delete('before');
  }
  return `${address.pathname}?${query.toString()}`;
}

/** The URL of the previous page; `many` is the size of this one. */
function previousPage(address: URL, cursor: string, many: number): string {
  const query = new URLSearchParams(address.search);
  const { first, last } = Object.fromEntries(query);
  query.set('before', cursor);
  query.set('last', last ?? first ?? `${many}`);
  query.delete('first');
  if (last === undefined) query.delete('after');
  return `${address.pathname}?${query.toString()}`;
}

/** The Link header (RFC 8288) with the neighbouring pages; undefined if there are none. */
function linksOf(
  url: string,
  { items, next, previous = null }: Partial<PageBothWays<unknown>>,
): string | undefined {
  const address = new URL(url, 'http://localhost');
  const links = [
    ...(next == null ? [] : [`<${nextPage(address, next)}>; rel="next"`]),
    ...(previous === null ? [] : [`<${previousPage(address, previous, items!.length)}>; rel="prev"`]),
  ];
  return links.length === 0 ? undefined : links.join(', ');
}

/** Adds the Link header of a page to the answer. */
export function linked<P extends Partial<PageBothWays<unknown>>>(reply: FastifyReply, page: P): P {
  const links = linksOf(reply.request.url, page);
  if (links !== undefined) void reply.header('link', links);
  return page;
}

/** Whether the answers of this route are pages with links. */
export const isPaginated = ({ request }: FastifyReply): boolean => PAGES in request.routeOptions.config;

type Parameters = ReturnType<typeof rangeInput>;

/** A query parameter of a page, with the description that GraphQL shows as well. */
const parameter = (parameters: Parameters, name: keyof Parameters) =>
  ApiQuery({
    name,
    description: parameters[name].shown.description!,
    ...(name === 'first' || name === 'last'
      ? { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE }
      : { type: String }),
    required: false,
  });

/** The OpenAPI description of the Link header. */
export const LINK = {
  Link: {
    description: 'The addresses of the pages beside this one: `rel="next"`, `rel="prev"`.',
    schema: { type: 'string' as const },
  },
};

/** A route with a paginated list; `size` is the default page size. */
export const Paginated = (page: Type, size = DEFAULT_PAGE_SIZE): MethodDecorator =>
  applyDecorators(
    parameter(rangeInput(size), 'first'),
    parameter(rangeInput(size), 'after'),
    ApiOkResponse({ type: page, headers: LINK }),
    RouteConfig({ [PAGES]: true }),
  );

/** A route with a paginated list that can be read from either end. */
export const PaginatedBothWays = (page: Type, size = MAX_PAGE_SIZE): MethodDecorator =>
  applyDecorators(
    Paginated(page, size),
    parameter(rangeInput(size), 'last'),
    parameter(rangeInput(size), 'before'),
  );
