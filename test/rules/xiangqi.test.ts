import { perft } from '../../src/rules/perft.js';
import { begin, play, position, resume, type Game } from '../../src/rules/play.js';
import type { Ruleset } from '../../src/rules/ruleset.js';
import type { XiangqiPosition } from '../../src/rules/xiangqi/position.js';
import { xiangqi, xiangqiTournament } from '../../src/rules/xiangqi/xiangqi.js';
import { must } from '../support/random-games.js';
import {
  checkGame,
  checkPerft,
  readInvalid,
  vectors,
  type GameLine,
  type InvalidLine,
  type PerftLine,
} from '../support/vectors.js';

type Rules = Ruleset<XiangqiPosition>;

const START = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1';
const RULES: Readonly<Record<string, Rules>> = { xiangqi, 'xiangqi-tournament': xiangqiTournament };

const at = (rules: Rules, fen: string): XiangqiPosition => must(rules.parse(fen, {}));
const game = (rules: Rules, fen: string): Game<XiangqiPosition> =>
  must(resume(rules, {}, { fen, plies: [] }));
const textsOf = (rules: Rules, moves: readonly number[]): string => moves.map(rules.text).sort().join(' ');
const movesAt = (rules: Rules, fen: string): string => textsOf(rules, rules.legalMoves(at(rules, fen)));
const losingAt = (fen: string): string => textsOf(xiangqi, xiangqi.losing(at(xiangqi, fen)));

describe.each(Object.entries(RULES))('vectors of %s', (id, rules) => {
  const lines = vectors<GameLine>(`games.${id}.jsonl`).filter((_, index) => index % 6 === 0);

  test.each(lines.map((line) => [line.id, line] as const))('%s', (_, line) => {
    expect(checkGame(line)).toEqual([]);
    expect(replayedLosing(rules, line)).toEqual(expectedLosing(line));
  });

  const counts = vectors<PerftLine>('perft.jsonl').filter(
    ({ ruleset, nodes }) => ruleset === id && nodes <= 300_000,
  );

  test.each(counts.map((line) => [line.fen, line.depth, line] as const))(
    'perft %s depth %i',
    (_fen, _depth, line) => {
      expect(checkPerft(line)).toEqual([]);
    },
  );

  const invalid = vectors<InvalidLine>('invalid.jsonl').filter(({ ruleset }) => ruleset === id);

  test.each(invalid.map((line) => [line.kind, line.why, line] as const))(
    'invalid %s: %s',
    (_kind, _why, line) => {
      expect(readInvalid(line)).toMatchObject({
        ok: false,
        refusal: { message: expect.stringMatching(/^["A-Z].+\.$/) },
      });
    },
  );
});

/** The losing moves before each ply of a line, as computed and as in its vectors. */
function replayedLosing(rules: Rules, line: GameLine): readonly string[] {
  let now = line.start === null ? begin(rules, {}) : game(rules, line.start);
  return line.plies.map(({ move }) => {
    const losing = textsOf(rules, rules.losing(position(now)));
    now = must(play(now, move, null)).game;
    return losing;
  });
}

const expectedLosing = (line: GameLine): readonly string[] =>
  line.plies.map((ply) => ((ply as { losing?: readonly string[] }).losing ?? []).join(' '));

test('perft of the start', () => {
  const counts = (rules: Rules): number[] =>
    [1, 2, 3, 4].map((depth) => perft(rules, rules.start({}, null), depth));
  expect(counts(xiangqiTournament)).toEqual([44, 1920, 79666, 3290240]);
  expect(counts(xiangqi)).toEqual([44, 1926, 80288, 3343044]);
});

describe('spot checks', () => {
  test.each<[string, Rules, string, string]>([
    [
      'the leg of the horse',
      xiangqi,
      '3k5/9/9/9/4p4/4N4/4P4/9/9/5K3 w - - 0 1',
      'e5c4 e5c6 e5g4 e5g6 f1e1 f1f2',
    ],
    [
      'the eye of the elephant, and the river',
      xiangqi,
      '3k5/9/9/9/9/2B6/3p5/9/9/5K3 w - - 0 1',
      'c5a3 f1e1 f1f2',
    ],
    [
      'the cannon',
      xiangqi,
      '3k5/9/9/9/C1p1p4/9/p8/9/p8/5K3 w - - 0 1',
      'a6a10 a6a2 a6a5 a6a7 a6a8 a6a9 a6b6 a6e6 f1e1 f1f2',
    ],
    [
      'soldiers before and after the river',
      xiangqi,
      '3k5/9/9/9/2P6/4P4/9/9/9/5K3 w - - 0 1',
      'c6b6 c6c7 c6d6 e5e6 f1e1 f1f2',
    ],
    ['the flying general', xiangqi, '4k4/9/9/9/9/9/9/9/8p/4K4 w - - 0 1', 'e1d1 e1e10 e1e2 e1f1'],
    [
      'check may be left standing',
      xiangqi,
      '4k4/9/9/9/9/9/p8/4R4/9/3K5 b - - 0 1',
      'a4a3 a4b4 e10d10 e10e9 e10f10',
    ],
    [
      'a piece between the generals',
      xiangqiTournament,
      '4k4/9/9/9/4n4/9/9/9/R8/4K4 b - - 0 1',
      'e10d10 e10e9 e10f10',
    ],
    ['no legal move', xiangqiTournament, '3k5/4P4/4P4/9/9/9/9/9/9/4K4 b - - 0 1', ''],
  ])('%s', (_, rules, fen, moves) => {
    expect(movesAt(rules, fen)).toBe(moves);
    expect(rules.countLegalMoves(at(rules, fen))).toBe(moves.split(' ').filter(Boolean).length);
  });

  test('marks moves that lose the general at once', () => {
    expect(losingAt('4k4/9/9/9/9/9/p8/4R4/9/3K5 b - - 0 1')).toBe('a4a3 a4b4 e10d10 e10e9');
  });

  test('capturing the general loses nothing, whatever attacks its square', () => {
    expect(losingAt('r3k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1')).toBe('e1e2');
  });
});

describe('how games end', () => {
  test.each<[string, Rules, string, unknown]>([
    ['captured general', xiangqi, '9/9/9/9/9/9/9/9/R8/4k4 w - - 0 2', { winner: 'second', reason: 'kingCaptured' }],
    ['no legal move', xiangqiTournament, '3k5/4P4/4P4/9/9/9/9/9/9/4K4 b - - 0 1', { winner: 'first', reason: 'noLegalMove' }],
    ['a check that the general can leave', xiangqiTournament, '3k4R/9/9/9/9/9/9/9/9/4K4 b - - 0 1', null],
    ['checkmate by two chariots', xiangqiTournament, '3k4R/8R/9/9/9/9/9/9/9/4K4 b - - 0 1', { winner: 'first', reason: 'checkmate' }],
    ['nothing crosses the river', xiangqi, '3k5/4a4/9/9/9/2B6/9/9/9/4K4 w - - 0 1', { winner: null, reason: 'insufficientMaterial' }],
    ['119 plies', xiangqi, '3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 90', null],
    ['120 plies', xiangqi, '3k5/9/9/9/9/9/9/9/R8/4K4 w - - 120 90', { winner: null, reason: 'quietLimit' }],
    ['120 plies', xiangqiTournament, '3k5/9/9/9/9/9/9/9/R8/4K4 w - - 120 90', { winner: null, reason: 'quietLimit' }],
  ])('%s', (_, rules, fen, outcome) => {
    expect(game(rules, fen).outcome).toEqual(outcome);
  }); // prettier-ignore

  test('a side without its general has no moves', () => {
    expect(movesAt(xiangqi, '9/9/9/9/9/9/9/9/R8/4k4 w - - 0 2')).toBe('');
    expect(xiangqi.countLegalMoves(at(xiangqi, '9/9/9/9/9/9/9/9/R8/4k4 w - - 0 2'))).toBe(0);
  });

  test.each([
    ['3k5/9/9/9/9/9/9/9/9/4K4', false],
    ['3k5/9/9/9/9/2B6/9/4B4/4A4/4KA3', false],
    ['3k1r3/9/9/9/9/9/9/9/9/4KA3', false],
    ['3k5/9/9/9/9/9/P8/9/9/4K4', true],
    ['3k5/9/9/9/9/9/9/9/9/4KN3', true],
    ['3k5/9/9/9/9/9/9/9/9/4KC3', true],
    ['3k5/9/9/9/9/9/9/9/9/4KR3', true],
  ])('Red could win in %s: %s', (board, can) => {
    for (const rules of [xiangqi, xiangqiTournament]) {
      expect(rules.canWin(at(rules, `${board} b - - 0 1`), 'first')).toBe(can);
    }
  });
});

describe('notations', () => {
  /** [position or null for the start, moves before, move, WXF, ICCS, Chinese] */
  test.each<[string | null, string, string, string, string, string]>([
    [null, '', 'h3e3', 'C2=5', 'H2-E2', '炮二平五'],
    [null, 'h3e3', 'h10g8', 'H8+7', 'H9-G7', '馬８進７'],
    [null, 'h3e3 h10g8', 'h1g3', 'H2+3', 'H0-G2', '傌二進三'],
    [null, 'h3e3', 'c7c6', 'P3+1', 'C6-C5', '卒３進１'],
    [null, 'h3e3', 'b8e8', 'C2=5', 'B7-E7', '砲２平５'],
    [null, '', 'g1e3', 'E3+5', 'G0-E2', '相三進五'],
    [null, '', 'f1e2', 'A4+5', 'F0-E1', '仕四進五'],
    [null, '', 'e1e2', 'K5+1', 'E0-E1', '帥五進一'],
    [null, '', 'i1i3', 'R1+2', 'I0-I2', '俥一進二'],
    [null, '', 'b3b10', 'C8+7', 'B2-B9', '炮八進七'],
    [null, 'h1g3 a7a6', 'g3h1', 'H3-2', 'G2-H0', '傌三退二'],
    [null, 'e1e2', 'e10e9', 'K5+1', 'E9-E8', '將５進１'],
    ['3k5/9/9/9/9/2R6/9/2R6/9/4K4 w - - 0 1', '', 'c5c9', '+R+4', 'C4-C8', '前俥進四'],
    ['3k5/9/9/9/9/2R6/9/2R6/9/4K4 w - - 0 1', '', 'c3b3', '-R=8', 'C2-B2', '後俥平八'],
    ['3k5/9/9/2r6/9/2r6/9/9/9/4K4 b - - 0 1', '', 'c5c2', '+R+3', 'C4-C1', '前車進３'],
    ['3k5/9/9/2n6/9/2n6/9/9/9/4K4 b - - 0 1', '', 'c7b9', '-H-2', 'C6-B8', '後馬退２'],
    ['3k5/9/9/9/9/2B6/9/9/9/2B1K4 w - - 0 1', '', 'c5e3', 'E7-5', 'C4-E2', '相七退五'],
    ['3k5/9/2P6/2P6/9/9/9/9/9/4K4 w - - 0 1', '', 'c8d8', '+P=6', 'C7-D7', '前兵平六'],
    ['3k5/9/2P6/2P6/9/2P6/9/9/9/4K4 w - - 0 1', '', 'c7d7', '27=6', 'C6-D6', '中兵平六'],
    ['3k5/9/2P6/2P6/9/2P6/9/9/9/4K4 w - - 0 1', '', 'c5c6', '37+1', 'C4-C5', '後兵進一'],
    ['3k5/2P6/2P6/2P6/9/2P6/9/9/9/4K4 w - - 0 1', '', 'c8d8', '27=6', 'C7-D7', '二兵平六'],
    ['3k5/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w - - 0 1', '', 'e7d7', '25=6', 'E6-D6', '後五平六'],
    ['3k5/9/2P1P4/2P1P1P2/9/9/9/9/9/4K4 w - - 0 1', '', 'g7f7', 'P3=4', 'G6-F6', '兵三平四'],
    ['4k4/9/9/9/9/2p1p4/2p1p4/9/9/3K5 b - - 0 1', '', 'c4d4', '13=4', 'C3-D3', '前３平４'],
  ])('%s %s: %s is %s, %s and %s', (fen, before, move, wxf, iccs, chinese) => {
    let now = game(xiangqi, fen ?? START);
    for (const text of before.split(' ').filter(Boolean)) now = must(play(now, text, null)).game;
    const found = xiangqi.legalMoves(position(now)).find((legal) => xiangqi.text(legal) === move)!;
    expect(xiangqi.san(position(now), found, null)).toBe(wxf);
    expect(xiangqi.notations(position(now), found)).toEqual([
      { name: 'iccs', text: iccs },
      { name: 'chinese', text: chinese },
    ]);
  });
});

describe('position texts', () => {
  const field = (rules: Rules, fen: string): string | null => {
    const parsed = rules.parse(fen, {});
    return parsed.ok ? null : parsed.refusal.field!;
  };
  const startWith = (rest: string): string => START.replace('w - - 0 1', rest);

  test.each<[string, string | null, string | null]>([
    [START, null, null],
    [startWith('b - - 12 34'), null, null],
    [startWith('w - - 0'), 'position', 'position'],
    [startWith('w - - 0 1 '), 'position', 'position'],
    [startWith('w - -  0 1'), 'position', 'position'],
    [startWith('W - - 0 1'), 'position.turn', 'position.turn'],
    [startWith('w K - 0 1'), 'position.unused', 'position.unused'],
    [startWith('w - a3 0 1'), 'position.unused', 'position.unused'],
    [startWith('w - - 00 1'), 'position.quiet', 'position.quiet'],
    [startWith('w - - 0 0'), 'position.number', 'position.number'],
    [START.replace('9', '45'), 'position.board', 'position.board'],
    [START.replace('9', '90'), 'position.board', 'position.board'],
    [START.replace('RNB', 'QNB'), 'position.board', 'position.board'],
    ['3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1', null, null],
    ['4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1', null, 'position.board'],
    ['3k5/9/9/9/9/9/9/3R5/9/4K4 w - - 0 1', null, 'position.board'],
    ['3k5/9/9/9/9/9/9/3R5/9/4K4 b - - 0 1', null, null],
    ['9/9/9/9/9/9/9/9/9/4K4 b - - 0 1', null, 'position.board'],
    ['9/9/9/9/9/9/9/9/9/4K4 w - - 0 1', 'position.board', 'position.board'],
    ['9/9/9/9/9/9/9/9/9/4k4 w - - 0 1', null, 'position.board'],
    ['4K4/9/9/9/9/9/9/9/9/9 b - - 0 1', null, 'position.board'],
    ['4K4/9/9/9/9/9/9/9/9/4k4 b - - 0 1', 'position.board', 'position.board'],
    ['3k5/9/9/9/9/9/9/9/9/6K2 w - - 0 1', 'position.board', 'position.board'],
    ['3k5/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1', null, null],
    ['3k5/9/9/9/9/9/9/9/3A5/4K4 w - - 0 1', 'position.board', 'position.board'],
    ['3k5/9/9/9/9/p1p1p1p1p/9/9/9/4K4 w - - 0 1', null, null],
    ['3k5/9/9/p1p6/p1p6/1p7/9/9/9/4K4 w - - 0 1', null, null],
    ['3k5/9/9/1p7/9/9/9/9/9/4K4 w - - 0 1', 'position.board', 'position.board'],
    ['3k5/9/p8/9/9/9/9/9/9/4K4 w - - 0 1', 'position.board', 'position.board'],
  ])('refuses %s in %s, %s', (fen, free, tournament) => {
    expect([field(xiangqi, fen), field(xiangqiTournament, fen)]).toEqual([free, tournament]);
  });

  test('a refusal says what would be right', () => {
    const message = (fen: string): unknown => xiangqiTournament.parse(fen, {});
    expect(message('3k5/9/9/9/9/9/9/9/3A5/4K4 w - - 0 1')).toMatchObject({
      refusal: { message: 'There is a red advisor on d2: an advisor can stand only on the corners and the centre of its palace.' },
    }); // prettier-ignore
    expect(message('3k5/9/9/9/9/9/RRR6/9/9/4K4 w - - 0 1')).toMatchObject({
      refusal: { message: 'Red has more than 2 chariots, the number that each side begins with.' },
    });
  });
});
