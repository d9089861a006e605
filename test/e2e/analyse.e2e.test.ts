import { MOST_ANALYSED } from '../../src/features/analysis/analysis.inputs.js';
import { rulesets } from '../../src/rules/registry.js';
import { restApi, TRANSPORTS } from '../support/api.js';
import { ANALYSIS, LONG_ANALYSIS } from '../support/operations/rulesets.js';
import { type Body, type Json, must, sendGraphql } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** Positions and lines that are analysed without a game and without an account. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const quiet = (moves: string) => moves.split(' ').map((move) => ({ move }));

describe.each(TRANSPORTS)('over %s', (_, over) => {
  const analyse = (input: Body, selection?: string) => over(server.http).analyse(null, input, selection);

  it.each(rulesets().map(({ id }) => id))('analyses the start of %s', async (ruleset) => {
    const { data } = await analyse({ ruleset });
    const { start } = must(await restApi(server.http).ruleset(null, ruleset));
    expect(data).toMatchObject({
      position: start,
      turn: 'first',
      outcome: null,
      plies: [],
      claimable: [],
    });
    expect(data.legalMoves.length).toBeGreaterThan(1);
    const move = data.legalMoves[0];
    const reveals = data.mayTurnUp === '' ? null : data.mayTurnUp[0];
    const next = await analyse({ ruleset, moves: [{ move: move.move, reveals }] });
    expect(next.data.plies).toEqual([
      expect.objectContaining({
        player: 'first',
        move: move.move,
        reveals,
        san: move.san.replace('?', reveals ?? '?'),
        notations: move.notations,
        position: next.data.position,
      }),
    ]);
  });

  it('analyses a line to its end', async () => {
    const { data } = await analyse({ ruleset: 'chess', moves: quiet('f2f3 e7e5 g2g4 d8h4') });
    expect(data).toMatchObject({
      position: 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3',
      turn: null,
      check: true,
      outcome: { winner: 'second', reason: 'checkmate' },
      canWin: { first: false, second: false },
      legalMoves: [],
    });
    expect(data.plies.map(({ san }: Json) => san)).toEqual(['f3', 'e5', 'g4', 'Qh4#']);
  });

  it('analyses a position with the given options', async () => {
    const position = '2C1/4/r1P1/4/4/4/4/x3 first r - 3 11';
    const moves = async (options: object) => {
      const { data } = await analyse({ ruleset: 'banqi-taiwan', options, position });
      return data.legalMoves.map(({ move }: Json) => move);
    };
    expect(await moves({})).toContain('a1');
    expect(await moves({})).not.toContain('c6a6');
    const { data } = await analyse({
      ruleset: 'banqi-hongkong',
      position,
      moves: [{ move: 'a1', reveals: 'k' }],
    });
    expect(data.plies[0]).toMatchObject({ reveals: 'k', san: 'a1(k)' });
  });

  const STARTED = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq';
  const HORSES = 'rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR';

  it.each<[string, Body, string, string]>([
    ['a line of PGN', { text: '1. e4 {best} e5 2. Nf3! (2. f4) Nc6 *' }, 'e2e4 e7e5 g1f3 b8c6', 'Nc6'],
    ['moves without numbers', { text: 'e4 e7e5 0-0' }, '', ''],
    ['a position of four fields', { position: `${STARTED} -`, text: '1... c5 2. Nf3' }, 'c7c5 g1f3', 'Nf3'],
    ['a line of WXF', { ruleset: 'xiangqi', text: '1. C2=5 N8+7 2. H2-G4' }, '', ''],
    [
      'a position of Xiangqi with alternative letters',
      { ruleset: 'xiangqi', position: `${HORSES} r`, text: '1. C2.5 h8+7 2. H0-G2' },
      'h3e3 h10g8 h1g3',
      'H2+3',
    ],
    [
      'Black to move',
      { ruleset: 'xiangqi', position: `${HORSES} black - -`, text: 'h10g8' },
      'h10g8',
      'H8+7',
    ],
    [
      'engine moves',
      { ruleset: 'xiangqi-tournament', text: 'h2e2 h9g7', format: 'ucci' },
      'h3e3 h10g8',
      'H8+7',
    ],
    [
      'a line of Banqi',
      { ruleset: 'banqi-taiwan', text: '1. a1(R) 2. b1(p) 3. a1xb1' },
      'a1 b1 a1b1',
      'a1xb1',
    ],
  ])('reads what people paste: %s', async (_name, input, expected, last) => {
    const { data, refusal } = await analyse({ ruleset: 'chess', ...input });
    if (expected === '') {
      expect(refusal).toMatchObject({ code: 'INVALID_GAME_TEXT', field: 'text', line: 1 });
      return;
    }
    expect(data.plies.map(({ move }: Json) => move).join(' ')).toBe(expected);
    expect(data.plies.at(-1)).toMatchObject({ san: last, position: data.position });
  });

  it('warns before a repetition, and lists what may be claimed', async () => {
    const there = 'g1f3 g8f6 f3g1 f6g8';
    const before = (await analyse({ ruleset: 'chess', moves: quiet(`${there} g1f3 g8f6 f3g1`) })).data;
    const warned = before.legalMoves.filter(({ warning }: Json) => warning !== null);
    expect(warned).toEqual([
      expect.objectContaining({ move: 'f6g8', warning: { winner: null, reason: 'threefoldRepetition' } }),
    ]);
    const { data } = await analyse({ ruleset: 'chess', moves: quiet(`${there} ${there}`) });
    expect(data).toMatchObject({ claimable: ['threefoldRepetition'], outcome: null });
  });

  it('limits the number of moves', async () => {
    const rounds = ['g1f3 g8f6 f3g1 f6g8', 'b1c3 b8c6 c3b1 c6b8', 'a2a3 a7a6', 'h2h3 h7h6'].join(' ');
    const { data } = await analyse({ ruleset: 'chess', moves: quiet(rounds) });
    expect(data.plies).toHaveLength(12);
    const many = Array.from({ length: MOST_ANALYSED }, () => ({ move: 'e2e4', reveals: null }));
    // Judged one by one; the second is not legal.
    expect((await analyse({ ruleset: 'chess', moves: many }, LONG_ANALYSIS)).refusal).toMatchObject({
      field: 'moves.1.move',
    });
    const more = await analyse({ ruleset: 'chess', moves: [...many, { move: 'e2e4' }] }, LONG_ANALYSIS);
    expect(more.refusal).toEqual({ code: 'BAD_INPUT', field: 'moves' });
    expect(more.message).toMatch(/1000/);
  });

  it.each<[string, Body, Json]>([
    ['an unknown rule set', { ruleset: 'draughts' }, { code: 'INVALID_RULESET', field: 'ruleset' }],
    ['unknown options', { options: { handicap: 1 } }, { code: 'INVALID_OPTIONS', field: 'options' }],
    ['a missing position', { position: 'rnbqkbnr' }, { code: 'INVALID_POSITION', field: 'position.board' }],
    [
      'a position whose king could be taken',
      { position: '4k3/8/8/8/8/8/8/4RK2 w - - 0 1' },
      { code: 'INVALID_POSITION', field: expect.stringMatching(/^position/) },
    ],
    [
      'a text that is not a position',
      { position: 'x'.repeat(501) },
      { code: 'BAD_INPUT', field: 'position' },
    ],
    ['a set-up in chess', { setup: 'NQRBK/qbnrk' }, { code: 'INVALID_SETUP', field: 'setup' }],
    [
      'an illegal move',
      { moves: quiet('e2e4 e7e5 e4e5') },
      { code: 'ILLEGAL_MOVE', field: 'moves.2.move', fault: expect.any(String) },
    ],
    [
      'a line with an unknown move',
      { text: '1. e4 e5\n2. Ke3' },
      { code: 'INVALID_GAME_TEXT', field: 'text', line: 2, column: 4 },
    ],
    [
      'a line with an ambiguous move',
      { text: '1. d4 d5 2. Nf3 a6 3. e3 a5 4. Nd2', position: null },
      { code: 'INVALID_GAME_TEXT', field: 'text', line: 1, column: 32, candidates: ['b1d2', 'f3d2'] },
    ],
    [
      'a line with tags',
      { text: '[Event "E"] 1. e4' },
      { code: 'INVALID_GAME_TEXT', field: 'text', line: 1, column: 1 },
    ],
    ['moves both as list and as text', { text: 'e4', moves: [] }, { code: 'BAD_INPUT', field: 'text' }],
    ['a notation of another game', { text: 'e4', format: 'wxf' }, { code: 'BAD_INPUT', field: 'format' }],
    [
      'an impossible turn-up',
      { moves: [{ move: 'e2e4', reveals: 'K' }] },
      { code: 'INVALID_REVEAL', field: 'moves.0.reveals' },
    ],
    [
      'a move after the end',
      { moves: quiet('f2f3 e7e5 g2g4 d8h4 a2a3') },
      { code: 'GAME_OVER', field: 'moves.4.move' },
    ],
    [
      'a move that is too long',
      { moves: quiet(`e2e4 ${'x'.repeat(501)}`) },
      { code: 'BAD_INPUT', field: 'moves.1.move' },
    ],
  ])('refuses %s', async (_name, input, expected) => {
    const { refusal, message } = await analyse({ ruleset: 'chess', ...input });
    expect(refusal).toEqual(expected);
    expect(message).toMatch(/^[A-Za-z].{5,}\.$/);
  });

  it.each([
    ['moves that are not a list', { moves: 'e2e4' }],
    ['moves that are strings', { moves: ['e2e4'] }],
    ['moves within moves', { moves: [{ move: 'e2e4' }, [{ move: 'e7e5' }]] }],
    ['a move that is a number', { moves: [{ move: 4 }] }],
    ['a move with unknown keys', { moves: [{ move: 'e2e4', ply: 1 }] }],
    ['a missing rule set', { ruleset: null }],
  ])('refuses %s', async (_name, input) => {
    expect((await analyse({ ruleset: 'chess', ...input })).refusal?.code).toBe('BAD_INPUT');
  });
});

describe('the cost of an analysis', () => {
  const codeOf = async (query: string, variables: Body = {}): Promise<string> => {
    const { body } = await sendGraphql(server.http, query, variables);
    return body.errors?.[0].extensions.code ?? 'answered';
  };
  const line = (length: number) => ({
    ruleset: 'chess',
    moves: Array.from({ length }, () => ({ move: 'e2e5' })),
  });
  const asking = (count: number, inside: string) =>
    `query ($input: AnalyseInput!) { ${Array.from({ length: count }, (_, i) => `a${i}: analyse(input: $input) ${inside}`).join(' ')} }`;

  it('grows with the number of moves, whatever is selected of them', async () => {
    expect(server.config.maxQueryCost).toBe(16_000);
    const input = line(MOST_ANALYSED);
    expect(await codeOf(asking(1, LONG_ANALYSIS), { input })).toBe('ILLEGAL_MOVE');
    expect(await codeOf(asking(1, ANALYSIS), { input })).toBe('QUERY_TOO_COSTLY');
    expect(await codeOf(asking(5, '{ turn }'), { input })).toBe('ILLEGAL_MOVE');
    expect(await codeOf(asking(6, '{ turn }'), { input })).toBe('QUERY_TOO_COSTLY');
    expect(await codeOf(asking(10, ANALYSIS), { input: line(20) })).toBe('ILLEGAL_MOVE');
  });

  it('grows with the number of words in a text', async () => {
    const text = (length: number) => ({ ruleset: 'chess', text: Array(length).fill('e2e5').join(' ') });
    expect(await codeOf(asking(1, LONG_ANALYSIS), { input: text(MOST_ANALYSED) })).toBe('INVALID_GAME_TEXT');
    expect(await codeOf(asking(1, ANALYSIS), { input: text(MOST_ANALYSED) })).toBe('QUERY_TOO_COSTLY');
    expect(await codeOf(asking(6, '{ turn }'), { input: text(MOST_ANALYSED) })).toBe('QUERY_TOO_COSTLY');
    expect(await codeOf(asking(10, ANALYSIS), { input: text(20) })).toBe('INVALID_GAME_TEXT');
    const six = Array.from(
      { length: 6 },
      (_, i) => `a${i}: analyse(input: { ruleset: "chess", text: $text }) { turn }`,
    );
    const byDefault = ({ text: words }: { text: string }) =>
      codeOf(`query ($text: String = "${words}") { ${six.join(' ')} }`);
    expect(await byDefault(text(MOST_ANALYSED))).toBe('QUERY_TOO_COSTLY');
    expect(await byDefault(text(20))).toBe('INVALID_GAME_TEXT');
  });

  it('counts the whole list, wherever it is given', async () => {
    const moves = line(MOST_ANALYSED).moves;
    const six = Array.from(
      { length: 6 },
      (_, i) => `a${i}: analyse(input: { ruleset: "chess", moves: $moves }) { ...F }`,
    ).join(' ');
    const query = `query ($moves: [LineMoveInput!]) { ${six} } fragment F on Analysis { turn }`;
    expect(await codeOf(query, { moves })).toBe('QUERY_TOO_COSTLY');
    expect(await codeOf(query, { moves: moves.slice(0, 9) })).toBe('ILLEGAL_MOVE');
    expect(await codeOf(query, {})).toBe('answered');
    const hidden = (words: string) =>
      `query ($i: AnalyseInput! = { ruleset: "chess", text: "${words}" }) { ${six.replaceAll('{ ruleset: "chess", moves: $moves }', '$i')} } fragment F on Analysis { turn }`;
    expect(await codeOf(hidden('e2e5 '.repeat(MOST_ANALYSED)))).toBe('QUERY_TOO_COSTLY');
    expect(await codeOf(hidden('e4'))).toBe('answered');
  });
});
