import { openApi } from '../../src/pages/openapi.js';
import { graphqlApi, restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type By, type Json, must, send } from '../support/transport.js';

/** The form of all lists in REST, and the links from page to page. */

const PLIES = ['g1f3', 'g8f6', 'f3g1', 'f6g8', 'b1c3', 'b8c6', 'c3b1'];

let server: TestServer;
let ann: Person;
let ben: Person;
let id: string;

beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  const api = restApi(server.http);
  const game = await begin(api, ann, ben);
  id = game.id;
  await playMoves(api, game, PLIES, { first: ann, second: ben });
  for (let i = 0; i < 4; i += 1) await begin(api, ann, ben);
});

afterAll(() => server.close());

/** Where a link of an answer leads; undefined if it is missing. */
function linkOf(link: string | undefined, rel: string): string | undefined {
  const found = (link ?? '').split(', ').find((one) => one.endsWith(`; rel="${rel}"`));
  return found?.slice(1, found.indexOf('>'));
}

/** All pages from an address on, following the links. */
async function walked(path: string, rel: 'next' | 'prev', by: By = null): Promise<readonly Json[]> {
  const pages: Json[] = [];
  for (let at: string | undefined = path; at !== undefined;) {
    const { status, body, headers } = await send(server.http, at, {}, by);
    expect(status).toBe(200);
    pages.push(body);
    at = linkOf(headers['link'], rel);
    expect(at !== undefined).toBe((rel === 'next' ? body.next : body.previous) !== null);
  }
  return pages;
}

test('the document has one form of lists', () => {
  const { paths, components } = openApi(server.app);
  const named = components!.schemas! as Record<string, Json>;
  const answers = Object.values(paths).flatMap(({ get }) => {
    const schema = (get?.responses['200'] as Json)?.content?.['application/json']?.schema;
    return schema === undefined
      ? []
      : [schema.$ref === undefined ? schema : named[schema.$ref.split('/').at(-1)]];
  });
  expect(answers.filter(({ type }) => type === 'array')).toEqual([]);
  expect(answers.filter(({ properties = {} }) => 'pageInfo' in properties || 'edges' in properties)).toEqual(
    [],
  );
  const lists = answers.filter(({ properties = {} }) => 'items' in properties && !('hasMore' in properties));
  expect(lists.length).toBeGreaterThan(15);
  for (const { required } of lists) expect(required).toEqual(expect.arrayContaining(['items', 'next']));
});

test.each([1, 2, 3, 7, 100])('links lead through the plies by %d, forwards and backwards', async (size) => {
  const api = graphqlApi(server.http);
  const seqs = must(await api.moves(null, id)).edges.map(({ node }) => node.seq);
  const of = (page: Json): number[] => page.items.map(({ seq }: Json) => seq);
  const forwards = await walked(`/v1/games/${id}/moves?first=${size}&takenBack=true`, 'next');
  expect(forwards.flatMap(of)).toEqual(seqs);
  const back = await walked(`/v1/games/${id}/moves?last=${size}`, 'prev');
  expect([...back].reverse().flatMap(of)).toEqual(seqs);
});

const itemsOf = ({ items }: Json): readonly Json[] => items;

test.each([1, 2, 100])('links lead through the log of a game by %d, forwards and backwards', async (size) => {
  const path = `/v1/games/${id}/log`;
  const all = itemsOf((await send(server.http, path)).body);
  expect(all.length).toBeGreaterThan(2);
  expect((await walked(`${path}?first=${size}`, 'next')).flatMap(itemsOf)).toEqual(all);
  const back = await walked(`${path}?last=${size}`, 'prev');
  expect([...back].reverse().flatMap(itemsOf)).toEqual(all);
});

test('links lead through the events', async () => {
  const path = `/v1/games/${id}/events`;
  const all = itemsOf((await send(server.http, path)).body);
  const pages = await walked(`${path}?first=4`, 'next');
  expect(pages.flatMap(itemsOf)).toEqual(all);
  expect(pages).toHaveLength(Math.ceil(all.length / 4));
});

test('links allow a change of direction', async () => {
  const path = `/v1/games/${id}/moves`;
  const { headers } = await send(server.http, `${path}?first=2`);
  const second = await send(server.http, linkOf(headers['link'], 'next')!);
  expect(second.body.items.map(({ ply }: Json) => ply)).toEqual([3, 4]);
  const back = await send(server.http, linkOf(second.headers['link'], 'prev')!);
  expect(back.body.items.map(({ ply }: Json) => ply)).toEqual([1, 2]);
  const last = await send(server.http, `${path}?last=2`);
  const before = await send(server.http, linkOf(last.headers['link'], 'prev')!);
  expect(before.body.items.map(({ ply }: Json) => ply)).toEqual([4, 5]);
  const again = await send(server.http, linkOf(before.headers['link'], 'next')!);
  expect(again.body.items.map(({ ply }: Json) => ply)).toEqual([6, 7]);
});

test('a link keeps the filter, and a forward-only list has no previous link', async () => {
  const pages = await walked('/v1/me/games?list=running&first=2', 'next', ann);
  expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  const { headers, body } = await send(server.http, '/v1/me/games?list=running&first=2', {}, ann);
  expect(headers['link']).toBe(`</v1/me/games?list=running&first=2&after=${body.next}>; rel="next"`);
  expect(pages[1]).not.toHaveProperty('previous');
});

test('a list on one page has no links', async () => {
  const { headers, body } = await send(server.http, '/v1/rulesets');
  expect([headers['link'], body.next]).toEqual([undefined, null]);
});
