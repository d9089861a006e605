import { type Api, TRANSPORTS } from '../support/api.js';
import { gamesIn } from '../support/exports.js';
import { MATE } from '../support/imports.js';
import { type Person, register } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { isMissing } from '../support/transport.js';

/** Importing games: what is stored, who owns it, and what is refused. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close());

const TOLD = `[Event "Club \\"A\\""]
[Site "Halfmove"]
[Date "2026.01.??"]
[Round "3"]
[White "Ada"]
[Black "?"]
[Result "1-0"]
[GameId "af13b56a-0a65-4a3b-9e43-0e0f5d1f7e0d"]
[Imported "nobody knows when"]
[TimeControl "600+5"]
[UTCDate "2026.01.31"]
[UTCTime "09:05:00"]
[WhiteElo "1500"]

1. e4 {[%emt 0:00:06] [%clk 0:09:59]} e5 2. Nf3 1-0
`;

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeEach(() => (api = over(server.http)));

  const imported = async (text: string, input: object = {}) => {
    const { data, message } = await api.importGames(ann, { text, ...input });
    if (message !== undefined) throw new Error(message);
    return data;
  };
  const faultOf = async (text: string, input: object = {}) =>
    (await api.importGames(ann, { text, ...input })).refusal;
  const at = (line: number, column: number) => ({ code: 'INVALID_GAME_TEXT', field: 'text', line, column });
  const countOf = async (by: Person) => (await api.myImportedGames(by)).data.games.length;

  it('stores what the text says, marked as imported and visible to all', async () => {
    const [game] = await imported(TOLD);
    expect(game).toEqual({
      ...{ id: expect.any(String), imported: true, importedAt: expect.any(String) },
      importedBy: expect.objectContaining({ id: ann.id, username: ann.username }),
      ...{
        ruleset: { id: 'chess', name: 'Chess', version: 1 },
        options: {},
        setup: null,
        setupNumber: null,
        start: null,
        faceDown: null,
      },
      ...{ rated: false, status: 'finished', outcome: { winner: 'first', reason: 'resignation' } },
      ...{ players: { first: 'Ada', second: null }, originalId: 'af13b56a-0a65-4a3b-9e43-0e0f5d1f7e0d' },
      ...{ event: 'Club "A"', site: 'Halfmove', round: '3', date: '2026.01.??' },
      timeControl: expect.objectContaining({
        bank: { initial: 600, increment: 5, cap: 600, noVacation: false },
      }),
      ...{ startedAt: '2026-01-31T09:05:00.000Z', endedAt: null },
      tags: { WhiteElo: '1500' },
      plyCount: 3,
      position: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2',
    });
    expect((await api.importedGame(ben, game!.id)).data).toEqual(game);
    expect((await api.importedGame(null, game!.id)).data).toEqual(game);
    const { data: moves } = await api.importedMoves(null, game!.id);
    expect(moves.totalCount).toBe(3);
    expect(moves.edges.map(({ node }) => node)).toEqual([
      { ...ply('e2', 'e4'), ply: 1, player: 'first', san: 'e4', timeUsed: 6, clock: 599 },
      { ...ply('e7', 'e5'), ply: 2, player: 'second', san: 'e5' },
      { ...ply('g1', 'f3'), ply: 3, player: 'first', san: 'Nf3' },
    ]);
  });

  it('exports it with the mark, and imports that as the same game', async () => {
    const [game] = await imported(TOLD);
    const moment = game!.importedAt.replace(/\.\d+Z$/, 'Z');
    for (const format of [undefined, 'pgn', 'json']) {
      const { data: text } = await api.exportImportedGame(null, game!.id, format);
      expect(text).toContain(format === 'json' ? `"importedAt":"${moment}"` : `[Imported "${moment}"]\n`);
      expect(text).toContain('af13b56a-0a65-4a3b-9e43-0e0f5d1f7e0d');
      const [again] = await imported(text);
      const own = { id: again!.id, importedAt: again!.importedAt };
      expect(again).toEqual({ ...game, ...own });
      const { data: twice } = await api.exportImportedGame(null, again!.id, format);
      const [one, other] = [gamesIn(text)[0]!, gamesIn(twice)[0]!];
      expect({ ...other, importedAt: one.importedAt }).toEqual(one);
    }
    expect((await api.exportImportedGame(null, game!.id, 'ucci')).refusal).toEqual({
      code: 'BAD_INPUT',
      field: 'format',
    });
  });

  it('takes the end from the moves, else from the text, else from result', async () => {
    const ends = async (text: string, input = {}) => {
      const [{ status, outcome } = { status: '', outcome: null }] = await imported(text, input);
      return [status, outcome?.winner, outcome?.reason];
    };
    expect(await ends('1. f3 e5 2. g4 Qh4# *')).toEqual(['finished', 'second', 'checkmate']);
    expect(await ends('[Termination "Time forfeit"]\n1. e4 0-1')).toEqual(['finished', 'second', 'timeout']);
    expect(await ends('1. e4 1/2-1/2', { result: 'drawn' })).toEqual(['finished', null, 'agreement']);
    expect(await ends('1. e4 *', { result: 'secondWon' })).toEqual(['finished', 'second', 'resignation']);
    expect(await ends('[Reason "aborted"]\n1. e4 *')).toEqual(['aborted', null, 'aborted']);
    const line = 'position startpos moves h2e2 h9g7';
    expect(await ends(line, { result: 'firstWon' })).toEqual(['finished', 'first', 'resignation']);
  });

  it('refuses unfinished games and a contradicting result, with their position', async () => {
    expect(await faultOf('1. e4 e5 *')).toEqual(at(1, 10));
    expect(await faultOf('[Result "*"]\n\n1. e4 e5\n*\n')).toEqual(at(1, 9));
    expect(await faultOf('1. e4 e5 1-0', { result: 'drawn' })).toEqual(at(1, 10));
    expect(await faultOf('[Result "1-0"]\n1. e4 e5', { result: 'secondWon' })).toEqual(at(1, 9));
    expect(await faultOf('\n1. f3 e5 2. g4 Qh4#\n*', { result: 'firstWon' })).toEqual(at(3, 1));
    expect(await faultOf('[Reason "aborted"]\n1. e4 *', { result: 'firstWon' })).toEqual(at(1, 9));
    expect(await faultOf('position startpos moves h2e2\n')).toEqual(at(1, 29));
    const json = (outcome: string) =>
      `{"format":"halfmove-game","version":1,"ruleset":"chess","plies":[],\n "outcome":${outcome}}`;
    expect(await faultOf(json('null'))).toEqual(at(2, 12));
    const won = json('{"winner":"first","reason":"resignation"}');
    expect(await faultOf(won, { result: 'drawn' })).toEqual(at(2, 12));
    expect(await faultOf(won, { result: 'firstWon' })).toBeUndefined();
    expect(await countOf(ann)).toBe(1);
  });

  it.each([
    ['an illegal move', '1. e4 e5\n2. Ke3 1-0', 2, 4],
    ['after CRLF', '[Event "x"]\r\n\r\n1. e4 e5\r\n2. Ke3 1-0', 4, 4],
    ['after a byte order mark', '\uFEFF1. e4 Ke3 1-0', 1, 7],
    ['after a character of two code units', '[Event "♞𝄞"]\n{𝄞} 1. Ke3', 2, 8],
    ['a tag twice', '[Event "x"]\n[Event "y"]\n1. e4 1-0', 2, 1],
    ['a NUL', '1. e4\n\u0000 1-0', 2, 1],
    ['an escape character', '[Event "\u001B"]\n1. e4 1-0', 1, 9],
    ['half a surrogate pair', '[Event "\uD834"]\n1. e4 1-0', 1, 9],
    ['a NUL in JSON', '{"format":"halfmove-game","version":1,\n"event":"\\u0000"}', 2, 9],
    ['nothing', '', 1, 1],
    ['only a comment', '{x}\n', 1, 1],
    ['the second game', `${MATE}\n[Result "1-0"]\n1. e5 1-0`, 7, 4],
  ])('gives the position of a fault: %s', async (_name, text, line, column) => {
    expect(await faultOf(text)).toEqual(at(line, column));
    expect(await countOf(ann)).toBe(0);
  });

  it('refuses invalid requests', async () => {
    const bad = (field: string) => ({ code: 'BAD_INPUT', field });
    expect(await faultOf(MATE, { ruleset: 'checkers' })).toEqual({
      code: 'INVALID_RULESET',
      field: 'ruleset',
    });
    expect(await faultOf(MATE, { ruleset: 'chess', format: 'wxf' })).toEqual(bad('format'));
    expect(await faultOf(MATE, { ruleset: 'half-court-chess' })).toBeDefined();
    const { refusal } = await api.importGames(null, { text: MATE });
    expect(refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await api.importGames(ann, { text: MATE }, 'x y')).refusal).toEqual(bad('idempotencyKey'));
  });

  it('imports several games of a text in order, all or none', async () => {
    const names = ['One', 'Two', 'Three'];
    const text = names.map((name) => MATE.replace('Ada', name)).join('\n');
    expect((await imported(text)).map(({ players }) => players.first)).toEqual(names);
    expect(await faultOf(`${text}\n1. e5 *`)).toMatchObject({ line: 16, column: 4 });
    const lines = (many: number) => 'startpos\n'.repeat(many);
    expect(await faultOf(lines(101), { result: 'drawn' })).toEqual(at(101, 1));
    expect(await countOf(ann)).toBe(3);
  });

  it('imports once per key, and returns what is left of it', async () => {
    const text = `${MATE}\n${MATE}`;
    const { data: games } = await api.importGames(ann, { text }, 'key');
    expect((await api.importGames(ann, { text }, 'key')).data).toEqual(games);
    const [one, other] = games;
    await api.deleteImportedGame(ann, one!.id);
    expect((await api.importGames(ann, { text }, 'key')).data).toEqual([other]);
    expect((await api.importGames(ann, { text: MATE }, 'key')).refusal).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect((await api.importGames(ben, { text }, 'key')).data).toHaveLength(2);
    expect(await countOf(ann)).toBe(1);
  });

  it('allows only the importing user to delete a game', async () => {
    const [game] = await imported(MATE);
    expect((await api.deleteImportedGame(null, game!.id)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await api.deleteImportedGame(ben, game!.id)).refusal).toEqual({ code: 'FORBIDDEN' });
    expect((await api.deleteImportedGame(ann, game!.id)).refusal).toBeUndefined();
    expect((await api.deleteImportedGame(ann, game!.id)).refusal).toEqual({ code: 'NOT_FOUND', field: 'id' });
    expect(isMissing(await api.importedGame(ann, game!.id))).toBe(true);
    expect(isMissing(await api.importedMoves(null, game!.id))).toBe(true);
    expect(await countOf(ann)).toBe(0);
  });

  it('lists them page by page, newest first, to their owner only', async () => {
    const first = await imported(`${MATE}\n${MATE}`);
    const second = await imported(`${MATE}\n${MATE}\n${MATE}`);
    const ids = [...second.map(({ id }) => id).reverse(), ...first.map(({ id }) => id).reverse()];
    const found: string[] = [];
    let after: string | null = null;
    do {
      const { data } = await api.myImportedGames(ann, { first: 2, ...(after === null ? {} : { after }) });
      found.push(...data.games.map(({ id }) => id));
      after = data.pageInfo.hasNextPage ? data.pageInfo.endCursor : null;
    } while (after !== null);
    expect(found).toEqual(ids);
    const { data } = await api.myImportedGames(ann, { first: 1 });
    const { endCursor } = data.pageInfo;
    expect((await api.myImportedGames(ben, { after: endCursor })).refusal).toEqual({
      code: 'INVALID_CURSOR',
      field: 'after',
    });
    expect((await api.myImportedGames(ben)).data.games).toEqual([]);
    expect((await api.myImportedGames(null)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await api.myImportedGames(ann, { first: 101 })).refusal).toMatchObject({ code: 'BAD_INPUT' });
  });

  it('pages through the plies from either end', async () => {
    const [game] = await imported(MATE);
    const sans = async (page: object) => {
      const { data } = await api.importedMoves(null, game!.id, { ...page });
      const { startCursor, endCursor, ...more } = data.pageInfo;
      return { sans: data.edges.map(({ node }) => node.san), startCursor, endCursor, ...more };
    };
    const begun = await sans({ first: 2 });
    expect(begun).toMatchObject({ sans: ['f3', 'e5'], hasNextPage: true, hasPreviousPage: false });
    const rest = await sans({ first: 2, after: begun.endCursor });
    expect(rest).toMatchObject({ sans: ['g4', 'Qh4#'], hasNextPage: false, hasPreviousPage: true });
    expect(await sans({ last: 3 })).toMatchObject({ sans: ['e5', 'g4', 'Qh4#'], hasPreviousPage: true });
    expect(await sans({ last: 3, before: rest.startCursor })).toMatchObject({
      sans: ['f3', 'e5'],
      hasNextPage: true,
      hasPreviousPage: false,
    });
    expect(await sans({ after: rest.startCursor, before: begun.endCursor })).toMatchObject({ sans: [] });
    const [other] = await imported(MATE);
    const stray = await api.importedMoves(null, other!.id, { after: begun.endCursor });
    expect(stray.refusal).toEqual({ code: 'INVALID_CURSOR', field: 'after' });
  });
});

const ply = (from: string, to: string) => ({
  ...{ move: from + to, from, to, promotion: null, reveals: null, captured: null },
  ...{ timeUsed: null, clock: null, automatic: false },
});
