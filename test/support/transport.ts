import request from 'supertest';
import { demandNamedInGraphql, demandNamedInRest } from './named-codes.js';
import { readWords, sentWords } from './words.js';

/** How tests send one request, over REST or GraphQL, and what every answer looks like to them. */

/** What supertest takes: a server that listens, or its address. */
export type Http = Parameters<typeof request>[0];

export type Body = Readonly<Record<string, unknown>>;

/** Whose token is sent; null: none. */
export type By = { readonly authorization: string } | null;

/** Read as it comes; a test that reads it wrongly fails. */
export type Json = request.Response['body'];

export interface Request {
  readonly method?: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly query?: Body | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when it is a text, else as JSON. */
  readonly body?: unknown;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text read as JSON; an empty object where it is none. */
  readonly body: Json;
}

/** Any request at all, for tests of the transports themselves; all others send a verb of the API. */
export async function send(
  http: Http,
  path: string,
  { method = 'get', query = {}, headers = {}, body: sentBody }: Request = {},
  by: By = null,
): Promise<Response> {
  const sent = request(http)[method](path).query(inQuery(query)).set(headers).buffer(true).parse(asText);
  if (by !== null) void sent.set('Authorization', by.authorization);
  const { status, headers: received, body: text } = await sent.send(sentBody as object);
  const body = isJson(received) && text !== '' ? JSON.parse(text as string) : {};
  return { status, headers: received, text, body };
}

const isJson = (headers: Response['headers']) => /[/+]json\b/.test(headers['content-type'] ?? '');

/** Lists with commas, objects as JSON, and nothing for what is not given. */
function inQuery(query: Body): Record<string, unknown> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : value])); // prettier-ignore
}

/** As it came, whatever it is said to be. */
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
  /** Undefined where the answer is a refusal. */
  readonly data: T;
  readonly refusal?: Refusal;
  /** The words of the refusal. */
  readonly message?: string;
  /** Seconds after which a refused request may be sent again. */
  readonly retryAfter?: number;
  readonly status: number;
  /** The whole answer, byte by byte, but for the number that each request has of its own. */
  readonly text: string;
}

/** What an answer shows; throws when it is a refusal. */
export function must<T>({ data, refusal, text }: Answer<T>): T {
  if (refusal !== undefined) throw new Error(text);
  return data;
}

/** Is this not there for whoever asked? REST refuses it then, GraphQL answers null. */
export const isMissing = ({ data, refusal }: Answer<unknown>): boolean =>
  refusal === undefined ? data === null : refusal.code === 'NOT_FOUND';

/** One request to REST. */
export interface Rest {
  readonly method: NonNullable<Request['method']>;
  /** Below /v1/. */
  readonly path: string;
  readonly query?: Body | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string | undefined;
  /** The name of the part of the answer that matters, which `read` is given. */
  readonly part?: string;
  /** The part of the answer that matters. */
  readonly read?: (answer: never, text: string) => unknown;
}

/** One request to GraphQL. */
export interface Graphql {
  /** With these fields of what it answers. */
  readonly document: (selection: string) => string;
  readonly selection: string;
  readonly variables: Body;
  /** The name of the part that `selection` and `read` are about. */
  readonly part?: string;
  /** The part that matters of what the only field of the document answers. */
  readonly read?: (answer: never) => unknown;
}

/** Where a request goes, for a client of the test's own. */
export const addressOf = (url: string, { path }: Rest): string => `${url}/v1/${path}`;

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
  const answer = await sendGraphql(http, asked, sentWords(asked, variables), by);
  const { data, errors } = answer.body as {
    readonly data?: Body | null;
    readonly errors?: readonly Failure[];
  };
  if (errors !== undefined) {
    const [{ message, path = [], extensions }] = errors as readonly [Failure];
    demandNamedInGraphql(asked, path, extensions.code);
    return refused(answer, extensions, message);
  }
  const [shown] = Object.values(readWords(asked, data) ?? {});
  return { data: read(partOf(shown, part)) as T, status: answer.status, text: unnumbered(answer.text) };
}

/** A verb in GraphQL with the fields that a test chooses, and its answer as it comes. */
export const select = (
  http: Http,
  by: By,
  { read: _, ...sent }: Graphql,
  selection: string,
): Promise<Answer<Json>> => graphql(http, by, { ...sent, selection });

/** A document that a test has written itself, with all that is answered. */
export const sendGraphql = (
  http: Http,
  query: string,
  variables: Body = {},
  by: By = null,
): Promise<Response> => send(http, '/graphql', { method: 'post', body: { query, variables } }, by);

type Fault = Refusal & { readonly retryAfter?: number };

/** An error of an answer of GraphQL. */
interface Failure {
  readonly message: string;
  readonly path?: readonly unknown[];
  readonly extensions: Fault;
}

function refused({ status, text }: Response, told: Fault, message: string): Answer<never> {
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
