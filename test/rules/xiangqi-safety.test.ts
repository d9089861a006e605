import { perft } from '../../src/rules/perft.js';
import { position } from '../../src/rules/play.js';
import type { Move } from '../../src/rules/ruleset.js';
import type { XiangqiPosition } from '../../src/rules/xiangqi/position.js';
import { xiangqi, xiangqiTournament } from '../../src/rules/xiangqi/xiangqi.js';
import { random, randomGame } from '../support/random-games.js';

/** The moves that keep the general safe are found without trying most of them; here all are tried. */

const takesGeneral = (at: XiangqiPosition): boolean =>
  xiangqi.legalMoves(at).some((move) => /k/i.test(xiangqi.captured(at, move, null) ?? ''));

const losesGeneral = (at: XiangqiPosition, move: Move): boolean => takesGeneral(xiangqi.play(at, move, null));

const takesNoGeneral = (at: XiangqiPosition, move: Move): boolean =>
  !/k/i.test(xiangqi.captured(at, move, null) ?? '');

const sorted = (moves: readonly Move[]): string[] => moves.map(xiangqi.text).sort();

function expectSafety(at: XiangqiPosition): void {
  const free = xiangqi.legalMoves(at);
  const lost = free.filter((move) => losesGeneral(at, move));
  expect(xiangqi.countLegalMoves(at)).toBe(free.length);
  expect(xiangqi.losing(at)).toEqual(lost);
  const safe = free.filter((move) => !lost.includes(move) && takesNoGeneral(at, move));
  const tried = xiangqiTournament.parse(xiangqi.fen(at), {});
  if (!tried.ok) return;
  expect(sorted(xiangqiTournament.legalMoves(tried.value))).toEqual(sorted(safe));
  expect(xiangqiTournament.countLegalMoves(tried.value)).toBe(safe.length);
  const opponent = { ...at, side: -at.side } as XiangqiPosition;
  expect(xiangqi.check(at)).toBe(takesGeneral(opponent));
}

/** Positions with random pieces on a board with two generals, most of them near the generals. */
function scattered(seed: number, count: number): readonly XiangqiPosition[] {
  const pick = random(seed);
  const found: XiangqiPosition[] = [];
  while (found.length < count) {
    const cells = Array<string>(90).fill('');
    for (const letter of 'RRNNCCrrnncc'.slice(pick(6), 7 + pick(6))) {
      const rank = pick(3) === 0 ? pick(10) : pick(2) * 6 + pick(4);
      cells[rank * 9 + 2 + pick(5)] = letter;
    }
    cells[pick(3) * 9 + 3 + pick(3)] = 'K';
    cells[(9 - pick(3)) * 9 + 3 + pick(3)] = 'k';
    const parsed = xiangqi.parse(`${boardOf(cells)} ${'wb'.charAt(pick(2))} - - 0 1`, {});
    if (parsed.ok) found.push(parsed.value);
  }
  return found;
}

const boardOf = (cells: readonly string[]): string =>
  Array.from({ length: 10 }, (_, row) => cells.slice(81 - 9 * row, 90 - 9 * row))
    .map((row) => row.map((letter) => letter || '.').join(''))
    .map((row) => row.replace(/\.+/g, (run) => String(run.length)))
    .join('/');

test('agrees in random games', () => {
  for (const rules of [xiangqi, xiangqiTournament]) {
    for (const seed of [1, 2, 3, 4]) {
      for (const state of randomGame(rules, {}, seed).states)
        expectSafety(position(state) as XiangqiPosition);
    }
  }
});

test('agrees in random positions', () => {
  const positions = scattered(5, 1500);
  positions.forEach(expectSafety);
  const quiet = positions.filter((at) => xiangqiTournament.parse(xiangqi.fen(at), {}).ok);
  expect(quiet.length).toBeGreaterThan(300);
  expect(quiet.filter((at) => xiangqi.check(at)).length).toBeGreaterThan(100);
});

test('counting and listing agree', () => {
  for (const rules of [xiangqi, xiangqiTournament]) {
    for (const at of scattered(6, 50).filter((at) => rules.parse(rules.fen(at), {}).ok)) {
      const listed = rules.legalMoves(at).map((move) => rules.play(at, move, null));
      const sum = listed.reduce((nodes, next) => nodes + rules.legalMoves(next).length, 0);
      expect(perft(rules, at, 2)).toBe(sum);
    }
  }
});
