import { clientSeedHash } from '../../src/fairness/commitment.js';
import { formatsOf, write } from '../../src/formats/formats.js';
import { JSON_FIELDS } from '../../src/formats/json-writer.js';
import { ExportsService } from '../../src/features/exports/exports.service.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { rulesets } from '../../src/rules/registry.js';
import { type Api, graphqlApi, restApi, VERBS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { expectedScore, exported, gamesIn } from '../support/exports.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Body, must, select, send } from '../support/transport.js';
import { get } from '../support/verb.js';

/** One game as text: in every format of its rule set, running and ended, and compared with the API. */

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;
const BANK = { timeControl: { type: 'bank', initial: 90_000, increment: 3600, cap: 90_000 } };
const ADDRESS = 'https://play.example.org';
const NOTE = 'nobody-reads-this';

beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: `${ADDRESS}/` });
  api = restApi(server.http);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close());

const players = () => ({ first: ann, second: ben });

/** The first legal moves, up to a given number. */
async function anyMoves(id: string, many: number): Promise<void> {
  for (let i = 0; i < many; i += 1) {
    const { data: game } = await api.game(null, id);
    // Some of the drawn set-ups have a mate within a few plies.
    if (game.turn === null) return;
    const by = players()[game.turn];
    const { data: legal } = await api.legalMoves(by, id);
    await api.makeMove(by, id, game.plyCount + 1, legal[(i * 7) % legal.length]!.move);
  }
}

/** Each format describes the same game, in its own notation. */
async function expectExported(id: string): Promise<void> {
  const score = await expectedScore(api, id);
  for (const { id: format, mediaType, extension } of formatsOf(score.ruleset)) {
    const { text, ...sent } = await exported(server.http, VERBS.exportGame.rest(id, { format }));
    expect(sent).toEqual({
      status: 200,
      type: expect.stringContaining(mediaType),
      disposition: `attachment; filename="${score.ruleset}-${id}.${extension}"`,
    });
    const [back] = gamesIn(text, format);
    expect(write(back!, format)).toBe(text);
    if (format === 'ucci') expect(write(score, format)).toBe(text);
    else expect(back).toEqual(format === 'json' ? score : { ...score, facts: null });
  }
}

const inGraphql = (id: string, format?: string) => graphqlApi(server.http).exportGame(null, id, { format });

test.each(rulesets().map(({ id }) => id))('exports games of %s, running and ended', async (ruleset) => {
  const { id } = await begin(api, ann, ben, { ruleset, rated: true });
  await expectExported(id);
  await anyMoves(id, 7);
  await expectExported(id);
  await api.resign(ben, id);
  await expectExported(id);
  const usual = await exported(server.http, VERBS.exportGame.rest(id));
  expect(usual.text).toBe(write(gamesIn(usual.text)[0]!, formatsOf(ruleset)[0]!.id));
  expect((await inGraphql(id)).data).toBe(usual.text);
  expect((await inGraphql(id, 'json')).data).toContain('"plies":');
});

test('clocks, offers, a takeback, conditional moves and notes: only what was played is exported', async () => {
  const { id } = await begin(api, ann, ben, { ...BANK, ruleset: 'chess' });
  await api.setConditionalMoves(ann, id, [{ when: 'e7e5', reply: 'g1f3' }]);
  await api.makeMove(ann, id, 1, 'e2e4');
  await api.setConditionalMoves(ann, id, [
    { when: 'e7e5', reply: 'g1f3', then: [{ when: 'b8c6', reply: 'f1b5' }] },
  ]);
  await api.makeMove(ben, id, 2, 'e7e5', { offerDraw: true });
  await api.makeMove(ben, id, 4, 'd7d6');
  await api.makeMove(ann, id, 5, 'd2d4');
  await api.plain(ann, 'offerTakeback', id);
  await api.plain(ben, 'acceptTakeback', id);
  await api.makeMove(ann, id, 5, 'f1c4', { offerDraw: true });
  await api.setConditionalMoves(ann, id, [{ when: 'a7a6', reply: 'h2h4' }]);
  must(await api.setNote(ann, id, NOTE));
  await expectExported(id);
  for (const format of ['pgn', 'json']) {
    const { text } = await exported(server.http, VERBS.exportGame.rest(id, { format }));
    expect(text).not.toMatch(new RegExp(`\\b(${NOTE}|h2h4|h4|f1b5|Bb5|d2d4|d4)\\b`));
  }
  const { text } = await exported(server.http, VERBS.exportGame.rest(id));
  expect(text).toContain('[%auto 1]');
  const [game] = gamesIn(text);
  expect(game!.plies.map(({ move }) => move)).toEqual(['e2e4', 'e7e5', 'g1f3', 'd7d6', 'f1c4']);
  expect(game!.plies.map(({ clock }) => clock)).toEqual([90_000, 90_000, 90_000, 90_000, 90_000]);
  await api.plain(ben, 'acceptDraw', id);
  await expectExported(id);
});

test('a text shows the row that was read, whatever is played in the meantime', async () => {
  const exports = server.app.get(ExportsService, { strict: false });
  const { id } = await begin(api, ann, ben, { ruleset: 'chess' });
  await anyMoves(id, 4);
  const row = await server.app.get(GamesService, { strict: false }).game(id);
  const before = await exports.text(row, { format: 'pgn' });
  await api.plain(ann, 'offerTakeback', id);
  await api.plain(ben, 'acceptTakeback', id);
  await anyMoves(id, 3);
  expect(await exports.text(row, { format: 'pgn' })).toBe(before);
});

test('exports an aborted game, and one with a chosen set-up', async () => {
  const { id } = await begin(api, ann, ben, { ruleset: 'xiangqi' });
  await playMoves(api, (await api.game(null, id)).data, ['h3e3'], players());
  await api.abort(ben, id);
  await expectExported(id);
  const setup = 'QNRKB/qnrkb';
  const terms = { ruleset: 'half-court-chess', options: { setup } };
  const chosen = await begin(api, ann, ben, terms);
  await anyMoves(chosen.id, 3);
  await expectExported(chosen.id);
});

test('a game that waits for its seed is not exported, and neither is it once aborted', async () => {
  const hash = clientSeedHash(newSeed());
  const terms = { ruleset: 'banqi-taiwan', clientSeedHash: hash, timeControl: NO_CLOCK };
  const { id, status } = await begin(api, ann, ben, terms);
  expect(status).toBe('pending');
  expect(await exported(server.http, VERBS.exportGame.rest(id))).toMatchObject({
    status: 409,
    code: 'GAME_PENDING',
  });
  const { headers } = await send(server.http, `/v1/${VERBS.exportGame.rest(id).path}`);
  expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(headers).not.toHaveProperty('etag');
  expect(must(await inGraphql(id))).toBeNull();
  await api.abort(ann, id);
  expect(await exported(server.http, VERBS.exportGame.rest(id))).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
});

test('exports only the requested fields, or all except the excluded ones', async () => {
  const { id } = await begin(api, ann, ben, { ruleset: 'banqi-taiwan' });
  await anyMoves(id, 2);
  const fieldsOf = async (fields: string) => {
    const { text } = await exported(server.http, VERBS.exportGame.rest(id, { format: 'json', fields }));
    expect((await graphqlApi(server.http).exportGame(null, id, { format: 'json', fields })).data).toBe(text);
    return Object.keys(JSON.parse(text) as object);
  };
  const all = ['format', 'version', ...JSON_FIELDS];
  expect(await fieldsOf('plies, id')).toEqual(['format', 'version', 'id', 'plies']);
  expect(await fieldsOf('-plies,-tags')).toEqual(all.filter((name) => !['plies', 'tags'].includes(name)));
  const refusals: [Body, string][] = [
    [{ fields: 'id,moves' }, `A game has no field "moves". Use only ${JSON_FIELDS.join(', ')}.`],
    [{ fields: '' }, 'A game has no field "".'],
    [{ fields: '-version' }, 'A game has no field "version".'],
    [
      { fields: 'id,-tags' },
      'fields must either choose ("id,plies") or leave out ("-plies,-tags"), not both; got "id,-tags".',
    ],
    [{ fields: 'id', format: 'text' }, 'fields works only with games in JSON'],
  ];
  for (const [asked, detail] of refusals) {
    const refused = await exported(server.http, VERBS.exportGame.rest(id, { format: 'json', ...asked }));
    expect(refused).toMatchObject({ status: 400, code: 'BAD_INPUT', field: 'fields' });
    expect(refused.detail).toContain(detail);
  }
});

test('importing the JSON export gives the same game, except for the mark', async () => {
  const { id } = await begin(api, ann, ben, { ruleset: 'half-chess', rated: true });
  await anyMoves(id, 5);
  await api.resign(ann, id);
  const { text } = await exported(server.http, VERBS.exportGame.rest(id, { format: 'json' }));
  const [game] = must(await api.importGames(ann, { text }));
  const back = must(await api.exportImportedGame(null, game!.id, 'json'));
  const importedAt = game!.importedAt.replace(/\.\d+Z$/, 'Z');
  expect(JSON.parse(back)).toEqual({ ...(JSON.parse(text) as object), importedAt });
  expect(game).not.toHaveProperty('facts');
});

test('refuses invalid requests', async () => {
  const { id } = await begin(api, ann, ben, { ruleset: 'xiangqi' });
  const none = 'af13b56a-0a65-4a3b-9e43-0e0f5d1f7e0d';
  for (const [format, right] of [
    ['pgn', 'one of wxf, iccs, ucci, json'],
    ...['PNG', '', 'toString'].map((unknown) => [unknown, ' pgn, wxf, iccs, ucci, text, json']),
  ] as const) {
    const refused = await exported(server.http, VERBS.exportGame.rest(id, { format }));
    expect(refused).toMatchObject({ status: 400, code: 'BAD_INPUT', field: 'format' });
    expect(refused.detail).toContain(right);
  }
  expect((await inGraphql(id, 'pgn')).refusal).toMatchObject({
    code: 'BAD_INPUT',
    field: 'format',
  });
  expect(await exported(server.http, VERBS.exportGame.rest('x'))).toMatchObject({ status: 404, field: 'id' });
  expect(await exported(server.http, VERBS.exportGame.rest(none))).toMatchObject({ status: 404 });
  expect(await exported(server.http, VERBS.exportGame.rest(id, { kind: 'pgn' }))).toMatchObject({
    status: 400,
  });
  const { path } = VERBS.exportGame.rest(id);
  expect(await exported(server.http, get(`${path}?format=wxf&format=json`))).toMatchObject({ status: 400 });
});

test('a list exports each game in the same way', async () => {
  const { text } = await exported(server.http, VERBS.exportGamesOf.rest(ann.username.toUpperCase()));
  const lines = text.split('\n').slice(0, -1);
  expect(lines).toHaveLength(rulesets().length + 3);
  for (const line of lines) {
    const { id } = JSON.parse(line) as { readonly id: string };
    const alone = await exported(server.http, VERBS.exportGame.rest(id, { format: 'json' }));
    expect(`${line}\n`).toBe(alone.text);
  }
  expect(text).toContain('"automatic":true');
  expect(text).not.toContain(NOTE);
});

test('a game that ends while a list is sent belongs to the next: it may end before games already sent', async () => {
  const listed = async () => (await exported(server.http, VERBS.exportGamesOf.rest(ann.username))).text;
  const before = await listed();
  const { id } = gamesIn(before.split('\n')[0]!)[0]!;
  const { game } = server.app.get(PrismaService).db;
  const { endedAt } = await game.findUniqueOrThrow({ where: { id: id! } });
  const ends = (moment: Date) =>
    game.update({ where: { id: id! }, data: { endedAt: moment, lastActivityAt: moment } });
  await ends(new Date(Date.now() + 3_600_000));
  expect(await listed()).not.toContain(id);
  await ends(endedAt!);
  expect(await listed()).toBe(before);
});

test('an export costs 100 fields', async () => {
  const ask = (first: number) =>
    select(
      server.http,
      null,
      VERBS.games.graphql({}, undefined, { first }),
      '{ edges { node { a: export b: export } } }',
    );
  expect((await ask(50)).refusal).toBeUndefined();
  expect((await ask(80)).message).toContain('the limit is 16000');
});
