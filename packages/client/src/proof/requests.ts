import type { Keeper } from './keeper.js';

/** How the requests of both transports are sent with what proves or guards them. */

type Body = Readonly<Record<string, unknown>>;
type Opened = Readonly<Record<string, { readonly challenge?: { readonly id?: string } } | null>>;

const INPUT = /\$(\w+)\s*:\s*(\w+Input)\b/g;
const OPENING = /(:\s*)?\b(createChallenge|counterChallenge|createSeek|offerRematch)\b(?=\s*\(\s*input\s*:)/;
/** An answer without the id of the challenge or its receipt would leave unsaid what a seed is for. */
const NAMED = /\bchallenge\s*\{[^{}]*\b(?:id|receipt)\b|\bon Challenge\s*\{[^{}]*\b(?:id|receipt)\b/;

/** A mutation with one input; others are sent as they are. */
export function viaGraphql<Result>(
  keeper: Keeper,
  query: string,
  given: object,
  send: (query: string, given: object) => Promise<Result>,
): Promise<Result> {
  const [[, name = '', type = ''] = [], ...more] = query.matchAll(INPUT);
  const input = (given as Body)[name];
  const isPlain = typeof input !== 'object' || input === null || more.length > 0;
  if (isPlain || (OPENING.test(query) && !NAMED.test(query))) return send(query, given);
  const { gameId, id } = input as { readonly gameId?: string; readonly id?: string };
  let fields = 1;
  return keeper.send(type, gameId ?? id, input as Body, {
    send: (next) => send(query, { ...given, [name]: next }),
    idIn: (answer) => {
      const opened = Object.values(answer as Opened);
      fields = opened.length;
      return Promise.resolve(opened.find((field) => field?.challenge?.id !== undefined)?.challenge?.id);
    },
    // The same fields of the game that has begun, under the same name.
    give: (challenge, seed) => {
      // What else the document does must not be done twice.
      if (fields > 1) return null;
      const later = query
        .replace(type, 'GiveClientSeedInput')
        .replace(
          OPENING,
          (_, alias: string | undefined, field: string) => `${alias ?? `${field}:`}giveClientSeed`,
        );
      return send(later, { ...given, [name]: { id: challenge, ...seed } });
    },
  });
}

/** A request to a route of games, challenges or seeks. One with If-Match is guarded already. */
export async function viaRest(
  keeper: Keeper,
  request: Request,
  route: string,
  id: unknown,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (request.headers.has('if-match')) return send(request);
  const text = await request.clone().text();
  const input = (text === '' ? {} : JSON.parse(text)) as Body;
  let first: Response | undefined;
  return keeper.send(`${request.method} ${route}`, typeof id === 'string' ? id : undefined, input, {
    send: async (body) =>
      (first = await send(body === input ? request : withBody(request, request.url, body))),
    idIn: async (answer) =>
      ((await answer.clone().json()) as { readonly challenge?: { readonly id?: string } }).challenge?.id,
    give: async (challenge, seed) => {
      const url = new URL(`/v1/challenges/${challenge}/client-seed`, request.url).href;
      return new Response(await (await send(withBody(request, url, seed))).text(), first);
    },
  });
}

function withBody({ method, headers: given, signal }: Request, url: string, body: Body): Request {
  const headers = new Headers(given);
  headers.set('content-type', 'application/json');
  headers.delete('idempotency-key');
  return new Request(url, { method, headers, signal, body: JSON.stringify(body) });
}
