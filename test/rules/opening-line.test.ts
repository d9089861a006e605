import { openingFault } from '../../src/rules/opening-line.js';
import { parseOptions } from '../../src/rules/options.js';
import { rulesetById, rulesets } from '../../src/rules/registry.js';
import { must, random, randomGame, randomGames } from '../support/random-games.js';

/** Whether a game may begin with some moves. */

const faultOf = (id: string, text: string, options = {}) => {
  const ruleset = rulesetById(id)!;
  const fault = openingFault<unknown>(ruleset, must(parseOptions(ruleset, options)), text.split(' '));
  return fault && [fault.fault ?? fault.code, fault.message];
};

describe.each(rulesets().map((ruleset) => [ruleset.id, ruleset] as const))('%s', (id, ruleset) => {
  test('every game begins with its moves', () => {
    const defaults = must(parseOptions(ruleset, {}));
    for (const seed of [1, 101, 201]) {
      for (const { plies, options, label } of randomGames(ruleset, seed)) {
        const moves = plies.slice(0, 16).map(({ move }) => move);
        const faults = [options, defaults].map((given) => openingFault<unknown>(ruleset, given, moves));
        expect([label, moves.join(' '), ...faults]).toEqual([label, moves.join(' '), null, null]);
      }
    }
  });

  test('no game has squares that its board lacks, moves an empty square or stays where it is', () => {
    const { files, ranks } = ruleset.board;
    const [last, beyond] = [String.fromCharCode(96 + files), String.fromCharCode(97 + files)];
    for (const text of [`${beyond}1`, `a${ranks + 1}`, `a1${last}${ranks + 1}`, 'a1a1', 'pass']) {
      expect([id, text, faultOf(id, text)]).not.toEqual([id, text, null]);
    }
  });
});

test.each([
  ['chess', 'e2e4 e7e5 e1e3', 'Move 3: '],
  ['chess', 'f2f3 e7e5 g2g4 d8h4 a2a3', 'Move 5: The game is over.'],
  ['chess', 'e4e5', 'Move 1: '],
  ['xiangqi', 'h3h9', 'Move 1: '],
  ['half-court-chess', 'a2a3 a3a4', "Move 2: The piece on a3 is the opponent's."],
  ['half-court-chess', 'a2a3 a4a3 a2a3', 'Move 3: There is no piece on a2.'],
  ['half-court-chess', 'a2', 'Move 1: The piece on a2 is already face-up.'],
  ['banqi-taiwan', 'a1a2', 'Move 1: The piece on a1 is face-down. Turn it up first.'],
  ['banqi-taiwan', 'a1 a1', 'Move 2: The piece on a1 is already face-up.'],
  ['banqi-hongkong', 'a1 b1 a1b1 a1b1', 'Move 4: There is no piece on a1.'],
  ['banqi-taiwan', 'a1 pass', 'Move 2: A player can pass only after a capture.'],
] as const)('no game of %s begins with %s', (id, text, words) => {
  expect(faultOf(id, text)).toEqual([expect.any(String), expect.stringContaining(words)]);
});

test('a set-up in the options is judged by the rules', () => {
  const options = { setup: 'KQRBN/kqrbn' };
  expect(faultOf('half-court-chess', 'e1d3', options)).toBeNull();
  expect(faultOf('half-court-chess', 'd1d3', options)).not.toBeNull();
  expect(faultOf('half-court-chess', 'd1d3')).toBeNull();
});

test('a random change of a line of chess is found wherever the rules find it', () => {
  const pick = random(1);
  const ruleset = rulesetById('chess')!;
  for (let seed = 1; seed <= 30; seed++) {
    const moves = randomGame(ruleset, {}, seed)
      .plies.slice(0, 16)
      .map(({ move }) => move);
    const at = pick(moves.length);
    const changed = moves.with(at, `${moves[at]!.slice(2, 4)}${moves[at]!.slice(0, 2)}`);
    expect(openingFault<unknown>(ruleset, {}, changed)?.message).toContain(`Move ${at + 1}: `);
  }
});
