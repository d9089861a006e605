import { Ajv } from 'ajv';
import { openApi } from '../../src/pages/openapi.js';
import { restApi } from '../support/api.js';
import { strictOpenApi } from '../support/openapi-validation.js';
import { bearer, PASSWORD, type Person, register } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { type By, type Json, must, send } from '../support/transport.js';

/** Every example of the OpenAPI document is valid: each body is sent, each value fits its schema. */

let server: TestServer;
let document: Json;
let ann: Person;
/** As examples name them. */
let namedBen: Person;

beforeAll(async () => {
  server = await startServer();
  document = JSON.parse(JSON.stringify(openApi(server.app)));
  ann = await register(server.http, 'ann');
  const session = must(await restApi(server.http).register(null, { username: 'ben', password: PASSWORD }));
  namedBen = { ...session.user, ...bearer(session), refreshToken: session.refreshToken };
});

afterAll(() => server.close());

interface Sent {
  readonly by: By;
  /** The values in the address. */
  readonly id?: string;
}

const api = () => restApi(server.http);

const challenged = async (): Promise<string> => {
  const terms = { ruleset: 'chess', timeControl: NO_CLOCK, opponent: namedBen.username };
  return must(await api().createChallenge(ann, terms)).id;
};

async function ended(): Promise<string> {
  const { id } = await begin(api(), ann, namedBen);
  must(await api().resign(ann, id));
  return id;
}

const ofChallenge = async (): Promise<Sent> => ({ by: namedBen, id: await challenged() });
const ofAnn = (): Promise<Sent> => Promise.resolve({ by: ann });

/** Who sends the examples of a route, and about what. */
const SCENES: Readonly<Record<string, () => Promise<Sent>>> = {
  'post /v1/analyse': () => Promise.resolve({ by: null }),
  'post /v1/challenges': ofAnn,
  'post /v1/challenges/{id}/accept': ofChallenge,
  'post /v1/challenges/{id}/counter': ofChallenge,
  'post /v1/challenges/{id}/decline': ofChallenge,
  'post /v1/games/{id}/rematch': async () => ({ by: ann, id: await ended() }),
  'post /v1/imports': ofAnn,
  'post /v1/me/vacations': ofAnn,
  'post /v1/notifications/read': ofAnn,
  'post /v1/seeks': ofAnn,
};

/** The examples of bodies by route: name and value. */
function bodies(): readonly (readonly [route: string, name: string, value: object])[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, { requestBody }]) =>
      Object.entries<Json>(requestBody?.content['application/json']?.examples ?? {}).map(
        ([name, { value }]) => [`${method} ${path}`, name, value as object] as const,
      ),
    ),
  );
}

test('accepts each example of a body', async () => {
  const all = bodies();
  expect([...new Set(all.map(([route]) => route))].sort()).toEqual(Object.keys(SCENES));
  for (const [route, name, body] of all) {
    const { by, id } = await SCENES[route]!();
    const path = route.split(' ')[1]!.replace('{id}', id ?? '');
    const { status, text } = await send(server.http, path, { method: 'post', body }, by);
    expect([route, name, status, status < 300 ? '' : text]).toEqual([route, name, status, '']);
  }
});

test('accepts a missing body where it is optional', async () => {
  const free = Object.entries<Json>(document.paths).flatMap(([path, { post }]) =>
    post?.requestBody !== undefined && post.requestBody.required === false ? [path] : [],
  );
  expect(free).toContain('/v1/games/{id}/resign');
  expect(free).not.toContain('/v1/games/{id}/moves');
  const api = restApi(server.http);
  for (const path of free) {
    const game = await begin(api, ann, namedBen, { timeControl: { type: 'perMove', seconds: 86_400 } });
    await playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: namedBen });
    const id = path.startsWith('/v1/challenges') ? await challenged() : game.id;
    const { body } = await send(server.http, path.replace('{id}', id), { method: 'post' }, namedBen);
    // The state of the game may prevent it, but not the missing body.
    expect([path, body.code]).not.toEqual([path, 'BAD_INPUT']);
  }
});

test('each example of a value fits its schema', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(strictOpenApi(server.app), 'openapi');
  let seen = 0;
  const look = (value: Json, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    // A property may be called `example`, too.
    if (Array.isArray(value.examples) && !at.endsWith('/properties')) {
      const validate = ajv.getSchema(`openapi#${at}`)!;
      for (const example of value.examples) {
        seen += 1;
        void validate(example);
        expect([at, example, validate.errors]).toEqual([at, example, null]);
      }
    }
    for (const [name, part] of Object.entries<Json>(value)) {
      const step = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
      look(part, `${at}/${step}`);
    }
  };
  look(document, '');
  expect(seen).toBeGreaterThan(50);
});

/** Examples of a parameter that exclude the others, and what to send instead of those. */
const APART: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  '/v1/rulesets/{ruleset}/explorer': { setup: { ruleset: 'half-court-chess' } },
};

test('answers each address with the examples of its parameters', async () => {
  must(await restApi(server.http).register(null, { username: 'ann', password: PASSWORD }));
  const asked: string[] = [];
  const ask = async (path: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
    const query = Object.fromEntries(Object.entries(values).filter(([name]) => !path.includes(`{${name}}`)));
    const { status, text } = await send(server.http, at, { query });
    expect([at, query, status, status === 200 ? '' : text]).toEqual([at, query, 200, '']);
    asked.push(path);
  };
  for (const [path, { get }] of Object.entries<Json>(document.paths)) {
    const parameters: readonly Json[] = (get?.parameters ?? []).filter((each: Json) => each.in !== 'header');
    const shown = parameters.map(({ name, required, example, schema }) => ({
      name: name as string,
      required: required as boolean,
      value: example ?? schema.examples?.[0],
    }));
    const known = shown.filter(({ value }) => value !== undefined);
    // What an application does as itself needs its token.
    if (JSON.stringify(get?.security ?? []).includes('"application"')) continue;
    if (known.length === 0 || shown.some(({ required, value }) => required && value === undefined)) continue;
    const apart = APART[path] ?? {};
    const together = known.filter(({ name }) => !(name in apart));
    await ask(path, Object.fromEntries(together.map(({ name, value }) => [name, value])));
    for (const { name, value } of known.filter((each) => each.name in apart)) {
      await ask(path, { [name]: value, ...apart[name] });
    }
  }
  expect(asked.length).toBeGreaterThan(5);
});
