import { ModulesContainer } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNullableType,
  isObjectType,
} from 'graphql';
import { accessTable, type AccessRow, type AccessTable } from '../../src/pages/access.js';
import { ALL_SCOPES, type Scope } from '../../src/platform/contract/scopes.js';
import { restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { askFor, codeOf, selectionOf, withScopes } from '../support/scopes.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Challenge, Game } from '../support/api-types.js';
import { openSocket } from '../support/sockets.js';
import { type By, type Json, must, type Response, send, sendGraphql } from '../support/transport.js';

/** A token allows what its scopes say, and nothing else: each line of docs/access.md, checked on a server. */

let server: TestServer;
let ann: Person;
let ben: Person;
/** A user whose sessions may end during the test. */
let eve: Person;
let game: Game;
let schema: GraphQLSchema;
let table: AccessTable;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben, eve] = [await register(server.http, 'ann'), await register(server.http, 'ben'), await register(server.http, 'eve')]; // prettier-ignore
  game = await begin(restApi(server.http), ann, ben);
  ({ schema } = server.app.get(GraphQLSchemaHost));
  table = accessTable(server.app);
});
afterAll(() => server.close());

const tokenOf = (...scopes: readonly Scope[]) => withScopes(server, ann, scopes);
const without = (...scopes: readonly Scope[]) =>
  tokenOf(...ALL_SCOPES.filter((scope) => !scopes.includes(scope)));
const TERMS = { ruleset: 'chess', timeControl: { type: 'none' } };
const REFUSED = 'INSUFFICIENT_SCOPE';

const isDemanding = ({ access: { token, scopes } }: AccessRow) => token === 'required' && scopes.length > 0;

const ASKED_ALONE = ['Query', 'Mutation', 'Route'] as const;

/** What is behind the guard of routes and root fields, except subscriptions. */
const rows = (): readonly (readonly [keyof AccessTable, AccessRow])[] =>
  ASKED_ALONE.flatMap((kind) => table[kind].map((row) => [kind, row] as const));

async function isRefused(
  kind: keyof AccessTable,
  row: AccessRow,
  scopes: readonly Scope[],
): Promise<boolean> {
  // Some of them end sessions, so each uses another one.
  return codeOf(await askFor(server, schema, kind, row, await withScopes(server, eve, scopes))) === REFUSED;
}

test.each(ALL_SCOPES)(
  'with only %s, what needs another scope is refused, and nothing else',
  async (scope) => {
    const needing = rows().filter(([, row]) => isDemanding(row));
    const refused: string[] = [];
    for (const [kind, row] of needing) if (await isRefused(kind, row, [scope])) refused.push(row.name);
    const lacking = needing.filter(([, { access }]) => access.scopes.some((needed) => needed !== scope));
    expect(refused).toEqual(lacking.map(([, { name }]) => name));
  },
);

test('what needs several scopes is refused if one of them is missing', async () => {
  const several = rows().filter(([, { access }]) => access.scopes.length > 1);
  expect(several.length).toBeGreaterThan(0);
  for (const [kind, row] of several) {
    const { scopes } = row.access;
    expect([row.name, await isRefused(kind, row, scopes)]).toEqual([row.name, false]);
    for (const missing of scopes) {
      const others = scopes.filter((scope) => scope !== missing);
      expect([row.name, await isRefused(kind, row, others)]).toEqual([row.name, true]);
    }
  }
});

test('what needs no scope accepts a token without any', async () => {
  const open = rows().filter(([, row]) => !isDemanding(row));
  for (const [kind, row] of open)
    expect([row.name, await isRefused(kind, row, [])]).toEqual([row.name, false]);
});

test('a request without a token is refused where the table requires one, and only there', async () => {
  const closed: string[] = [];
  for (const [kind, row] of rows()) {
    if (codeOf(await askFor(server, schema, kind, row, null)) === 'UNAUTHENTICATED') closed.push(row.name);
  }
  const required = rows().filter(([, { access }]) => access.token === 'required');
  expect(closed).toEqual(required.map(([, { name }]) => name));
});

test('an error names the missing scope, in GraphQL and in REST', async () => {
  const by = await tokenOf('games:read');
  const { body } = await sendGraphql(server.http, '{ me { id } }', {}, by);
  expect(body.errors[0].extensions).toEqual({ code: REFUSED, scope: 'profile:read' });
  expect(body.errors[0].message).toContain('profile:read');
  const answer = await send(server.http, '/v1/me', {}, by);
  expect(answer.body).toMatchObject({ status: 403, code: REFUSED, scope: 'profile:read' });
  expect(answer.status).toBe(403);
  expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="profile:read"');
});

test('a token of an ended session is refused without naming scopes', async () => {
  const by = await withScopes(server, eve, ['account']);
  must(await restApi(server.http).logout(by));
  expect(codeOf(await send(server.http, '/v1/me', {}, by))).toBe('UNAUTHENTICATED');
});

describe('a field of a game', () => {
  const askAt = async (selection: string, by: { authorization: string }) => {
    const query = `query ($id: ID!) { game(id: $id) { id ${selection} } }`;
    const { body } = await sendGraphql(server.http, query, { id: game.id }, by);
    return { game: body.data.game, errors: body.errors };
  };

  const fieldsOf = (type: string): readonly AccessRow[] =>
    table.Field.filter(({ name }) => name.startsWith(`${type}.`));

  const asked = ({ name }: AccessRow): string => {
    const [type, field] = name.split('.') as [string, string];
    const selection = selectionOf((schema.getType(type) as GraphQLObjectType).getFields()[field]!);
    return type === 'Game' ? selection : `viewer { seat ${selection} }`;
  };

  test('is refused beside the answer to the rest, if and only if its scopes are missing', async () => {
    for (const row of [...fieldsOf('Game'), ...fieldsOf('GameViewer')]) {
      const { scopes } = row.access;
      const enough = await askAt(asked(row), await tokenOf('games:read', ...scopes));
      expect([row.name, enough.errors]).toEqual([row.name, undefined]);
      const { game: shown, errors } = await askAt(asked(row), await without(...scopes));
      const field = row.name.split('.')[1]!;
      expect(shown.viewer).toEqual(field === 'viewer' ? null : { seat: 'FIRST', [field]: null });
      expect([row.name, errors[0].extensions]).toEqual([
        row.name,
        { code: REFUSED, scope: scopes.join(' ') },
      ]);
    }
  });

  test('is the only way to what only a player sees', () => {
    const ways = objectTypes().flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => getNamedType(field.type).name === 'GameViewer')
        .map(({ name }) => `${type.name}.${name}`),
    );
    expect(ways).toEqual(['Game.viewer']);
    expect(fieldsOf('Game')).toMatchObject([{ name: 'Game.viewer', access: { scopes: ['games:read'] } }]);
  });
});

const objectTypes = () => Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));

test('a field with scopes below the roots is nullable, and documents them', () => {
  expect(table.Field.length).toBeGreaterThan(0);
  for (const { name } of table.Field) {
    const [type, field] = name.split('.') as [string, string];
    const { type: shown, description } = (schema.getType(type) as GraphQLObjectType).getFields()[field]!;
    expect([name, isNullableType(shown)]).toEqual([name, true]);
    expect(description).toContain('null if the token lacks it');
  }
});

describe('a token without the optional scopes gets the anonymous answer', () => {
  const lenient = (kind: keyof AccessTable) =>
    table[kind].filter((row) => row.access.scopes.length > 0 && !isDemanding(row));
  const inBrief = ({ status, body, headers: { etag, vary } }: Response) => {
    const { requestId: _, ...told } = body as Readonly<Record<string, unknown>>;
    return { status, told, etag, vary };
  };

  let hidden: Challenge;
  beforeAll(async () => {
    const api = restApi(server.http);
    const over = await begin(api, ann, ben);
    must(await api.resign(ben, over.id));
    hidden = must(await api.createChallenge(ben, { ...TERMS, opponent: ann.username }));
    must(await api.blockUser(ann, ben.username));
    must(await api.createSeek(ben, TERMS));
  });
  afterAll(async () => must(await restApi(server.http).unblockUser(ann, ben.username)));

  test('from each route that tells a user more', async () => {
    const paths: Readonly<Record<string, string>> = {
      'GET /v1/challenges/:id': `/v1/challenges/${hidden.id}`,
      'GET /v1/games': `/v1/games?player=${ann.username}`,
      'GET /v1/games/:id': `/v1/games/${game.id}`,
      'GET /v1/games/:id/legal-moves': `/v1/games/${game.id}/legal-moves`,
      'GET /v1/games/by-ids': `/v1/games/by-ids?ids=${game.id}`,
      'GET /v1/lobby': '/v1/lobby',
      'GET /v1/users/:username/against/:opponent': `/v1/users/${ann.username}/against/${ben.username}`,
      'GET /v1/users/:username/games': `/v1/users/${ann.username}/games`,
    };
    expect(lenient('Route').map(({ name }) => name)).toEqual(Object.keys(paths));
    for (const { name, access } of lenient('Route')) {
      const answerTo = async (by: By) => [name, inBrief(await send(server.http, paths[name]!, {}, by))];
      const stranger = await answerTo(null);
      expect(await answerTo(await without(...access.scopes))).toEqual(stranger);
      expect(await answerTo(await tokenOf(...access.scopes))).not.toEqual(stranger);
    }
  });

  test('from each query that tells a user more', async () => {
    const documents: Readonly<Record<string, string>> = {
      challenge: `{ challenge(id: "${hidden.id}") { id } }`,
      lobby: '{ lobby { edges { node { id } } } }',
      node: `{ node(nodeId: "Challenge:${hidden.id}") { nodeId } }`,
    };
    expect(lenient('Query').map(({ name }) => name)).toEqual(Object.keys(documents));
    for (const { name, access } of lenient('Query')) {
      const answerTo = async (by: By) => (await sendGraphql(server.http, documents[name]!, {}, by)).body.data;
      const stranger = await answerTo(null);
      expect(await answerTo(await without(...access.scopes))).toEqual(stranger);
      expect(await answerTo(await tokenOf(...access.scopes))).not.toEqual(stranger);
    }
  });

  test('from the changes of the lobby', async () => {
    expect(lenient('Subscription').map(({ name }) => name)).toEqual(['lobbyChanged']);
    const seenWith = async (by: By) => {
      const socket = await openSocket(server, by);
      const changes = socket.send('subscription { lobbyChanged { seek { id } } }');
      // The first one is about the whole lobby.
      await changes.next();
      must(await restApi(server.http).createSeek(ben, TERMS));
      const { data } = await changes.next();
      await socket.close();
      return (data as Json).lobbyChanged.seek;
    };
    expect(await seenWith(await without('challenges:read'))).toMatchObject({ id: expect.any(String) });
    expect(await seenWith(await tokenOf('challenges:read'))).toBeNull();
  });
});

test('a challenge in the inbox needs only the scopes of the inbox', async () => {
  const input = { ...TERMS, opponent: ann.username };
  const { id } = must(await restApi(server.http).createChallenge(ben, input));
  const query = '{ inbox { edges { node { challenge { id } } } } }';
  const { body } = await sendGraphql(server.http, query, {}, await tokenOf('challenges:read', 'games:read'));
  expect(body.errors).toBeUndefined();
  expect(JSON.stringify(body.data)).toContain(id);
});

test('whatever reads the viewer declares its scopes', () => {
  const undeclared = [...server.app.get(ModulesContainer).values()]
    .flatMap(({ providers, controllers }) => [...providers.values(), ...controllers.values()])
    .map(({ metatype }) => (metatype as { readonly prototype?: object } | null)?.prototype)
    .filter((prototype) => prototype !== undefined)
    .flatMap((prototype) =>
      Object.entries(Object.getOwnPropertyDescriptors(prototype))
        .filter(([name]) => Reflect.hasMetadata('token', prototype, name))
        .filter(([, { value }]) => !Reflect.hasMetadata('access', value as object))
        .map(([name]) => `${prototype.constructor.name}.${name}`),
    );
  expect(undeclared).toEqual([]);
});

test('an act’s answer in REST includes the player’s part only with games:read', async () => {
  const own = await begin(restApi(server.http), ann, ben);
  const body = { ply: 1, move: 'e2e4' };
  const path = `/v1/games/${own.id}/moves`;
  const played = await send(server.http, path, { method: 'post', body }, await tokenOf('games:play'));
  expect(played.body.game).toMatchObject({ plyCount: 1, viewer: null });
  const again = await send(server.http, path, { method: 'post', body }, await tokenOf('games:play', 'games:read')); // prettier-ignore
  expect(again.body.game.viewer).toMatchObject({ seat: 'first' });
});

describe('over a socket', () => {
  const firstOf = async (query: string, ...scopes: readonly Scope[]) => {
    const socket = await openSocket(server, await tokenOf(...scopes));
    try {
      return await socket.send(query, { id: game.id }).next();
    } catch (refusal) {
      return refusal as readonly { readonly extensions: object }[];
    } finally {
      await socket.close();
    }
  };

  test('a subscription is refused without its scopes', async () => {
    const needing = table.Subscription.filter(isDemanding);
    for (const { name, access } of needing) {
      const field = schema.getSubscriptionType()!.getFields()[name]!;
      for (const missing of access.scopes) {
        const told = await firstOf(
          `subscription { ${selectionOf(field)} }`,
          ...ALL_SCOPES.filter((scope) => scope !== missing),
        );
        expect(JSON.stringify(told)).toContain(REFUSED);
      }
    }
  });

  test('each event contains only what the scopes allow', async () => {
    const by = await tokenOf('games:read', 'challenges:read');
    const socket = await openSocket(server, by);
    const events = socket.send('subscription { myEvents { type gameId } }');
    const lobby = socket.send('subscription { lobbyChanged { id } }');
    const next = Promise.all([events.next(), lobby.next()]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    must(await restApi(server.http).createSeek(ann, TERMS));
    const [event, change] = await next;
    expect([event.errors, change.errors]).toEqual([undefined, undefined]);
    expect(change.data).toHaveProperty('lobbyChanged');
    await socket.close();
  });

  test('a game is shown without the player’s part, which is refused', async () => {
    const query = 'subscription ($id: ID!) { gameChanged(gameId: $id) { id viewer { seat } } }';
    const told = await firstOf(query, 'imports');
    expect(told).toMatchObject({
      data: { gameChanged: { id: game.id, viewer: null } },
      errors: [{ extensions: { code: REFUSED, scope: 'games:read' } }],
    });
    expect(await firstOf(query, 'games:read')).toMatchObject({
      data: { gameChanged: { viewer: { seat: 'FIRST' } } },
    });
  });
});
