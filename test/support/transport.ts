import request from 'supertest';
import { demandNamedInGraphql, demandNamedInRest } from './named-codes.js';
import { demandPlainWords } from './plain-words.js';
import { toRestSpelling, toGraphqlSpelling } from './enum-spelling.js';

/** Sends one request over REST or GraphQL, and gives all answers the same form. */

/** The target for supertest: a listening server or its address. */
export type Http = Parameters<typeof request>[0];

export type Body = Readonly<Record<string, unknown>>;

/** The user whose token is sent; null for none. */
export type By = { readonly authorization: string } | null;

/** Untyped; a test that reads it wrongly fails. */
export type Json = request.Response['body'];

export interface Request {
  readonly method?: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly query?: Body | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text parsed as JSON; an empty object if it is not JSON. */
  readonly body: Json;
}

/** Sends any request, for tests of the transports themselves. Other tests use the operations. */
export async function send(
  http: Http,
  path: string,
  { method = 'get', query = {}, headers = {}, body: sentBody }: Request = {},
  by: By = null,
): Promise<Response> {
  const sent = request(http)[method](path).query(inQuery(query)).buffer(true).parse(asText);
  // Compressing each answer and reading it back would take a twentieth of the time.
  void sent.set('Accept-Encoding', 'identity').set(headers);
  if (by !== null) void sent.set('Authorization', by.authorization);
  const { status, headers: received, body: text } = await sent.send(sentBody as object);
  const body = isJson(received) && text !== '' ? JSON.parse(text as string) : {};
  return { status, headers: received, text, body };
}

const isJson = (headers: Response['headers']) => /[/+]json\b/.test(headers['content-type'] ?? '');

/** Lists with commas, objects as JSON; undefined values are left out. */
function inQuery(query: Body): Record<string, unknown> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : value])); // prettier-ignore
}

/** The raw text, whatever its content type. */
const asText: Parameters<request.Test['parse']>[0] = (response, done) => {
  const parts: Buffer[] = [];
  const answer = response as unknown as NodeJS.ReadableStream;
  answer.on('data', (part: Buffer) => parts.push(part));
  answer.on('end', () => done(null, Buffer.concat(parts).toString()));
};

export interface Refusal {
  readonly code: string;
  readonly field?: string;
  readonly fault?: string;
  readonly candidates?: readonly string[];
  readonly line?: number;
  readonly column?: number;
}

export interface Answer<T> {
  /** Undefined if the answer is a refusal. */
  readonly data: T;
  readonly refusal?: Refusal;
  /** The message of the refusal. */
  readonly message?: string;
  /** Seconds after which the request may be sent again. */
  readonly retryAfter?: number;
  readonly status: number;
  /** The whole answer, without the id of the request. */
  readonly text: string;
}

/** The data of an answer; throws if it is a refusal. */
export function must<T>({ data, refusal, text }: Answer<T>): T {
  if (refusal !== undefined) throw new Error(text);
  return data;
}

/** Whether the object is missing or hidden for the caller: REST refuses, GraphQL answers null. */
export const isMissing = ({ data, refusal }: Answer<unknown>): boolean =>
  refusal === undefined ? data === null : refusal.code === 'NOT_FOUND';

/** One REST request. */
export interface Rest {
  readonly method: NonNullable<Request['method']>;
  /** Relative to /v1/. */
  readonly path: string;
  readonly query?: Body | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string | undefined;
  /** The name of the relevant part of the answer, which `read` gets. */
  readonly part?: string;
  /** Converts the relevant part of the answer. */
  readonly read?: (answer: never, text: string) => unknown;
}

/** One GraphQL request. */
export interface Graphql {
  /** Makes the document with these fields of the answer. */
  readonly document: (selection: string) => string;
  readonly selection: string;
  readonly variables: Body;
  /** The name of the part that `selection` and `read` refer to. */
  readonly part?: string;
  /** Converts the relevant part of the only field of the document. */
  readonly read?: (answer: never) => unknown;
}

/** The URL of a request, for tests with their own client. */
export function addressOf(url: string, { path, query = {} }: Rest): string {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${url}/v1/${path}?${new URLSearchParams(Object.fromEntries(asked.map(([name, value]) => [name, String(value)]))).toString()}`;
}

const unchanged = (answer: never): unknown => answer;

const partOf = (shown: unknown, part: string | undefined): never =>
  (part === undefined ? shown : (shown as Body)[part]) as never;

export async function rest<T>(http: Http, by: By, sent: Rest): Promise<Answer<T>> {
  const { method, path, query, body, key, part, read = unchanged } = sent;
  const headers = { ...sent.headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) };
  const answer = await send(http, `/v1/${path}`, { method, query, headers, body }, by);
  if (answer.status >= 400) {
    const fault = answer.body as Fault;
    demandNamedInRest(method, `/v1/${path}`, answer.status, fault.code);
    return refused(answer, fault, answer.body.detail as string);
  }
  const shown = isJson(answer.headers) ? answer.body : answer.text;
  const data = read(partOf(shown, part), answer.text) as T;
  return { data, status: answer.status, text: unnumbered(answer.text) };
}

export async function graphql<T>(http: Http, by: By, sent: Graphql): Promise<Answer<T>> {
  const { document, selection, variables, part, read = unchanged } = sent;
  const asked = document(part === undefined ? selection : `{ ${part} ${selection} }`);
  const answer = await sendGraphql(http, asked, toGraphqlSpelling(asked, variables), by);
  const { data, errors } = answer.body as {
    readonly data?: Body | null;
    readonly errors?: readonly Failure[];
  };
  if (errors !== undefined) {
    const [{ message, path = [], extensions }] = errors as readonly [Failure];
    demandNamedInGraphql(asked, path, extensions.code);
    return refused(answer, extensions, message);
  }
  const [shown] = Object.values(toRestSpelling(asked, data) ?? {});
  return { data: read(partOf(shown, part)) as T, status: answer.status, text: unnumbered(answer.text) };
}

/** Sends an operation over GraphQL with chosen fields; returns the answer unconverted. */
export const select = (
  http: Http,
  by: By,
  { read: _, ...sent }: Graphql,
  selection: string,
): Promise<Answer<Json>> => graphql(http, by, { ...sent, selection });

/** Sends a document of the test's own; returns everything. */
export const sendGraphql = (
  http: Http,
  query: string,
  variables: Body = {},
  by: By = null,
): Promise<Response> => send(http, '/graphql', { method: 'post', body: { query, variables } }, by);

type Fault = Refusal & { readonly retryAfter?: number };

/** An error in a GraphQL answer. */
interface Failure {
  readonly message: string;
  readonly path?: readonly unknown[];
  readonly extensions: Fault;
}

function refused({ status, text }: Response, told: Fault, message: string): Answer<never> {
  demandPlainWords(message);
  const { code, field, fault, candidates, line, column, retryAfter } = told;
  const refusal = { code, ...given({ field, fault, candidates, line, column }) };
  return {
    data: undefined as never,
    refusal,
    message,
    ...given({ retryAfter }),
    status,
    text: unnumbered(text),
  };
}

const given = (fields: Body): Body =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const unnumbered = (text: string) => text.replace(/"requestId":"[^"]*"/, '"requestId":""');
