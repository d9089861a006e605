import request from 'supertest';
import type { Http } from './accounts.js';
import { GAME, PAGE } from './documents.js';
import type { Answer, Body, Refusal } from './play.js';
import type { Game } from './shown.js';

/** What is asked of the history, over both transports. */

export interface Found {
  readonly games: readonly Game[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount?: number;
  readonly totalCountCapped?: boolean;
}

export interface PageOf {
  readonly first?: number;
  readonly after?: string | null;
  readonly last?: number;
  readonly before?: string | null;
}

export interface Tally {
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
}

export interface History {
  search(filter: Body, order?: Body, page?: Body, counted?: boolean): Promise<Answer<Found>>;
  statistics(username: string, ruleset?: string): Promise<Answer<Readonly<Record<string, unknown>>>>;
  opponents(
    username: string,
    first?: number,
  ): Promise<Answer<readonly (Tally & { opponent: { username: string } })[]>>;
  headToHead(
    a: string,
    b: string,
    more?: Body,
  ): Promise<
    Answer<{
      readonly all: Tally;
      readonly byRuleset: readonly unknown[];
      readonly lastGames: readonly Game[];
    }>
  >;
}

const refusedBy = (answer: Refusal & { detail?: string }, text: string): Answer<never> => ({
  data: undefined as never,
  refusal: { code: answer.code, ...(answer.field === undefined ? {} : { field: answer.field }) },
  message: answer.detail ?? '',
  text,
});

export function restHistory(http: Http): History {
  const get = async <T>(path: string, query: Body): Promise<Answer<T>> => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const texts = given.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : value]); // prettier-ignore
    const { status, body, text } = await request(http).get(`/v1/${path}`).query(Object.fromEntries(texts));
    return status < 400 ? { data: body as T, text } : refusedBy(body as Refusal, text);
  };
  return {
    search: (filter, { by: orderBy, direction } = {}, page = {}, totalCount) =>
      get('games/search', { ...filter, orderBy, direction, ...page, totalCount }),
    statistics: (username, ruleset) => get(`users/${username}/statistics`, { ruleset }),
    opponents: (username, first) => get(`users/${username}/opponents`, { first }),
    headToHead: (a, b, more = {}) => get(`users/${a}/against/${b}`, more),
  };
}

const TALLY = 'games wins draws losses';

export function graphqlHistory(http: Http): History {
  const call = async <T>(
    query: string,
    variables: Body,
    read = (data: never): unknown => data,
  ): Promise<Answer<T>> => {
    const { body, text } = await request(http).post('/graphql').send({ query, variables });
    const { data, errors } = body as {
      data?: Body;
      errors?: readonly { extensions: Refusal; message: string }[];
    };
    if (errors !== undefined)
      return refusedBy({ ...errors[0]!.extensions, detail: errors[0]!.message }, text);
    return { data: read(Object.values(data!)[0] as never) as T, text };
  };
  const gamesOf = ({ edges, ...more }: { readonly edges: readonly { readonly node: Game }[] }) => ({
    games: edges.map(({ node }) => node),
    ...more,
  });
  return {
    search: (filter, orderBy, page, counted = false) =>
      call(
        `query ($filter: GamesFilter, $orderBy: GamesOrder, $first: Int, $after: String, $last: Int, $before: String) {
          games(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
            edges { cursor node ${GAME} } ${PAGE} ${counted ? 'totalCount totalCountCapped' : ''} } }`,
        { filter, orderBy, ...page },
        gamesOf,
      ),
    statistics: (username, ruleset) =>
      call(
        `query ($username: String!, $ruleset: String) { statistics(username: $username, ruleset: $ruleset) {
          user { id username displayName closed createdAt } all { ${TALLY} } byRuleset { ruleset ${TALLY} } bySide { side ${TALLY} }
          byReason { reason ${TALLY} } byLength { fromPlies untilPlies ${TALLY} } byTimeUsed { fromSeconds untilSeconds ${TALLY} }
          plies { average shortest longest } timeUsed { total perPly } } }`,
        { username, ruleset },
      ),
    opponents: (username, first) =>
      call(
        `query ($username: String!, $first: Int) { opponents(username: $username, first: $first) {
          opponent { id username displayName closed createdAt } ${TALLY} } }`,
        { username, first },
      ),
    headToHead: (a, b, more) =>
      call(
        `query ($a: String!, $b: String!, $ruleset: String, $first: Int) { headToHead(a: $a, b: $b, ruleset: $ruleset) {
          a { id username } b { id username } all { ${TALLY} } byRuleset { ruleset ${TALLY} }
          lastGames(first: $first) { edges { node ${GAME} } } } }`,
        { a, b, ...more },
        ({
          lastGames,
          ...found
        }: {
          readonly lastGames: { readonly edges: readonly { readonly node: Game }[] };
        }) => ({
          ...found,
          lastGames: lastGames.edges.map(({ node }) => node),
        }),
      ),
  };
}

export const HISTORIES: readonly (readonly [string, (http: Http) => History])[] = [
  ['GraphQL', graphqlHistory],
  ['REST', restHistory],
];
