import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv, type ValidateFunction } from 'ajv';
import request from 'supertest';
import { RAW_TYPES } from '../../src/imports/raw-texts.js';
import { openApi } from '../../src/transport/openapi.js';
import { strictOpenApi } from '../support/forms.js';
import { begin, NO_CLOCK, type Person, register, restPlay } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';

/** What is answered has the form that openapi.json promises. */

let server: TestServer;
let ann: Person;
let ben: Person;
let ajv: Ajv;

beforeAll(async () => {
  server = await startServer();
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(strictOpenApi(server.app), 'openapi');
}, 180_000);

afterAll(() => server.close());

const schemaOf = (name: string): ValidateFunction => ajv.getSchema(`openapi#/components/schemas/${name}`)!;

async function expectForm(name: string, path: string, by: Person | null = null): Promise<void> {
  const asked = request(server.http).get(path);
  const { body } = await (by === null ? asked : asked.set('Authorization', by.authorization));
  const validate = schemaOf(name);
  for (const item of Array.isArray(body) ? (body as unknown[]) : [body]) {
    validate(item);
    expect(validate.errors).toBeNull();
  }
}

test('the document itself is one', async () => {
  const validator = new Validator();
  expect(
    await validator.validate(JSON.parse(JSON.stringify(openApi(server.app))) as Record<string, unknown>),
  ).toEqual({
    valid: true,
  });
  expect(validator.version).toBe('3.0');
});

test('an import is said in each form that a body may have', () => {
  const { requestBody, parameters } = openApi(server.app).paths['/v1/imports']!.post!;
  const content = requestBody !== undefined && 'content' in requestBody ? requestBody.content : {};
  expect(Object.keys(content)).toEqual(['application/json', ...RAW_TYPES]);
  const inQuery = parameters!.flatMap((each) => ('in' in each && each.in === 'query' ? [each.name] : []));
  expect(inQuery.sort()).toEqual(['format', 'result', 'ruleset']);
});

test('each placeholder of an address is declared, and each operation has an id of its own', () => {
  const operations = Object.entries(openApi(server.app).paths).flatMap(([path, item]) =>
    (['get', 'put', 'post', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, operation }];
    }),
  );
  for (const { path, operation } of operations) {
    const inPath = (operation.parameters ?? []).filter((each) => 'in' in each && each.in === 'path');
    const declared = inPath.map((each) => 'name' in each && each.required && each.name);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect([path, declared.sort()]).toEqual([path, names.sort()]);
  }
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('rule sets, users, challenges and errors', async () => {
  const play = restPlay(server.http);
  const link = await play.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK });
  await expectForm('Ruleset', '/v1/rulesets');
  await expectForm('User', '/v1/me', ann);
  await expectForm('Challenge', `/v1/challenges/${link.data.id}`, ann);
  await expectForm('ChallengeConnection', '/v1/challenges?box=outgoing', ann);
  await expectForm('Problem', '/v1/games/nonsense');
  await expectForm('Problem', '/v1/me');
});

test.each(['chess', 'half-court-chess', 'banqi-taiwan'])(
  'a game of %s, running and over',
  async (ruleset) => {
    const play = restPlay(server.http);
    const { id } = await begin(play, ann, ben, { ruleset });
    const { data } = await play.legalMoves(ann, id);
    await play.makeMove(ann, id, 1, data[0]!.move);
    for (const resigned of [false, true]) {
      if (resigned) await play.resign(ben, id);
      await expectForm('GameDocument', `/v1/games/${id}`, ann);
      await expectForm('GamePage', '/v1/games', ann);
      await expectForm('PlyConnection', `/v1/games/${id}/moves`);
      await expectForm('GameEvent', `/v1/games/${id}/events`);
      await expectForm('LegalMove', `/v1/games/${id}/legal-moves`, ben);
    }
  },
);

test('a game with offers, a bank, a takeback and conditional moves, and what is told of it', async () => {
  const play = restPlay(server.http);
  const timeControl = { type: 'bank', initial: 86_400, increment: 3600, cap: 90_000 };
  const { id } = await begin(play, ann, ben, { timeControl });
  await play.makeMove(ann, id, 1, 'e2e4');
  await play.setConditionalMoves(ann, id, [
    { when: 'e7e5', reply: 'g1f3', then: [{ when: 'b8c6', reply: 'd2d4' }] },
  ]);
  await play.makeMove(ben, id, 2, 'e7e5', { offerDraw: true });
  await play.plain(ann, 'offerTakeback', id);
  await play.plain(ben, 'acceptTakeback', id);
  await play.plain(ben, 'offerPause', id);
  await play.plain(ann, 'acceptPause', id);
  await play.plain(ann, 'unpause', id);
  const send = (path: string, body: object) =>
    request(server.http).put(`/v1/${path}`).set('Authorization', ann.authorization).send(body);
  await request(server.http)
    .post(`/v1/games/${id}/messages`)
    .set('Authorization', ann.authorization)
    .send({ text: 'Sorry for that.' });
  await send(`games/${id}/note`, { note: 'Sicilian next time' });
  await send(`me/blocks/${ben.username}`, {});
  await expectForm('GameDocument', `/v1/games/${id}`, ben);
  await expectForm('GamePage', '/v1/games?list=running', ben);
  await expectForm('PlyConnection', `/v1/games/${id}/moves?takenBack=true`);
  await expectForm('GameEvent', `/v1/games/${id}/events`);
  await expectForm('MessageConnection', `/v1/games/${id}/messages`, ann);
  await expectForm('Note', `/v1/games/${id}/note`, ann);
  await expectForm('Mute', `/v1/games/${id}/mute`, ann);
  await expectForm('BlockedUserConnection', '/v1/me/blocks', ann);
  await expectForm('NotificationConnection', '/v1/notifications', ben);
});

test('a set-up, and lines without a game', async () => {
  await expectForm('Setup', '/v1/rulesets/half-court-chess/setups/4242');
  const validate = schemaOf('Analysis');
  for (const input of [
    { ruleset: 'chess', moves: ['f2f3', 'e7e5', 'g2g4', 'd8h4'].map((move) => ({ move })) },
    { ruleset: 'banqi-taiwan', moves: [{ move: 'a1', reveals: 'K' }] },
  ]) {
    validate((await request(server.http).post('/v1/analyse').send(input)).body);
    expect(validate.errors).toBeNull();
  }
});

test('what has another form would be noticed', () => {
  expect(schemaOf('Outcome')({ winner: 'white', reason: 'checkmate' })).toBe(false);
  expect(schemaOf('Outcome')({ winner: null, reason: 'stalemate' })).toBe(true);
});

test('ratings', async () => {
  const play = restPlay(server.http);
  const cid = await register(server.http, 'cid');
  const { id } = await begin(play, ann, cid, { rated: true });
  await play.makeMove(ann, id, 1, 'e2e4');
  await play.makeMove(cid, id, 2, 'e7e5');
  await play.resign(ann, id);
  await expectForm('GameDocument', `/v1/games/${id}`);
  await expectForm('Rating', `/v1/users/${ann.username}/ratings`);
  await expectForm('RatingHistoryConnection', `/v1/users/${ann.username}/ratings/chess`);
  await expectForm('LeaderboardConnection', '/v1/leaderboards/chess');
  await expectForm('RatingDistribution', '/v1/ratings/chess/distribution');
  await expectForm('ExpectedScore', `/v1/expected-score?ruleset=chess&a=${ann.username}&b=${cid.username}`);
});
