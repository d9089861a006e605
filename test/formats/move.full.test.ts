import fc from 'fast-check';
import { isStored, lineNotation, moveFormatsOf, ranksFromZero, readMove } from '../../src/formats/move.js';
import { pliesIn } from '../../src/formats/tagged-parser.js';
import { ucciText } from '../../src/formats/wxf.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, find, position, replay, resume, type Game } from '../../src/rules/play.js';
import { rulesetById, rulesets } from '../../src/rules/registry.js';
import type { Refusal } from '../../src/rules/result.js';
import type { MoveFormat } from '../../src/rules/ruleset.js';
import { must, randomGame } from '../support/random-games.js';
import { runs } from '../support/scale.js';

/** A move as people write it, read as the move that they mean. */

/** The moves that a text may mean. */
function meant(game: Game<unknown>, text: string, format: MoveFormat | null = null): readonly string[] {
  const read = readMove(game, text, format);
  if (read.ok) return [read.value];
  const { code, candidates = [], message } = read.refusal;
  if (code !== 'AMBIGUOUS_MOVE') throw new Error(`${text}: ${message}`);
  expect(candidates.length).toBeGreaterThan(1);
  for (const move of candidates) expect(find(game, move).ok).toBe(true);
  return candidates;
}

/** Variants with less than the rules write, or more. */
const loose = (san: string): readonly string[] => [
  san.replace(/[+#]$/, ''),
  san.replace('x', ''),
  san.replace('x', ':'),
  san.replace('=', ''),
  san.replaceAll('O', '0'),
];

const marked = (san: string): readonly string[] => [`${san}!?`, ` ${san} `];

const states = fc
  .record({ id: fc.constantFrom(...rulesets().map(({ id }) => id)), seed: fc.nat(1e6), at: fc.nat() })
  .map(({ id, seed, at }) => {
    const { states, label } = randomGame(rulesetById(id)!, {}, seed);
    const running = states.filter(({ outcome }) => outcome === null);
    return { game: running[at % running.length]!, toString: () => `${label}, ply ${at % running.length}` };
  });

test('reads each legal move in each notation of its game, or lists it among the candidates', () => {
  fc.assert(
    fc.property(states, ({ game }) => {
      const { ruleset } = game;
      const here = position(game);
      for (const move of ruleset.legalMoves(here)) {
        const text = ruleset.text(move);
        const san = ruleset.san(here, move, null);
        expect(isStored(ruleset, text, null)).toBe(true);
        expect(meant(game, san)).toEqual([text]);
        for (const name of ruleset.notations(here, move).map(({ text }) => text))
          expect(meant(game, name)).toEqual([text]);
        if (moveFormatsOf(ruleset).includes('ucci')) {
          expect(meant(game, ucciText(text), 'ucci')).toEqual([text]);
          expect(meant(game, san, 'wxf')).toEqual([text]);
        }
        for (const form of marked(san)) expect(meant(game, form)).toEqual([text]);
        if (ruleset.pieces.some(({ name }) => name === 'queen') && !ruleset.hidden)
          for (const form of loose(san)) expect(meant(game, form)).toContain(text);
      }
    }),
    runs(300),
  );
});

const at = (id: string, fen: string | null, moves = ''): Game<unknown> => {
  const ruleset = rulesetById(id)!;
  const options = must(parseOptions(ruleset, {}));
  const start =
    fen === null
      ? begin<unknown>(ruleset, options)
      : must(resume<unknown>(ruleset, options, { fen, plies: [] }));
  const plies = moves.split(' ').filter((move) => move !== '');
  return must(replay(start, plies.map((move) => ({ move, reveals: null })))); // prettier-ignore
};

function refusal(game: Game<unknown>, text: string, format: MoveFormat | null = null): Refusal {
  const read = readMove(game, text, format);
  if (read.ok) throw new Error(`${text} was read as ${read.value}`);
  return read.refusal;
}

const XIANGQI = at('xiangqi-tournament', null);
const KNIGHTS = at('chess', '4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1');
const BANQI = at('banqi-taiwan', '2C1/4/r1P1/4/4/4/4/x3 first r - 3 11');

test.each([
  ['e4', at('chess', null), 'e2e4'],
  ['e2-e4', at('chess', null), 'e2e4'],
  ['Ng1f3', at('chess', null), 'g1f3'],
  ['0-0', at('chess', null, 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5'), 'e1g1'],
  ['o–o+', at('chess', null, 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5'), 'e1g1'],
  ['exd6 e.p.', at('chess', null, 'e2e4 a7a6 e4e5 d7d5'), 'e5d6'],
  ['ed6 ep', at('chess', null, 'e2e4 a7a6 e4e5 d7d5'), 'e5d6'],
  ['Nbd2', KNIGHTS, 'b1d2'],
  ['C2=5', XIANGQI, 'h3e3'],
  ['c2.5', XIANGQI, 'h3e3'],
  ['炮二平五', XIANGQI, 'h3e3'],
  ['H2-E2', XIANGQI, 'h3e3'],
  ['H2E2', XIANGQI, 'h3e3'],
  ['H2-E2!?', XIANGQI, 'h3e3'],
  ['h3-e3', XIANGQI, 'h3e3'],
  // Legal with ranks from 0 and from 1: read as own coordinates, without guessing.
  ['b3b5', XIANGQI, 'b3b5'],
  ['a1(?)', BANQI, 'a1'],
  ['c6?b6', BANQI, 'c6b6'],
  ['c6xa6', BANQI, null],
  ['c8-d8', BANQI, 'c8d8'],
])('%s', (text, game, move) => {
  if (move === null) expect(refusal(game, text).code).toBe('ILLEGAL_MOVE');
  else expect(meant(game, text)).toEqual([move]);
});

test('lists all candidates of an ambiguous move', () => {
  expect(refusal(KNIGHTS, 'Nd2')).toEqual({
    code: 'AMBIGUOUS_MOVE',
    field: 'move',
    message: '"Nd2" can mean more than one move here: Nbd2 or Nfd2. Send one of b1d2, f1d2.',
    candidates: ['b1d2', 'f1d2'],
  });
  const tandem = at('xiangqi-tournament', '4k4/9/9/R8/9/R8/9/9/9/3K5 w - - 0 1');
  expect(refusal(tandem, 'R9=5').candidates).toEqual(expect.arrayContaining(['a5e5', 'a7e7']));
});

test.each<[string, Game<unknown>, MoveFormat | null, string, RegExp]>([
  ['Nd5', at('chess', null), null, 'cannotReach', /^"Nd5" is not a legal move here\. .*knight/],
  ['e8', at('chess', '8/4P2k/8/8/8/8/8/K7 w - - 0 1'), null, 'promotion', /promot/],
  ['E2E4', at('chess', null), null, 'malformed', /^Expected a move, such as e2e4, Nf3, .*; found "E2E4"\.$/],
  ['h3e3', XIANGQI, 'wxf', 'malformed', /^Expected a move, such as C2=5 or \+R-2; found "h3e3"\.$/],
  ['h2-e2', XIANGQI, null, 'emptySquare', /no piece on h2.* count ranks from 0, .*send h3e3/],
  ['C2=9', XIANGQI, null, 'blocked', /is not a legal move here/],
  ['炮五平二', XIANGQI, null, 'cannotReach', /is not a legal move here/],
  ['a1xa2(n)', BANQI, null, 'malformed', /^Expected a move, such as c5, a1a2, a1\(\?\)/],
])('refuses %s', (text, game, format, fault, words) => {
  const { code, fault: said, message } = refusal(game, text, format);
  expect([code, said]).toEqual(['ILLEGAL_MOVE', fault]);
  expect(message).toMatch(words);
});

test('refuses a move that names what it will turn up', () => {
  for (const square of ['a1', 'c8', 'b2']) {
    for (const letter of 'KAENRCPkaenrcp') {
      const words = `names the piece that the move will turn up, which cannot be known yet. Send ${square}`;
      for (const text of [`${square}(${letter})`, `${square}?a5(${letter})x`, `${square}?a5(${letter})`]) {
        const { fault, message } = refusal(BANQI, text);
        expect(fault).toBe('faceDown');
        expect(message).toContain(words);
      }
    }
  }
});

test('explains own coordinates that are legal only with ranks from 0', () => {
  expect(ranksFromZero(XIANGQI, 'h2e2')).toMatch(/ucci/);
  expect(ranksFromZero(XIANGQI, 'a5a6')).toBe('');
  expect(ranksFromZero(at('chess', null), 'e1e3')).toBe('');
});

test('reads no moves in an ended game', () => {
  const over = at('chess', null, 'f2f3 e7e5 g2g4 d8h4');
  expect(refusal(over, 'Nf3').code).toBe('GAME_OVER');
});

test('limits a line only by its number of moves', () => {
  const line = (text: string) => {
    const read = pliesIn(at('chess', null), text, lineNotation(rulesetById('chess')!, null), 2);
    return read.ok ? read.value.map(({ move }) => move).join(' ') : read.refusal;
  };
  expect(line('')).toBe('');
  expect(line('1. e4 (1. d4 d5 2. c4) e5 {so} 1/2-1/2 {far}')).toBe('e2e4 e7e5');
  expect(line('1. e4 e5\n2. Nf3')).toMatchObject({ code: 'INVALID_GAME_TEXT', line: 2, column: 4 });
  expect(line('e4 1-0 e5')).toMatchObject({ column: 8, message: expect.stringContaining('no more moves') });
  expect(line('e4 {e5')).toMatchObject({ column: 4 });
  expect(line('e4 \u0000')).toMatchObject({ column: 4 });
});
