import { badAnswer } from './errors.js';
import { prepareOperation } from './idempotency.js';
import type { Session } from './session.js';
import { readJson, type Transport } from './transport.js';

/** A document with the types of its answer and its variables, as graphql-codegen makes them in string mode. */
export interface TypedDocument<Result, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Result;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Variables may be left out where none is required. */
export type Given<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: CallOptions]
    : [variables: Variables, options?: CallOptions];

/** The data of an operation. Throws the first error of the answer. */
export async function callGraphql<Result>(
  transport: Transport,
  session: Session | null,
  url: string,
  document: TypedDocument<Result, never>,
  given: object = {},
  { signal }: CallOptions = {},
): Promise<Result> {
  const query = document.toString();
  const { variables, isRepeatable } = prepareOperation(query, given as Readonly<Record<string, unknown>>);
  const request = new Request(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
    ...(signal === undefined ? {} : { signal }),
  });
  return transport.ask(request, { isRepeatable, read: readData<Result> }, session);
}

async function readData<Result>(response: Response): Promise<Result> {
  const { data } = (await readJson(response)).body as { data?: Result };
  if (data == null) throw badAnswer(response);
  return data;
}
