import { play, resume, warnings, type Game } from '../../src/rules/play.js';
import type { Ruleset } from '../../src/rules/ruleset.js';
import type { XiangqiPosition } from '../../src/rules/xiangqi/position.js';
import { xiangqi, xiangqiTournament } from '../../src/rules/xiangqi/xiangqi.js';
import { must } from '../support/random-games.js';

/** Repetitions by hand; each cycle begins and ends in the position of its first field. */

const PERPETUAL_CHECK = { winner: 'second', reason: 'perpetualCheck' };
const PERPETUAL_CHASE = { winner: 'second', reason: 'perpetualChase' };
const DRAW = { winner: null, reason: 'threefoldRepetition' };

/** Plays the cycle up to `times` times; the game must not end before the last ply. */
function repeat(rules: Ruleset<XiangqiPosition>, board: string, cycle: string, times = 2): unknown {
  let game: Game<XiangqiPosition> = must(resume(rules, {}, { fen: `${board} w - - 0 1`, plies: [] }));
  for (const move of Array.from({ length: times }, () => cycle.split(' ')).flat()) {
    expect(game.outcome).toBeNull();
    game = must(play(game, move, null)).game;
  }
  return game.outcome;
}

describe('perpetual check', () => {
  const board = '3k5/9/9/9/9/9/9/9/4R4/5K3';
  const cycle = 'e2d2 d10e10 d2e2 e10d10';

  test('by one side loses for that side', () => {
    expect(repeat(xiangqiTournament, board, cycle)).toEqual(PERPETUAL_CHECK);
  });

  test('is a draw under king capture', () => {
    expect(repeat(xiangqi, board, cycle)).toEqual(DRAW);
  });

  test('is not judged before the third occurrence', () => {
    expect(repeat(xiangqiTournament, board, cycle, 1)).toBeNull();
  });

  test('with plies between that do not give check is a draw', () => {
    const slower = 'e2d2 d10e10 d2d5 e10e9 d5e5 e9d9 e5e2 d9d10';
    expect(repeat(xiangqiTournament, board, slower)).toEqual(DRAW);
  });

  test('warns both in time: the checking side before the last check, the other before the judgement', () => {
    let game: Game<XiangqiPosition> = must(
      resume(xiangqiTournament, {}, { fen: `${board} w - - 0 1`, plies: [] }),
    );
    const told: string[] = [];
    for (const move of `${cycle} ${cycle}`.split(' ')) {
      const warned = warnings(game).find((warning) => warning.move === move);
      told.push(warned === undefined ? '-' : `${warned.outcome.reason} ${warned.outcome.winner}`);
      game = must(play(game, move, null)).game;
    }
    const warning = 'perpetualCheck second';
    expect(told).toEqual(['-', '-', '-', '-', '-', '-', warning, warning]);
  });

  test('by both sides is a draw', () => {
    const both = '9/1c7/3k1r3/9/5c3/2C2R3/9/3C5/5K3/9';
    expect(repeat(xiangqiTournament, both, 'f5d5 f6d6 d5f5 d6f6')).toEqual(DRAW);
  });
});

describe('perpetual chase', () => {
  const hunt = 'a1c1 c8a7 c1a1 a7c8';

  test.each<[string, string, string, unknown]>([
    ['of a horse by a chariot', '5k3/9/2n6/9/9/9/9/9/9/R2K5', hunt, PERPETUAL_CHASE],
    ['of a horse protected on one of its squares', '2r2k3/9/2n6/9/9/9/9/9/9/R2K5', hunt, DRAW],
    ['of a horse protected by a chariot', '4k4/9/2nr5/9/9/9/9/9/9/R2R1K3', hunt, DRAW],
    ['of a horse whose protector is pinned', '3k5/9/2nr5/9/9/9/9/9/9/R2R1K3', hunt, PERPETUAL_CHASE],
    ['by a chariot', '5k3/4a4/2n6/4R4/9/9/9/9/9/4K4', 'e7e8 c8a7 e8e7 a7c8', PERPETUAL_CHASE],
    ['by a chariot that is pinned', '4ck3/4a4/2n6/4R4/9/9/9/9/9/4K4', 'e7e8 c8a7 e8e7 a7c8', DRAW],
    ['of a soldier across the river', '5k3/9/9/9/9/9/3p5/9/9/2R1K4', 'c1d1 d4c4 d1c1 c4d4', PERPETUAL_CHASE],
    ['of a horse by two chariots in turn', '5k3/9/9/n3R4/2R6/9/9/9/9/4K4', 'c6c7 f10f9 c7c6 f9f10', PERPETUAL_CHASE],
    ['of a soldier before the river', '5k3/9/9/p3R4/2R6/9/9/9/9/4K4', 'c6c7 f10f9 c7c6 f9f10', DRAW],
    ['by a soldier', '5k3/9/2c6/3P5/9/9/9/9/9/4K4', 'd7c7 c8d8 c7d7 d8c8', DRAW],
    ['by the general', '5k3/9/9/9/9/9/9/4c4/3K5/9', 'd2e2 e3d3 e2d2 d3e3', DRAW],
    ['of a chariot by one that it could capture', '5k3/9/2r6/9/9/9/9/9/9/R3K4', 'a1c1 c8a8 c1a1 a8c8', DRAW],
    ['of a protected chariot by a cannon', '5k3/9/2r5r/9/1P7/2P6/9/9/9/1C2K4', 'b1c1 c8b8 c1b1 b8c8', PERPETUAL_CHASE],
    ['of two horses in turn', '5k3/9/n1n6/9/9/9/9/9/9/R2K5', 'a1c1 f10e10 c1a1 e10f10', DRAW],
  ])('%s', (_, board, cycle, outcome) => {
    expect(repeat(xiangqiTournament, board, cycle)).toEqual(outcome);
  }); // prettier-ignore

  test('is a draw under king capture', () => {
    expect(repeat(xiangqi, '5k3/9/2n6/9/9/9/9/9/9/R2K5', hunt)).toEqual(DRAW);
  });
});
