import {
  createClient,
  HalfmoveError,
  hasCode,
  operations,
  type ErrorCode,
  type GameQuery,
  type Halfmove,
  type HalfmoveEvent,
  type TypedDocument,
} from '@halfmove/client';
import { createApplicationClient, type Application } from '@halfmove/client/server';
import { apollo, codegen, getDataID, relay, urql } from '@halfmove/client/settings';

/** What the types of the client promise: all of this compiles. It is never run. */

const halfmove: Halfmove = createClient({ url: 'https://play.example.org' });

export async function operationsAreTyped(): Promise<void> {
  const { game }: GameQuery = await halfmove.graphql(operations.game, { id: '1' });
  const position: string | undefined = game?.position;
  const turn: 'FIRST' | 'SECOND' | null | undefined = game?.turn;
  const moves: readonly string[] = game?.viewer?.legalMoves.map(({ move }) => move) ?? [];
  const { me } = await halfmove.graphql(operations.me);
  const name: string = me.displayName;
  const leaving = new AbortController();
  await halfmove.graphql(operations.me, {}, { signal: leaving.signal });
  const own = 'query ($n: Int!) { n(n: $n) }' as unknown as TypedDocument<{ n: number }, { n: number }>;
  const { n }: { n: number } = await halfmove.graphql(own, { n: 1 });
  console.log(position, turn, moves, name, n);
}

export async function applicationsAreTyped(): Promise<void> {
  const site: Application = createApplicationClient({
    url: 'https://play.example.org',
    id: '1',
    secret: 's',
  });
  const { data } = await site.rest.GET('/v1/application/games', { params: { query: { first: 100 } } });
  const { game }: GameQuery = await site.graphql(operations.game, { id: data.items[0]!.game.id });
  const { token } = await site.createPlayerToken('member-17', { scopes: ['games:read'], seconds: 60 });
  const player = createClient({
    url: 'https://play.example.org',
    session: { accessToken: token },
    onExpired: () => Promise.resolve(null),
  });
  console.log(game?.position, player.session);
}

export async function routesAreTyped(): Promise<void> {
  const { data, response } = await halfmove.rest.GET('/v1/games/{id}', { params: { path: { id: '1' } } });
  const turn: 'first' | 'second' | null = data.turn;
  const { data: made } = await halfmove.rest.POST('/v1/challenges', {
    body: { ruleset: 'chess', opponent: { username: 'ben' }, timeControl: { none: {} } },
  });
  const id: string = made.challenge.id;
  await halfmove.rest.POST('/v1/games/{id}/resign', { params: { path: { id } } });
  const { data: pgn } = await halfmove.rest.GET('/v1/games/{id}/export', {
    params: { path: { id }, query: { format: 'pgn' } },
    parseAs: 'text',
  });
  console.log(turn, pgn.length, response.headers.get('etag'));
}

export async function eventsAreTyped(): Promise<void> {
  for await (const event of halfmove.events({ after: null })) {
    const { id, version }: HalfmoveEvent = event;
    if (event.type === 'challengeCreated') console.log(id, version);
  }
}

export async function errorsAreTyped(): Promise<void> {
  try {
    await halfmove.logout();
  } catch (error) {
    if (hasCode(error, 'RATE_LIMITED')) console.log(error.retryAfter);
    if (!(error instanceof HalfmoveError)) throw error;
    const code: ErrorCode = error.code;
    console.log(code, error.candidates?.[0], error.details.requestId);
  }
}

export function settingsAreTyped(): void {
  type Data = Readonly<Record<string, unknown>>;
  const keys: Record<string, (data: Data) => string | null> = urql.keys;
  const possibleTypes: Record<string, string[]> = apollo.possibleTypes;
  const policies: Record<string, { keyFields?: false | ((data: Data) => readonly string[] | false) }> =
    apollo.typePolicies;
  const { DateTime }: { DateTime: string } = codegen.scalars;
  const dataId: (record: Data, type: string) => string | null = getDataID;
  const field: string = relay.schemaConfig.nodeInterfaceIdField;
  console.log(keys, possibleTypes, policies, DateTime, dataId, field);
}
