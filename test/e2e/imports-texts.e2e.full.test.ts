import { formatById, formatsOf, scoreOf, write, type FormatId } from '../../src/formats/formats.js';
import type { Score } from '../../src/formats/score.js';
import { rulesetById, rulesets } from '../../src/rules/registry.js';
import { scoreOfLine, scoresOf } from '../formats/lines.js';
import { restApi } from '../support/api.js';
import { gamesIn } from '../support/exports.js';
import { MATE } from '../support/imports.js';
import type { Imported } from '../support/operations/imports.js';
import { type Person, register } from '../support/people.js';
import { type RandomGame, randomGames } from '../support/random-games.js';
import { rounds } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { send } from '../support/transport.js';
import { type GameLine, vectors } from '../support/vectors.js';

/** Texts of games as bodies: every format, there and back, and invalid texts. */

let server: TestServer;
let ann: Person;
beforeAll(async () => {
  server = await startServer({ MAX_IMPORTED_GAMES: '100000' });
});
beforeEach(async () => {
  ann = await register(server.http, 'ann');
});
afterAll(() => server.close());

const raw = (text: string | Buffer, options = {}) => restApi(server.http).importText(ann, text, options);

/** Texts of vectors may stop mid-game: then a player has resigned. */
const over = (score: Score): Score =>
  score.outcome === null ? { ...score, outcome: { winner: 'first', reason: 'resignation' } } : score;

const RESULTS = ['firstWon', 'secondWon', 'drawn'] as const;
const resultOf = ({ outcome }: Score) =>
  outcome!.winner === null ? 'drawn' : outcome!.winner === 'first' ? 'firstWon' : 'secondWon';

/** Imports games in a format, many at a time, and compares the export with the original. */
async function expectSame(scores: readonly Score[], format: FormatId): Promise<readonly Imported[]> {
  const games: Imported[] = [];
  // A line of UCCI does not name the winner.
  const lists =
    format === 'ucci' ? RESULTS.map((result) => scores.filter((one) => resultOf(one) === result)) : [scores];
  for (const list of lists.filter(({ length }) => length > 0)) {
    const text = list.map((score) => write(score, format)).join(formatById(format)!.between);
    const result = format === 'ucci' ? { result: resultOf(list[0]!) } : {};
    const { data, message } = await raw(text, { query: { ruleset: list[0]!.ruleset, format, ...result } });
    expect(message).toBeUndefined();
    expect(data).toHaveLength(list.length);
    for (const [at, game] of data.entries()) await expectExported(game, list[at]!, format);
    games.push(...data);
  }
  return games;
}

async function expectExported(game: Imported, score: Score, format: FormatId): Promise<void> {
  const marked = { ...score, importedAt: game.importedAt.replace(/\.\d+Z$/, 'Z') };
  const formats = format === 'ucci' ? [format] : [format, 'json' as const];
  for (const each of formats) {
    const { data: text } = await restApi(server.http).exportImportedGame(null, game.id, each);
    expect(text).toBe(write(marked, each));
    if (each !== 'ucci') expect(gamesIn(text, each)).toEqual([marked]);
  }
  expect([game.plyCount, game.outcome.winner]).toEqual([score.plies.length, score.outcome!.winner]);
}

describe.each(rulesets().map(({ id }) => id))('%s', (id) => {
  test.each(formatsOf(id).map((format) => format.id))(
    'imports and exports the games of the vectors in %s',
    async (format) => {
      const lines = vectors<GameLine>(`games.${id}.jsonl`).slice(0, rounds(50, 8));
      const games = await expectSame(
        lines.map((line) => over(scoreOfLine(line))),
        format,
      );
      if (format === 'ucci') return;
      expect(games.map(({ position }) => position)).toEqual(
        lines.map(({ plies, start }, at) => plies.at(-1)?.fen ?? start ?? games[at]!.position),
      );
    },
  );

  test('keeps games played by the rules unchanged through import and export', async () => {
    const ruleset = rulesetById(id)!;
    const played = randomGames(ruleset, 20261121).slice(0, rounds(12, 2));
    for (const { id: format } of formatsOf(id)) {
      const games = await expectSame(played.map(scoreOfRandom), format);
      const last = played.map(({ states }) => ruleset.fen(states.at(-1)!.history.positions.at(-1)));
      expect(games.map(({ position }) => position)).toEqual(last);
    }
  });
});

function scoreOfRandom({ ruleset, options, setup, plies }: RandomGame): Score {
  const origin = { ruleset: ruleset.id, options, setup, start: null, faceDown: null };
  const some = plies.map(({ move, reveals }) => ({ move, reveals }));
  const score = scoreOf(origin, some, { winner: 'second', reason: 'timeout' });
  if (!score.ok) throw new Error(score.refusal.message);
  return score.value;
}

test('accepts any of the types, with the other inputs in the address', async () => {
  const line = 'position startpos moves h2e2 h9g7';
  for (const type of [
    'text/plain',
    'text/plain; charset=utf-8',
    'application/vnd.chess-pgn',
    'application/x-chess-pgn',
  ]) {
    const { data } = await raw(line, {
      type,
      query: { ruleset: 'xiangqi', result: 'drawn', format: 'ucci' },
    });
    expect(data[0]).toMatchObject({
      ruleset: { id: 'xiangqi' },
      outcome: { winner: null, reason: 'agreement' },
    });
  }
  const [score] = scoresOf('chess').map(over);
  const { data } = await raw(write(score!, 'json')!, { type: 'application/x-ndjson' });
  expect(data[0]).toMatchObject({ originalId: score!.id, event: score!.event });
});

test('reports errors in a body', async () => {
  const latin = Buffer.from('[Event "x"]\n[White "J\u00e9r\u00f4me \uFFFD"]\n1. e4 1-0', 'latin1');
  const place = (line: number, column: number) => ({
    code: 'INVALID_GAME_TEXT',
    field: 'text',
    line,
    column,
  });
  expect((await raw(latin)).refusal).toEqual(place(2, 10));
  const meant = Buffer.concat([
    Buffer.from('\uFEFF{\uFFFD\uFFFD}\r\n[White "\uFFFD'),
    Buffer.from([0xc3, 0x28]),
  ]);
  expect(await raw(meant)).toMatchObject({
    refusal: place(2, 10),
    message: expect.stringContaining('byte 0xC3'),
  });
  expect((await raw(Buffer.from('1. e4 1-0', 'utf16le'))).refusal).toEqual(place(1, 2));
  expect((await raw(' '.repeat((1 << 20) + 1))).refusal).toEqual(place(1, 1));
  expect((await raw(' '.repeat((1 << 21) + 1))).refusal).toEqual({ code: 'PAYLOAD_TOO_LARGE' });
  expect((await raw('')).refusal).toMatchObject({
    code: expect.stringMatching(/BAD_INPUT|INVALID_GAME_TEXT/),
  });
  expect((await raw(MATE, { query: { ruleset: 'x' } })).refusal).toMatchObject({ code: 'INVALID_RULESET' });
  expect((await raw(MATE, { query: { colour: 'x' } })).refusal).toEqual({
    code: 'BAD_INPUT',
    field: 'colour',
  });
  expect((await raw(MATE, { query: { result: 'lost' } })).refusal).toEqual({
    code: 'BAD_INPUT',
    field: 'result',
  });
  expect((await raw(MATE, { query: { text: '1. e4' } })).refusal).toEqual({
    code: 'BAD_INPUT',
    field: 'text',
  });
  expect((await raw(MATE, { type: 'application/octet-stream' })).refusal).toEqual({
    code: 'UNSUPPORTED_MEDIA_TYPE',
  });
  expect((await restApi(server.http).importText(null, MATE)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
});

test.each([
  ['application/x-www-form-urlencoded', /text\/plain, application\/vnd\.chess-pgn/],
  ['multipart/form-data; boundary=x', /application\/json, text\/plain/],
  ['text/plain; charset=latin1', /got "latin1"\. Send the text in UTF-8/],
  ['application/vnd.chess-pgn;charset="windows-1252"', /got "windows-1252"\. Send the text in UTF-8/],
])('refuses %s and says what to do', async (type, advice) => {
  const answer = await raw(MATE, { type });
  expect(answer.refusal).toEqual({ code: 'UNSUPPORTED_MEDIA_TYPE' });
  expect(answer.message).toMatch(advice);
});

test('refuses inputs in the address beside JSON', async () => {
  const json = JSON.stringify({ text: '1. e4 e5' });
  const answer = await raw(json, { type: 'application/json', query: { result: 'drawn' } });
  expect(answer.refusal).toEqual({ code: 'BAD_INPUT', field: 'result' });
  const given = JSON.stringify({ text: '1. e4 e5', result: 'drawn' });
  expect((await raw(given, { type: 'application/json; charset=UTF-8' })).data).toHaveLength(1);
  for (const type of ['TEXT/PLAIN; format=flowed; charset=US-ASCII', 'text/plain;charset=utf8']) {
    expect((await raw(MATE, { type })).data).toHaveLength(1);
  }
});

test('keeps tags of any name, and refuses one that would be lost', async () => {
  const tags = { ECO: 'C20', constructor: 'a', prototype: 'b', toString: 'c', hasOwnProperty: 'd' };
  const named = Object.entries(tags).map(([name, value]) => `[${name} "${value}"]`).join('\n'); // prettier-ignore
  const { data } = await raw(`${named}\n1. e4 1-0`);
  expect(data[0]!.tags).toEqual(tags);
  const [game] = gamesIn(
    (await restApi(server.http).exportImportedGame(null, data[0]!.id, 'json')).data,
    'json',
  );
  expect(game!.tags).toEqual(tags);
  const lost = await raw('[ECO "C20"]\n[__proto__ "x"]\n1. e4 1-0');
  expect(lost.refusal).toEqual({ code: 'INVALID_GAME_TEXT', field: 'text', line: 2, column: 1 });
});

test('refuses a format that a rule set does not have', async () => {
  const answer = await raw(MATE, { query: { format: 'wxf', ruleset: 'chess' } });
  expect(answer.refusal).toEqual({ code: 'BAD_INPUT', field: 'format' });
  expect(answer.message).toBe('Games of chess cannot be written as "wxf". Use one of pgn, json.');
});

test('accepts such bodies only on this route', async () => {
  for (const path of ['/v1/challenges', '/v1/users', '/v1/analyse', '/graphql']) {
    const headers = { 'Content-Type': 'application/vnd.chess-pgn' };
    const { status } = await send(server.http, path, { method: 'post', headers, body: MATE });
    expect([path, status]).toEqual([path, 415]);
  }
  const { status } = await restApi(server.http).analyse(null, { ruleset: ' '.repeat(1 << 17) });
  expect(status).toBe(413);
});
