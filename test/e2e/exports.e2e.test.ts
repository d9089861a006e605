import request from 'supertest';
import { formatsOf, write } from '../../src/formats/formats.js';
import { ExportsService } from '../../src/exports/exports.service.js';
import { GamesService } from '../../src/games/games.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { rulesets } from '../../src/rules/registry.js';
import { exported, expectedScore, gamesIn } from '../support/exports.js';
import { begin, NO_CLOCK, type Person, playMoves, register, restPlay, type Play } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';

/** One game as text: in every format of its rule set, running and over, and back to what the API shows. */

let server: TestServer;
let play: Play;
let ann: Person;
let ben: Person;
const BANK = { timeControl: { type: 'bank', initial: 90_000, increment: 3600, cap: 90_000 } };
const NOTE = 'nobody-reads-this';

beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: 'https://play.example.org/' });
  play = restPlay(server.http);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
}, 180_000);
afterAll(() => server.close());

const players = () => ({ first: ann, second: ben });

/** The first legal moves, so many of them. */
async function anyMoves(id: string, many: number): Promise<void> {
  for (let i = 0; i < many; i += 1) {
    const { data: game } = await play.game(null, id);
    // Some of the set-ups that are drawn have a mate within a few plies.
    if (game.turn === null) return;
    const by = players()[game.turn];
    const { data: legal } = await play.legalMoves(by, id);
    await play.makeMove(by, id, game.plyCount + 1, legal[(i * 7) % legal.length]!.move);
  }
}

/** Each format says the same game, and says it as it would write it. */
async function expectExported(id: string): Promise<void> {
  const score = { ...(await expectedScore(play, id)), site: 'https://play.example.org' };
  for (const { id: format, mediaType, extension } of formatsOf(score.ruleset)) {
    const { text, ...sent } = await exported(server.http, `games/${id}/export`, { format });
    expect(sent).toEqual({
      status: 200,
      type: expect.stringContaining(mediaType),
      disposition: `attachment; filename="${score.ruleset}-${id}.${extension}"`,
    });
    const [back] = gamesIn(text, format);
    expect(write(back!, format)).toBe(text);
    if (format === 'ucci') expect(write(score, format)).toBe(text);
    else expect(back).toEqual(score);
  }
}

const inGraphql = async (id: string, format?: string) => {
  const query = 'query ($id: ID!, $format: String) { game(id: $id) { id export(format: $format) } }';
  const { body } = await request(server.http).post('/graphql').send({ query, variables: { id, format } });
  return body as {
    readonly data: { readonly game: { readonly export: string | null } };
    readonly errors?: readonly { readonly extensions: { readonly code: string; readonly field?: string } }[];
  };
};

test.each(rulesets().map(({ id }) => id))('%s, running and over', async (ruleset) => {
  const { id } = await begin(play, ann, ben, { ruleset, rated: true });
  await expectExported(id);
  await anyMoves(id, 7);
  await expectExported(id);
  await play.resign(ben, id);
  await expectExported(id);
  const usual = await exported(server.http, `games/${id}/export`);
  expect(usual.text).toBe(write(gamesIn(usual.text)[0]!, formatsOf(ruleset)[0]!.id));
  expect((await inGraphql(id)).data.game.export).toBe(usual.text);
  expect((await inGraphql(id, 'json')).data.game.export).toContain('"plies":');
});

test('clocks, offers, a takeback, conditional moves and notes: what was played is said, and nothing else', async () => {
  const { id } = await begin(play, ann, ben, { ...BANK, ruleset: 'chess' });
  await play.setConditionalMoves(ann, id, [{ when: 'e7e5', reply: 'g1f3' }]);
  await play.makeMove(ann, id, 1, 'e2e4');
  await play.setConditionalMoves(ann, id, [
    { when: 'e7e5', reply: 'g1f3', then: [{ when: 'b8c6', reply: 'f1b5' }] },
  ]);
  await play.makeMove(ben, id, 2, 'e7e5', { offerDraw: true });
  await play.makeMove(ben, id, 4, 'd7d6');
  await play.makeMove(ann, id, 5, 'd2d4');
  await play.plain(ann, 'offerTakeback', id);
  await play.plain(ben, 'acceptTakeback', id);
  await play.makeMove(ann, id, 5, 'f1c4', { offerDraw: true });
  await play.setConditionalMoves(ann, id, [{ when: 'a7a6', reply: 'h2h4' }]);
  await request(server.http)
    .put(`/v1/games/${id}/note`)
    .set('Authorization', ann.authorization)
    .send({ note: NOTE })
    .expect(200);
  await expectExported(id);
  for (const format of ['pgn', 'json']) {
    const { text } = await exported(server.http, `games/${id}/export`, { format });
    expect(text).not.toMatch(new RegExp(`\\b(${NOTE}|h2h4|h4|f1b5|Bb5|d2d4|d4)\\b`));
  }
  const { text } = await exported(server.http, `games/${id}/export`);
  expect(text).toContain('[%auto 1]');
  const [game] = gamesIn(text);
  expect(game!.plies.map(({ move }) => move)).toEqual(['e2e4', 'e7e5', 'g1f3', 'd7d6', 'f1c4']);
  expect(game!.plies.map(({ clock }) => clock)).toEqual([90_000, 90_000, 90_000, 90_000, 90_000]);
  await play.plain(ben, 'acceptDraw', id);
  await expectExported(id);
});

test('a text is of one moment: of the row that was read, whatever was played since', async () => {
  const exports = server.app.get(ExportsService, { strict: false });
  const { id } = await begin(play, ann, ben, { ruleset: 'chess' });
  await anyMoves(id, 4);
  const row = await server.app.get(GamesService, { strict: false }).game(id);
  const before = await exports.text(row, 'pgn');
  await play.plain(ann, 'offerTakeback', id);
  await play.plain(ben, 'acceptTakeback', id);
  await anyMoves(id, 3);
  expect(await exports.text(row, 'pgn')).toBe(before);
});

test('an aborted game, and one whose set-up was chosen', async () => {
  const { id } = await begin(play, ann, ben, { ruleset: 'xiangqi' });
  await playMoves(play, (await play.game(null, id)).data, ['h3e3'], players());
  await play.abort(ben, id);
  await expectExported(id);
  const setup = 'QNRKB/qnrkb';
  const terms = { ruleset: 'half-court-chess', options: { setup } };
  const chosen = await begin(play, ann, ben, terms);
  await anyMoves(chosen.id, 3);
  await expectExported(chosen.id);
});

test('a game that waits for its seed is not there yet, and never was when it is called off', async () => {
  const hash = '9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0';
  const terms = { ruleset: 'banqi-taiwan', clientSeedHash: hash, timeControl: NO_CLOCK };
  const { id, status } = await begin(play, ann, ben, terms);
  expect(status).toBe('pending');
  expect(await exported(server.http, `games/${id}/export`)).toMatchObject({
    status: 409,
    code: 'GAME_PENDING',
  });
  expect(await inGraphql(id)).toEqual({ data: { game: { id, export: null } } });
  await play.abort(ann, id);
  expect(await exported(server.http, `games/${id}/export`)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('what cannot be asked', async () => {
  const { id } = await begin(play, ann, ben, { ruleset: 'xiangqi' });
  const none = 'af13b56a-0a65-4a3b-9e43-0e0f5d1f7e0d';
  for (const format of ['pgn', 'PNG', '', 'toString']) {
    const refused = await exported(server.http, `games/${id}/export`, { format });
    expect(refused).toMatchObject({ status: 400, code: 'BAD_INPUT', field: 'format' });
    expect(refused.detail).toContain('wxf, iccs, ucci, json');
  }
  expect((await inGraphql(id, 'pgn')).errors![0]!.extensions).toMatchObject({
    code: 'BAD_INPUT',
    field: 'format',
  });
  expect(await exported(server.http, 'games/x/export')).toMatchObject({ status: 400, field: 'id' });
  expect(await exported(server.http, `games/${none}/export`)).toMatchObject({ status: 404 });
  expect(await exported(server.http, `games/${id}/export`, { kind: 'pgn' })).toMatchObject({ status: 400 });
  const { status } = await request(server.http).get(`/v1/games/${id}/export?format=wxf&format=json`);
  expect(status).toBe(400);
});

test('a list says the same of each game', async () => {
  const { text } = await exported(server.http, `users/${ann.username.toUpperCase()}/games`);
  const lines = text.split('\n').slice(0, -1);
  expect(lines).toHaveLength(rulesets().length + 2);
  for (const line of lines) {
    const { id } = JSON.parse(line) as { readonly id: string };
    const alone = await exported(server.http, `games/${id}/export`, { format: 'json' });
    expect(`${line}\n`).toBe(alone.text);
  }
  expect(text).toContain('"automatic":true');
  expect(text).not.toContain(NOTE);
});

test('what ends while a list goes out is for the next one: others with later ends have gone out with this one', async () => {
  const listed = async () => (await exported(server.http, `users/${ann.username}/games`)).text;
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

test('an export counts as 100 fields', async () => {
  const ask = (first: number) =>
    request(server.http)
      .post('/graphql')
      .send({ query: `{ games(first: ${first}) { edges { node { a: export b: export } } } }` });
  expect((await ask(50)).body.errors).toBeUndefined();
  expect((await ask(60)).body.errors[0].message).toContain('12000 are allowed');
});
