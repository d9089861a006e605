import { KEYED_INPUTS, KEYED_ROUTES } from './generated/keyed.js';

/**
 * Decides which requests may be repeated: reads, and writes that the server carries out only once. The latter are moves and
 * added time (by ply), acts with a version, renewals of a session, and requests with an idempotency key, which is generated
 * here.
 */

type Input = Readonly<Record<string, unknown>>;

export interface Prepared {
  readonly variables: Input;
  readonly isRepeatable: boolean;
}

const KEY_BYTES = 16;

const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

const isInput = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isGuarded = (value: Input): boolean =>
  [value['ply'], value['version']].some((guard) => typeof guard === 'number') ||
  isInput(value['seen']) ||
  [value['idempotencyKey'], value['refreshToken']].some((guard) => typeof guard === 'string');

/** Adds an idempotency key to each input that takes one. */
export function prepareOperation(document: string, given: Input): Prepared {
  const variables = { ...given };
  const inputs = [...document.matchAll(/\$(\w+)\s*:\s*(\w+)/g)].flatMap(([, name, type]) => {
    const value = variables[name!];
    if (!isInput(value)) return [];
    const input = KEYED_INPUTS.has(type!)
      ? { ...value, idempotencyKey: value['idempotencyKey'] ?? newKey() }
      : value;
    variables[name!] = input;
    return [input];
  });
  const isMutation = /\bmutation\b/.test(document);
  // An input written in the document rather than in a variable is not analysed.
  const isJudged = inputs.length > 0 && !/\binput\s*:\s*\{/.test(document);
  return { variables, isRepeatable: !isMutation || (isJudged && inputs.every(isGuarded)) };
}

/** Adds an idempotency key to a REST request that takes one. Returns true if the request may be repeated. */
export async function prepareRequest(request: Request, route: string): Promise<boolean> {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return true;
  if (KEYED_ROUTES.has(`${method} ${route}`) && !headers.has('idempotency-key')) {
    headers.set('idempotency-key', newKey());
  }
  if (headers.has('idempotency-key') || /^(W\/)?"/.test(headers.get('if-match') ?? '')) return true;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return isInput(body) && isGuarded(body);
}
