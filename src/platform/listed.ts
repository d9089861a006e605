import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { tap, type Observable } from 'rxjs';
import { shown, shownWithGaps, type Kind, type Model } from './model.js';
import { MOST_ON_A_PAGE, type Connection } from './page.js';
import { RANGE } from './page.inputs.js';

/** Lists as REST answers them: all in one form, the items of a page with the cursors of those beside it. */

const ITEMS = 'The items of this page, in the order of the list.';
const NEXT = 'The cursor of the next page, for `after`; null on the last page.';
const PREVIOUS = 'The cursor of the previous page, for `before` with `last`; null on the first page.';

/** What a list has in the REST document. */
export const listed = <const K extends Kind>(item: K) => ({
  items: shown([item], { description: ITEMS }),
  next: shown(String, { nullable: true, description: NEXT }),
});

/** A list with null in the place of what is not there. */
export const listedWithGaps = <const K extends Model>(item: K) => ({
  items: shownWithGaps(item, 'The items in the order asked for; null in the place of an unknown one.'),
  next: shown(String, { nullable: true, description: NEXT }),
});

/** What a list has that is read from either end. */
export const listedBothWays = <const K extends Kind>(item: K) => ({
  ...listed(item),
  previous: shown(String, { nullable: true, description: PREVIOUS }),
});

type NodeOf<C> = C extends Connection<infer Node> ? Node : never;
/** What a list has beside its page, as a count. */
type MoreOf<C> = Omit<C, 'edges' | 'pageInfo'>;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

interface PageBothWays<Item> extends Page<Item> {
  readonly previous: string | null;
}

/** A page as REST answers it. */
export function listPage<C extends Connection<unknown>>(connection: C): Page<NodeOf<C>> & MoreOf<C> {
  const { edges, pageInfo, ...more } = connection;
  const items = edges.map(({ node }) => node as NodeOf<C>);
  return { items, next: pageInfo.hasNextPage ? pageInfo.endCursor : null, ...more };
}

/** The same of a list that is read from either end. */
export function listPageBothWays<C extends Connection<unknown>>(
  connection: C,
): PageBothWays<NodeOf<C>> & MoreOf<C> {
  const { hasPreviousPage, startCursor } = connection.pageInfo;
  return { ...listPage(connection), previous: hasPreviousPage ? startCursor : null };
}

/** A list that has one page. */
export const wholeList = <Item>(items: readonly Item[]): Page<Item> => ({ items, next: null });

/** The address of the page behind this one. */
function nextPage(address: URL, cursor: string): string {
  const query = new URLSearchParams(address.search);
  const { last } = Object.fromEntries(query);
  query.set('after', cursor);
  // A walk from the end has its own bound there; one from the start keeps it.
  if (last !== undefined) {
    query.set('first', last);
    query.delete('last');
    query.delete('before');
  }
  return `${address.pathname}?${query.toString()}`;
}

/** The address of the page before this one, which has so many items. */
function previousPage(address: URL, cursor: string, many: number): string {
  const query = new URLSearchParams(address.search);
  const { first, last } = Object.fromEntries(query);
  query.set('before', cursor);
  query.set('last', last ?? first ?? `${many}`);
  query.delete('first');
  if (last === undefined) query.delete('after');
  return `${address.pathname}?${query.toString()}`;
}

/** The addresses of the pages beside one, as RFC 8288 has them; undefined where there are none. */
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

/** The same page, of which the answer tells those beside it. */
export function linked<P extends Partial<PageBothWays<unknown>>>(reply: FastifyReply, page: P): P {
  const links = linksOf(reply.request.url, page);
  if (links !== undefined) void reply.header('link', links);
  return page;
}

@Injectable()
class PageLinks implements NestInterceptor<PageBothWays<unknown>> {
  intercept(context: ExecutionContext, next: CallHandler<PageBothWays<unknown>>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(tap((page) => linked(reply, page)));
  }
}

const size = (name: 'first' | 'last') =>
  ApiQuery({ name, ...told(name), type: 'integer', minimum: 1, maximum: MOST_ON_A_PAGE, required: false });
const cursor = (name: 'after' | 'before') => ApiQuery({ name, ...told(name), type: String, required: false });
const told = (name: keyof typeof RANGE) => ({ description: RANGE[name].shown.description! });
/** What OpenAPI says of an answer that is linked. */
export const LINK = {
  Link: {
    description: 'The addresses of the pages beside this one: `rel="next"`, `rel="prev"`.',
    schema: { type: 'string' as const },
  },
};

/** A route that answers a list page by page. */
export const Lists = (page: Type): MethodDecorator =>
  applyDecorators(
    size('first'),
    cursor('after'),
    ApiOkResponse({ type: page, headers: LINK }),
    UseInterceptors(PageLinks),
  );

/** A route that answers a list page by page, from either end. */
export const ListsBothWays = (page: Type): MethodDecorator =>
  applyDecorators(Lists(page), size('last'), cursor('before'));
