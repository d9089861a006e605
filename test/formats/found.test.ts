import { read, scoreOf, write, type ReadRequest } from '../../src/formats/formats.js';
import type { Score } from '../../src/formats/score.js';

/** Texts as other programs and people write them. */

function only(text: string, request: ReadRequest = {}): Score {
  const result = read(text, request);
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  expect(result.value).toHaveLength(1);
  return result.value[0]!;
}

const moves = (text: string, request: ReadRequest = {}): string =>
  only(text, request).plies.map(({ move }) => move).join(' '); // prettier-ignore

describe('PGN', () => {
  test('ignores comments, escapes, variations, evaluations and numbers', () => {
    const text = `% a line for another program
{Before} [Event "E"] ; of the tags
[Site "S"]

{At the start} 1. e4 $1 e5 ; the rest { of this line
% not this one
2.Nf3!? {A [%clk 1:02:03.9] comment [%emt 0:00:07.5]} (2. f4 exf4 (2... d5 {) (} 3. exd5) 3. Bc4 ; )
) 2...Nc6 3 . Bb5 a6?? $146 4 Ba4 ... Nf6 1/2-1/2 {done}`;
    const score = only(text);
    expect(score.plies.map(({ san }) => san).join(' ')).toBe('e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6');
    expect(score.plies.map(({ clock }) => clock)).toEqual([null, null, 3723, null, null, null, null, null]);
    expect(score.plies.map(({ timeUsed }) => timeUsed)).toEqual([
      null,
      null,
      7,
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(score).toMatchObject({ event: 'E', site: 'S', outcome: { winner: null, reason: 'agreement' } });
  });

  test.each([
    ['1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *', 'e1g1'],
    ['1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. o-o! *', 'e1g1'],
    ['1. Pe4 e5 2. Ng1f3 *', 'g1f3'],
    ['1. e2e4 e7-e5 2. Ng1-f3 *', 'g1f3'],
    ['e4 d5 exd *', null],
    ['1. e4 d5 2. ed5 *', 'e4d5'],
    ['1. e4 d5 2. e4xd5+ *', 'e4d5'],
    ['1. e4 d5 2. e:d5 Qd5 *', 'd8d5'],
    ['1. e4 a6 2. e5 d5 3. exd6e.p. *', 'e5d6'],
    ['1. e4 a6 2. e5 d5 3. exd6 e.p. *', 'e5d6'],
    ['[FEN "8/P6k/8/8/8/8/8/K7 w - -"] a8Q *', 'a7a8q'],
    ['[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"] a8=N+ *', 'a7a8n'],
    ['[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"] a7a8r *', 'a7a8r'],
    ['[FEN "8/7k/8/8/1N6/8/8/K3N3 w - - 0 1"] Nbd3 *', 'b4d3'],
    ['[FEN "8/7k/8/8/1N6/8/8/K3N3 w - - 0 1"] N4d3 *', 'b4d3'],
    ['[FEN "8/7k/8/8/1N6/8/8/K3N3 w - - 0 1"] Nb4xd3 *', 'b4d3'],
    ['[FEN "8/7k/8/8/1N6/8/8/K3N3 w - - 0 1"] Ne1d3 *', 'e1d3'],
    ['[Variant "Standard"] 1. e4', 'e2e4'],
    ['[Variant ""][FEN ""] 1. e4', 'e2e4'],
    ['[Ruleset "?"][Variant "?"][FEN "?"] 1. e4', 'e2e4'],
    ['1. e4 ...e5 2 .Nf3 ..Nc6 *', 'b8c6'],
    ['1. e4 1… e5 2.Nf3 2…Nc6 *', 'b8c6'],
    ['1. e4 a6 2. e5 d5 3. exd6 ep *', 'e5d6'],
    ['1. e4 a6 2. e5 d5 3. exd6ep *', 'e5d6'],
    ['1. e4 ± e5 += 2. Nf3 +- Nc6 □ = *', 'b8c6'],
    ['1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O–O 1–0', 'e1g1'],
    ['1. e4 e5 ½–½ ', 'e7e5'],
    ['[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"] a8(N)+ *', 'a7a8n'],
    ['[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"] a8/Q *', 'a7a8q'],
    ['1. e4 (1. d4) e5(Q) *', null],
    ['1. e4 e5 (Q) *', 'e7e5'],
    ['{"A" comment} 1. e4 e5 *', 'e7e5'],
    ['1. e4 e5 *\n\u001A\n', 'e7e5'],
    ['[FEN "8/7k/8/8/8/8/6R1/K7 w - - 0 999999999"] 999999999. Ka2 Kh6 1000000000. Ka3 *', 'a2a3'],
  ])('%s', (text, last) => {
    const result = read(text);
    expect(result.ok ? result.value[0]!.plies.at(-1)?.move : null).toBe(last);
  });

  test('reads several games, some without tags, some without a result', () => {
    const text = '[Event "1"]\n1. e4 *\n1. d4 d5 1-0 [Event "3"][Result "0-1"] 1. c4 [Event "4"]';
    const result = read(text);
    const games = result.ok ? result.value : [];
    expect(games.map(({ plies }) => plies.length)).toEqual([1, 2, 1, 0]);
    expect(games.map(({ outcome }) => outcome?.winner)).toEqual([undefined, 'first', 'second', undefined]);
  });

  test.each([
    ['[Termination "Time forfeit"] 1. e4 0-1', 'second', 'timeout'],
    ['[Termination "Ada won on time"] 1. e4 1-0', 'first', 'timeout'],
    ['[Termination "Time out"] 1. e4 1-0', 'first', 'timeout'],
    ['[Termination "Draw by insufficient material vs time-out"] 1. e4 1/2-1/2', null, 'timeout'],
    ['[Termination "time-lord won by resignation"] 1. e4 1-0', 'first', 'resignation'],
    ['[Termination "Normal"] 1. e4 0-1', 'second', 'resignation'],
    ['[Termination "Untimely"] 1. e4 0-1', 'second', 'resignation'],
    ['[Termination "Game drawn by timeout vs insufficient material"] 1. e4 1/2-1/2', null, 'timeout'],
    ['1. e4 1/2-1/2', null, 'agreement'],
    ['[Reason "aborted"] 1. e4 *', null, 'aborted'],
    ['1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2', null, 'threefoldRepetition'],
    ['1. f3 e5 2. g4 Qh4 *', 'second', 'checkmate'],
    ['1. f3 e5 2. g4 Qh4', 'second', 'checkmate'],
    ['[Result "0-1"] 1. f3 e5 2. g4 Qh4 *', 'second', 'checkmate'],
  ])('%s: %s, %s', (text, winner, reason) => {
    expect(only(text).outcome).toEqual({ winner, reason });
  });

  test('keeps tags without a field of their own, also in another form', () => {
    const text =
      '[Event "?"]\n[Date "2020.02.30"]\n[White "A\\B \\"C\\""]\n[WhiteElo "2100"]\n[TimeControl "40/7200:3600"]\n' +
      '[UTCDate "2020.02.29"]\n[UTCTime "10:00:00"]\n[Termination "by hand"]\n[constructor "x"]\n\n1. e4 1-0\n';
    const score = only(text);
    expect(score).toMatchObject({ event: null, date: null, players: { first: 'A\\B "C"', second: null } });
    expect(score).toMatchObject({ timeControl: null, startedAt: '2020-02-29T10:00:00Z' });
    expect(Object.entries(score.tags).sort()).toEqual([
      ['Date', '2020.02.30'],
      ['Termination', 'by hand'],
      ['TimeControl', '40/7200:3600'],
      ['WhiteElo', '2100'],
      ['constructor', 'x'],
    ]);
    expect(only(write(score, 'pgn')!)).toEqual({ ...score, tags: { ...score.tags } });
  });

  test.each([
    ['1/60', { TimeCap: '77', Vacation: 'maybe' }],
    ['-', { TimeCap: '77' }],
    ['60+5', { Vacation: 'yes' }],
  ])('keeps tags beside the time control %s that do not belong to it', (control, tags) => {
    const lines = Object.entries(tags).map(([name, value]) => `[${name} "${value}"]`);
    const score = only(`[TimeControl "${control}"]${lines.join('')} 1. e4 *`);
    expect(score.timeControl).not.toBeNull();
    expect(score.tags).toEqual(tags);
    for (const format of ['pgn', 'json'] as const) expect(only(write(score, format)!)).toEqual(score);
  });

  test('reads a Half-Court set-up from its position, and one from the options', () => {
    const fen = 'qbnrk/ppppp/5/PPPPP/NQRBK w Kk - 0 1';
    const tags = `[Variant "half court chess"][SetUp "1"][FEN "${fen}"]`;
    expect(only(`${tags} 1. a3 *`)).toMatchObject({ setup: 'NQRBK/qbnrk', start: null });
    expect(only(`${tags}[Options "setup=NQRBK/qbnrk"] *`).options).toEqual({ setup: 'NQRBK/qbnrk' });
    const other = read(`${tags}[Options "setup=KQRBN/kqrbn"] *`);
    expect(other.ok ? '' : other.refusal.message).toMatch(
      /differs from the set-up in the options \(KQRBN\/kqrbn\)/,
    );
    const late = fen.replace('w Kk', 'b k');
    expect(only(`${tags.replace(fen, late)} *`)).toMatchObject({ setup: null, start: late });
  });
});

describe('Xiangqi', () => {
  const TAGS = '[Game "Chinese Chess"]\n[Red "R"]\n[Black "B"]\n';
  const TANDEM = '[FEN "4k4/9/9/R8/9/R8/9/9/9/3K5 w - - 0 1"]';
  const SOLDIERS = '[FEN "3k5/P8/P3P4/P3P4/9/9/9/9/9/4K4 w - - 0 1"]';

  test.each([
    [`${TAGS}1. C2=5 H8+7 2. H2+3 *`, 'h3e3 h10g8 h1g3'],
    [`${TAGS}1. C2.5 h8+7 2. N2+3! *`, 'h3e3 h10g8 h1g3'],
    [`${TAGS}[Format "ICCS"] 1. H2-E2 H9-G7 *`, 'h3e3 h10g8'],
    [`${TAGS}1. h2e2 h9g7 1-0`, 'h3e3 h10g8'],
    [`${TAGS}1. G4+5 M3+5 *`, 'f1e2 c10e8'],
    [`${TAGS}${TANDEM} +R+2 *`, 'a7a9'],
    [`${TAGS}${TANDEM} R++2 *`, 'a7a9'],
    [`${TAGS}${TANDEM} R-=5 *`, 'a5e5'],
    [`${TAGS}${TANDEM} 1R+2 *`, 'a7a9'],
    [`${TAGS}${TANDEM} 2R-1 *`, 'a5a4'],
    [`${TAGS}${TANDEM} R9+3 *`, 'a7a10'],
    [`${TAGS}${SOLDIERS} 29=8 *`, 'a8b8'],
    [`${TAGS}${SOLDIERS} 15+1 *`, 'e8e9'],
    [`${TAGS}[FEN "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r"] H8+7 *`, 'b1c3'],
    ['position startpos moves h2e2 h9g7', 'h3e3 h10g8'],
    ['startpos', ''],
    ['\nposition fen 3ak4/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1 moves e1d1\r\n', 'e2d2'],
  ])('%s', (text, expected) => {
    const ruleset = expected === 'e2d2' ? 'xiangqi' : undefined;
    expect(moves(text, { ruleset })).toBe(expected);
  });

  test('White is Red unless the text says otherwise', () => {
    const white = only('[Game "Chinese Chess"][White "a"]*');
    expect(white).toMatchObject({ players: { first: 'a' }, tags: {} });
    const both = only('[Game "Chinese Chess"][Red "?"][White "a"]*');
    expect(both).toMatchObject({ players: { first: null }, tags: { White: 'a' } });
    for (const score of [white, both]) expect(only(write(score, 'wxf')!)).toEqual(score);
  });

  test('uses tournament rules unless the text or the reader says otherwise', () => {
    expect(only(`${TAGS}*`).ruleset).toBe('xiangqi-tournament');
    expect(only(`${TAGS}*`, { ruleset: 'xiangqi' }).ruleset).toBe('xiangqi');
    expect(only(`${TAGS}[Ruleset "xiangqi"]*`).ruleset).toBe('xiangqi');
    expect(only('1. C2=5 *', { format: 'wxf' }).ruleset).toBe('xiangqi-tournament');
    expect(only('startpos', { ruleset: 'xiangqi' }).ruleset).toBe('xiangqi');
  });
});

describe('face-down games', () => {
  test('a running game contains only what was turned up, with several captures per turn ply by ply', () => {
    const origin = {
      ruleset: 'banqi-hongkong',
      options: { darkCaptures: true },
      setup: null,
      start: null,
      faceDown: null,
    };
    const plies = [
      { move: 'a1', reveals: 'R' },
      { move: 'b1', reveals: 'p' },
      { move: 'a1b1', reveals: null },
      { move: 'd8', reveals: 'k' },
      { move: 'b1b2', reveals: 'n' },
    ];
    const score = scoreOf(origin, plies, null);
    const text = score.ok ? write(score.value, 'text')! : '';
    expect(text.split('\n\n')[1]).toBe('1. a1(R) 2. b1(p) 3. a1xb1 4. d8(k) 5. b1?b2(n)x *\n');
    expect(text).toContain('[Options "darkCaptures=true"]');
    expect(moves(text)).toBe('a1 b1 a1b1 d8 b1b2');
    expect(moves(text.replace(/\d+\. /g, ''))).toBe('a1 b1 a1b1 d8 b1b2');
  });
});
