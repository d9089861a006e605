import request from 'supertest';
import type { Http } from './accounts.js';
import type { Body, By } from './play.js';
import type { Edges, User } from './shown.js';

/** Imported games, over both transports, with the same answers. */

export interface Imported {
  readonly id: string;
  readonly imported: boolean;
  readonly importedAt: string;
  readonly importedBy: User;
  readonly originalId: string | null;
  readonly ruleset: string;
  readonly status: string;
  readonly rated: boolean;
  readonly outcome: { readonly winner: string | null; readonly reason: string };
  readonly players: { readonly first: string | null; readonly second: string | null };
  readonly tags: Readonly<Record<string, string>>;
  readonly plyCount: number;
  readonly position: string;
  readonly [field: string]: unknown;
}

export interface ImportedPly {
  readonly ply: number;
  readonly player: string;
  readonly move: string;
  readonly san: string;
}

/** What is refused has a code. */
export interface Told<T> {
  readonly data: T;
  readonly refusal?: {
    readonly code: string;
    readonly field?: string;
    readonly line?: number;
    readonly column?: number;
    readonly retryAfter?: number;
  };
  readonly message?: string;
}

export interface Imports {
  importGames(by: By, input: Body, key?: string): Promise<Told<readonly Imported[]>>;
  one(by: By, id: string): Promise<Told<Imported>>;
  moves(id: string, page?: Body): Promise<Told<Edges<ImportedPly> & { readonly totalCount: number }>>;
  mine(by: By, page?: Body): Promise<Told<Page>>;
  remove(by: By, id: string): Promise<Told<unknown>>;
  text(id: string, format?: string): Promise<Told<string>>;
}

interface Page {
  readonly games: readonly Imported[];
  readonly pageInfo: Edges<unknown>['pageInfo'];
}

type Fault = NonNullable<Told<unknown>['refusal']>;

const refused = ({ code, field, line, column, retryAfter }: Fault, message: string): Told<never> => ({
  data: undefined as never,
  refusal: {
    code,
    ...(field === undefined ? {} : { field }),
    ...(line === undefined ? {} : { line, column }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  },
  message,
});

/** The answer of a route. */
function told<T>({ status, body, text }: request.Response): Told<T> {
  if (status >= 400) return refused(body as Fault, (body as { readonly detail: string }).detail);
  return { data: (typeof body === 'object' && Object.keys(body as object).length > 0 ? body : text) as T };
}

export function restImports(http: Http): Imports {
  const sent = (by: By, method: 'get' | 'post' | 'delete', path: string) => {
    const call = request(http)[method](`/v1/${path}`);
    return by === null ? call : call.set('Authorization', by.authorization);
  };
  return {
    importGames: async (by, input, key) => {
      const call = sent(by, 'post', 'imports');
      if (key !== undefined) void call.set('Idempotency-Key', key);
      return told(await call.send(input));
    },
    one: async (by, id) => told(await sent(by, 'get', `imports/${id}`)),
    moves: async (id, page = {}) => told(await sent(null, 'get', `imports/${id}/moves`).query(page)),
    mine: async (by, page = {}) => told(await sent(by, 'get', 'me/imports').query(page)),
    remove: async (by, id) => told(await sent(by, 'delete', `imports/${id}`)),
    text: async (id, format) => {
      const answer = await sent(null, 'get', `imports/${id}/export`)
        .query(format === undefined ? {} : { format })
        .buffer(true)
        .parse(asText);
      return answer.status < 400
        ? { data: answer.body as string }
        : told({ ...answer, body: JSON.parse(answer.body as string) as object } as request.Response);
    },
  };
}

/** As it came, whatever it is said to be. */
const asText: Parameters<request.Test['parse']>[0] = (response, done) => {
  const parts: Buffer[] = [];
  const answer = response as unknown as NodeJS.ReadableStream;
  answer.on('data', (part: Buffer) => parts.push(part));
  answer.on('end', () => done(null, Buffer.concat(parts).toString()));
};

/** All that REST shows of a user and of a game. */
const USER = '{ id username displayName closed createdAt challengesFrom challengesWithin }';
export const IMPORTED = `{
  id imported importedAt importedBy ${USER} ruleset options setup setupNumber start faceDown rated status
  outcome { winner reason } players { first second } originalId event site round date startedAt endedAt
  timeControl { type seconds initial increment cap noVacation } tags plyCount position
}`;
const INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const PLY = '{ ply player move reveals captured san clock automatic }';

export function graphqlImports(http: Http): Imports {
  const ask = async <T>(by: By, query: string, variables: Body): Promise<Told<T>> => {
    const call = request(http).post('/graphql');
    if (by !== null) void call.set('Authorization', by.authorization);
    const { body } = await call.send({ query, variables });
    const { data, errors } = body as {
      readonly data?: Readonly<Record<string, T>>;
      readonly errors?: readonly { readonly message: string; readonly extensions: Fault }[];
    };
    if (errors !== undefined) return refused(errors[0]!.extensions, errors[0]!.message);
    return { data: Object.values(data!)[0]! };
  };
  const field = async <T>(query: string, variables: Body): Promise<Told<T>> => {
    const { data, ...rest } = await ask<Readonly<Record<string, T>>>(null, query, variables);
    return rest.refusal === undefined
      ? { data: Object.values(data)[0]! }
      : refused(rest.refusal, rest.message!);
  };
  return {
    importGames: (by, input, key) =>
      ask(by, `mutation ($input: ImportGamesMutationInput!) { importGames(input: $input) ${IMPORTED} }`, {
        input: { ...input, ...(key === undefined ? {} : { idempotencyKey: key }) },
      }),
    one: (by, id) => ask(by, `query ($id: ID!) { importedGame(id: $id) ${IMPORTED} }`, { id }),
    moves: (id, page = {}) =>
      field(
        `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { importedGame(id: $id) {
          moves(first: $first, after: $after, last: $last, before: $before) { edges { cursor node ${PLY} } ${INFO} totalCount }
        } }`,
        { id, ...page },
      ),
    mine: async (by, page = {}) => {
      const query = `query ($first: Int, $after: String) { myImportedGames(first: $first, after: $after) { edges { cursor node ${IMPORTED} } ${INFO} } }`;
      const { data, ...rest } = await ask<Edges<Imported>>(by, query, page);
      if (rest.refusal !== undefined) return refused(rest.refusal, rest.message!);
      return { data: { games: data.edges.map(({ node }) => node), pageInfo: data.pageInfo } };
    },
    remove: (by, id) => ask(by, 'mutation ($id: ID!) { deleteImportedGame(id: $id) }', { id }),
    text: (id, format) =>
      field('query ($id: ID!, $format: String) { importedGame(id: $id) { export(format: $format) } }', {
        id,
        format,
      }),
  };
}

export const IMPORTS: readonly (readonly [string, (http: Http) => Imports])[] = [
  ['GraphQL', graphqlImports],
  ['REST', restImports],
];

/** A text as the body itself. */
export async function rawImport(
  http: Http,
  by: By,
  text: string | Buffer,
  { type = 'text/plain', query = {} }: { readonly type?: string; readonly query?: Body } = {},
): Promise<Told<readonly Imported[]>> {
  const call = request(http).post('/v1/imports').query(query).set('Content-Type', type);
  if (by !== null) void call.set('Authorization', by.authorization);
  return told(await call.send(text));
}

export const MATE = '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';
