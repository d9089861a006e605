import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv, type ValidateFunction } from 'ajv';
import { RAW_TYPES } from '../../src/features/imports/raw-texts.js';
import { openApi } from '../../src/pages/openapi.js';
import { restApi, VERBS } from '../support/api.js';
import { strictOpenApi } from '../support/openapi-validation.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { type By, must, type Rest, send } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** The answers have the form that openapi.json promises. */

let server: TestServer;
let ann: Person;
let ben: Person;
let ajv: Ajv;

beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(strictOpenApi(server.app), 'openapi');
});

afterAll(() => server.close());

const schemaOf = (name: string): ValidateFunction =>
  ajv.getSchema(name === 'record' ? RECORD : `openapi#/components/schemas/${name}`)!;

/** Operations without a name in the document are found by their address. */
const RECORD =
  'openapi#/paths/~1v1~1games~1%7Bid%7D~1record/get/responses/200/content/application~1json/schema';

/** The answer of REST has the form that the document promises. */
async function expectForm(name: string, { path, query }: Rest, by: By = null): Promise<void> {
  const { body } = await send(server.http, `/v1/${path}`, { query }, by);
  const validate = schemaOf(name);
  validate(body);
  expect(validate.errors).toBeNull();
}

test('the document is valid', async () => {
  const validator = new Validator();
  expect(
    await validator.validate(JSON.parse(JSON.stringify(openApi(server.app))) as Record<string, unknown>),
  ).toEqual({
    valid: true,
  });
  expect(validator.version).toBe('3.1');
});

test('the import is documented with each form of its body', () => {
  const { requestBody, parameters } = openApi(server.app).paths['/v1/imports']!.post!;
  const content = requestBody !== undefined && 'content' in requestBody ? requestBody.content : {};
  expect(Object.keys(content)).toEqual(['application/json', ...RAW_TYPES]);
  const inQuery = parameters!.flatMap((each) => ('in' in each && each.in === 'query' ? [each.name] : []));
  expect(inQuery.sort()).toEqual(['format', 'result', 'ruleset']);
});

test('each placeholder of an address is declared, and each operation has a unique id', () => {
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

test('rule sets, users, challenges and errors have the documented form', async () => {
  const api = restApi(server.http);
  const link = await api.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK });
  await expectForm('RulesetPage', VERBS.rulesets.rest());
  await expectForm('User', VERBS.me.rest(), ann);
  await expectForm('Challenge', VERBS.challenge.rest(link.data.id), ann);
  await expectForm('ChallengePage', VERBS.challenges.rest({ box: 'outgoing' }), ann);
  await expectForm('Problem', VERBS.game.rest('nonsense'));
  await expectForm('Problem', VERBS.me.rest());
});

test.each(['chess', 'half-court-chess', 'banqi-taiwan'])(
  'a game of %s has the documented form, running and ended',
  async (ruleset) => {
    const api = restApi(server.http);
    const { id } = await begin(api, ann, ben, { ruleset });
    const { data } = await api.legalMoves(ann, id);
    await api.makeMove(ann, id, 1, data[0]!.move);
    for (const resigned of [false, true]) {
      if (resigned) await api.resign(ben, id);
      await expectForm('Game', VERBS.game.rest(id), ann);
      await expectForm('GamePage', VERBS.myGames.rest(), ann);
      await expectForm('PlyPage', VERBS.moves.rest(id));
      await expectForm('GameEventPage', VERBS.events.rest(id));
      await expectForm('record', VERBS.record.rest(id));
      await expectForm('LegalMovePage', VERBS.legalMoves.rest(id), ben);
    }
  },
);

test('so has a game with offers, a bank, a takeback and conditional moves, and its notifications', async () => {
  const api = restApi(server.http);
  const timeControl = { type: 'bank', initial: 86_400, increment: 3600, cap: 90_000 };
  const { id } = await begin(api, ann, ben, { timeControl });
  await api.makeMove(ann, id, 1, 'e2e4');
  await api.setConditionalMoves(ann, id, [
    { when: 'e7e5', reply: 'g1f3', then: [{ when: 'b8c6', reply: 'd2d4' }] },
  ]);
  await api.makeMove(ben, id, 2, 'e7e5', { offerDraw: true });
  await api.plain(ann, 'offerTakeback', id);
  await api.plain(ben, 'acceptTakeback', id);
  await api.plain(ben, 'offerPause', id);
  await api.plain(ann, 'acceptPause', id);
  await api.plain(ann, 'unpause', id);
  must(await api.sendMessage(ann, id, 'Sorry for that.'));
  must(await api.setNote(ann, id, 'Sicilian next time'));
  must(await api.blockUser(ann, ben.username));
  await expectForm('Game', VERBS.game.rest(id), ben);
  await expectForm('GamePage', VERBS.myGames.rest({ list: 'running' }), ben);
  await expectForm('PlyPage', VERBS.moves.rest(id, { takenBack: true }));
  await expectForm('record', VERBS.record.rest(id));
  await expectForm('GameEventPage', VERBS.events.rest(id));
  await expectForm('MessagePage', VERBS.messages.rest(id), ann);
  await expectForm('Note', VERBS.note.rest(id), ann);
  await expectForm('Mute', VERBS.opponentMuted.rest(id), ann);
  await expectForm('BlockedUserPage', VERBS.blockedUsers.rest(), ann);
  await expectForm('NotificationPage', VERBS.notifications.rest(), ben);
});

test('so have a set-up, and lines without a game', async () => {
  await expectForm('Setup', VERBS.setup.rest('half-court-chess', { number: 4242 }));
  const validate = schemaOf('Analysis');
  for (const input of [
    { ruleset: 'chess', moves: ['f2f3', 'e7e5', 'g2g4', 'd8h4'].map((move) => ({ move })) },
    { ruleset: 'banqi-taiwan', moves: [{ move: 'a1', reveals: 'K' }] },
  ]) {
    validate(must(await restApi(server.http).analyse(null, input)));
    expect(validate.errors).toBeNull();
  }
});

test('an answer in another form is noticed', () => {
  expect(schemaOf('Outcome')({ winner: 'white', reason: 'checkmate' })).toBe(false);
  expect(schemaOf('Outcome')({ winner: null, reason: 'stalemate' })).toBe(true);
});

test('ratings have the documented form', async () => {
  const api = restApi(server.http);
  const cid = await register(server.http, 'cid');
  const { id } = await begin(api, ann, cid, { rated: true });
  await api.makeMove(ann, id, 1, 'e2e4');
  await api.makeMove(cid, id, 2, 'e7e5');
  await api.resign(ann, id);
  await expectForm('Game', VERBS.game.rest(id));
  await expectForm('RatingPage', VERBS.ratings.rest(ann.username));
  await expectForm('RatingHistoryPage', VERBS.ratingHistory.rest(ann.username, 'chess'));
  await expectForm('LeaderboardPage', VERBS.leaderboard.rest('chess'));
  await expectForm('RatingDistribution', VERBS.ratingDistribution.rest('chess'));
  await expectForm(
    'ExpectedScore',
    VERBS.expectedScore.rest({ pool: 'chess', a: ann.username, b: cid.username }),
  );
});
