import { randomUUID } from 'node:crypto';
import { graphqlApi, restApi, TRANSPORTS, VERBS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { fewestStatements } from '../support/statements.js';
import { must, select, sendGraphql } from '../support/transport.js';

/** Objects by their ids, including unknown ids. */
// Both databases: each driver sends lists in its own way.

let server: TestServer;
let ann: Person;
let ben: Person;
let ids: readonly string[];

beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  const made: string[] = [];
  for (let i = 0; i < 4; i += 1) made.push((await begin(restApi(server.http), ann, ben)).id);
  ids = made;
  must(await restApi(server.http).resign(ann, ids[2]!));
});

afterAll(() => server.close());

describe.each(TRANSPORTS)('games by their ids over %s', (_, over) => {
  const asked = async (wanted: readonly string[], by: Person | null = null) =>
    must(await over(server.http).gamesByIds(by, wanted));

  it('come in the order of the ids, and twice for a repeated id', async () => {
    const order = [ids[3]!, ids[0]!, ids[2]!, ids[0]!];
    const games = await asked(order);
    expect(games.map((game) => game!.id)).toEqual(order);
    expect(games[1]).toEqual(must(await over(server.http).game(null, ids[0]!)));
  });

  it('are null for an unknown id', async () => {
    const games = await asked([ids[1]!, randomUUID(), 'nonsense', '', ids[0]!.toUpperCase()]);
    expect(games.map((game) => game?.id ?? null)).toEqual([ids[1], null, null, null, ids[0]]);
  });

  it('are shown as their viewer sees them', async () => {
    expect((await asked([ids[0]!], ben)).map((game) => game!.viewer?.seat)).toEqual(['second']);
    expect((await asked([ids[0]!])).map((game) => game!.viewer)).toEqual([null]);
  });

  it('are limited to a hundred', async () => {
    const hundred = Array.from({ length: 100 }, () => ids[0]!);
    const found = await select(
      server.http,
      null,
      VERBS.gamesByIds.graphql(hundred),
      '{ id viewer { seat } }',
    );
    expect(must(found)).toHaveLength(100);
    const more = VERBS.gamesByIds.graphql([...hundred, ids[1]!]);
    const { refusal } = await select(server.http, null, more, '{ id }');
    expect(refusal).toEqual({ code: 'BAD_INPUT', field: 'ids' });
  });

  it('need the same number of statements for any number', async () => {
    const many = await fewestStatements(() => asked(ids));
    expect(many.length).toBe((await fewestStatements(() => asked([ids[0]!, ids[2]!]))).length);
  });
});

test('an unknown id does not null the whole query', async () => {
  const query = `query ($id: ID!, $no: ID!) {
    game(id: $id) { id } a: game(id: $no) { id } b: game(id: "nonsense") { id }
    c: challenge(id: $no) { id } d: challenge(id: "nonsense") { id }
    e: importedGame(id: $no) { id } f: importedGame(id: "nonsense") { id }
    g: node(nodeId: $no) { nodeId } h: node(nodeId: "nonsense") { nodeId }
  }`;
  const { body } = await sendGraphql(server.http, query, { id: ids[0], no: randomUUID() });
  expect(body).toMatchObject({
    data: { game: { id: ids[0] }, a: null, b: null, c: null, d: null, e: null, f: null, g: null, h: null },
  });
});

test('fields below an unknown game are null with it', async () => {
  expect((await graphqlApi(server.http).moves(null, randomUUID())).data).toBeNull();
  expect((await restApi(server.http).moves(null, randomUUID())).refusal?.code).toBe('NOT_FOUND');
});
