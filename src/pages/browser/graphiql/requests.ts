import { type Data, KEPT, keep, kept, remember, sessionOf, type Session } from './kept.js';

/**
 * Sends requests with each {{name}} in variables and headers replaced by a value from earlier answers. {{inAWeek}},
 * {{newSeed}} and {{seedHash}} are computed each time; the last one is the hash of {{seed}}, which is kept. "{{nextPly}}"
 * becomes the number of the next ply of the `gameId` beside it.
 */

const EXPIRES_SOON_MS = 10_000;
const WEEK_MS = 604_800_000;
const RENEWAL =
  'mutation ($input: RefreshInput!) { refresh(input: $input) { session ' +
  '{ accessToken accessTokenExpiresAt refreshToken user { username } } } }';

interface Answer {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string }[];
}

const url = new URL('/graphql', location.href);
const socketUrl = new URL(url);
socketUrl.protocol = url.protocol.replace('http', 'ws');
const send = GraphiQL.createFetcher({
  url: url.href,
  subscriptionUrl: socketUrl.href,
  enableIncrementalDelivery: false,
});

/** Two windows need not both refresh. Locks exist only in secure contexts; without them both get the same next token. */
const oneByOne = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(KEPT, work) : work();

const tokenOf = (username: string): Promise<string> =>
  oneByOne(async () => {
    const { accessToken, accessTokenExpiresAt, refreshToken } = kept()[sessionOf(username)] as Session;
    const left = Date.parse(accessTokenExpiresAt) - Date.now();
    if (!refreshToken || left > EXPIRES_SOON_MS) return accessToken;
    const { data, errors } = (await send(
      { query: RENEWAL, variables: { input: { refreshToken } } },
      {},
    )) as Answer;
    const session = data?.refresh?.session;
    if (!session) throw new Error(`${username}: ${errors?.[0]?.message} (example annLogsIn)`);
    remember(data);
    return session.accessToken;
  });

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const newSeed = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

async function announceSeed(): Promise<string> {
  if (!crypto.subtle) {
    throw new Error('This browser cannot compute SHA-256 here. Open the page over https:// or on localhost.');
  }
  const seed = newSeed();
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(seed));
  keep({ seed });
  return hex(new Uint8Array(hash));
}

function valueOf(name: string): string | Promise<string> {
  if (name === 'inAWeek') return new Date(Date.now() + WEEK_MS).toISOString();
  if (name === 'newSeed') return newSeed();
  if (name === 'seedHash') return announceSeed();
  const all = kept();
  if (Object.hasOwn(all, sessionOf(name))) return tokenOf(name);
  const value = Object.hasOwn(all, name) ? all[name] : undefined;
  if (typeof value !== 'string') {
    throw new Error(`{{${name}}} is not known in this browser yet. Run the example that creates it first.`);
  }
  return value;
}

const NEXT_PLY = '"{{nextPly}}"';

async function nextPlyIn(variables: string): Promise<string> {
  const gameId = /"gameId":"([^"]*)"/.exec(variables)?.[1];
  if (gameId === undefined) throw new Error('{{nextPly}} needs the gameId of a game beside it.');
  const query = 'query ($gameId: ID!) { game(id: $gameId) { plyCount } }';
  const { data } = (await send({ query, variables: { gameId } }, {})) as Answer;
  return String((data?.game?.plyCount ?? 0) + 1);
}

async function filled(given: unknown): Promise<unknown> {
  let text = JSON.stringify(given ?? {});
  for (const [mark, name] of text.matchAll(/\{\{(?!nextPly)([\w-]+)\}\}/g)) {
    const value = JSON.stringify(await valueOf(name!)).slice(1, -1);
    text = text.replace(mark, () => value);
  }
  return JSON.parse(text.includes(NEXT_PLY) ? text.replaceAll(NEXT_PLY, await nextPlyIn(text)) : text);
}

async function ask(request: GraphqlRequest, options: GraphqlOptions): Promise<unknown> {
  const variables = await filled(request.variables);
  const headers = await filled(options.headers);
  const answer = await send({ ...request, variables }, { ...options, headers });
  // A subscription is answered with an iterator, which has no data.
  remember((answer as Answer).data);
  return answer;
}

export const fetcher: Fetcher = (request, options) =>
  // The schema needs no token: load it even if a header cannot be filled in yet.
  request.operationName === 'IntrospectionQuery'
    ? send(request, {})
    : // Return errors as a response: of a thrown error GraphiQL would show the stack.
      ask(request, options).catch(({ message }: Error) => ({ errors: [{ message }] }));
