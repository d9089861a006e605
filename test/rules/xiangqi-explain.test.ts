import { find, legalMoves, position, resume, type Game } from '../../src/rules/play.js';
import type { MoveFault, Refusal } from '../../src/rules/result.js';
import type { Ruleset } from '../../src/rules/ruleset.js';
import type { XiangqiPosition } from '../../src/rules/xiangqi/position.js';
import { xiangqi, xiangqiTournament } from '../../src/rules/xiangqi/xiangqi.js';
import { must, random, randomGame } from '../support/random-games.js';

type Rules = Ruleset<XiangqiPosition>;

const START = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR';

const game = (rules: Rules, board: string): Game<XiangqiPosition> =>
  must(resume(rules, {}, { fen: `${board} w - - 0 1`, plies: [] }));

function refused(rules: Rules, board: string, move: string): Refusal {
  const found = find(game(rules, board), move);
  if (found.ok) throw new Error(`${move} is legal`);
  return found.refusal;
}

const refusal = (fault: MoveFault, message: RegExp): Refusal => ({
  code: 'ILLEGAL_MOVE',
  field: 'move',
  fault,
  message: expect.stringMatching(message) as string,
});

describe('why a move is refused in both games', () => {
  const lone = '3k5/9/9/9/R8/9/9/9/9/5K3';
  const withRiver = '3k5/9/9/p8/9/2B6/P2p5/9/9/4KR3';
  const cannons = '3k5/9/r8/9/c8/9/C2p1p1r1/9/9/4K4';
  const crossed = '3k5/9/9/9/4P4/9/9/9/9/4K4';

  test.each<[string, string, MoveFault, RegExp]>([
    [START, 'C2=5', 'malformed', /two squares, such as h3e3/],
    [START, 'h3-e3', 'malformed', /two squares/],
    [START, 'h3e3 and a lot more', 'malformed', /two squares/],
    [START, 'H3E3', 'malformed', /two squares/],
    [START, 'a1a11', 'offBoard', /no square a11; the board goes from a1 to i10/],
    [START, 'j1a1', 'offBoard', /no square j1/],
    [START, 'e5e6', 'emptySquare', /no piece on e5/],
    [START, 'e7e6', 'notYours', /soldier on e7 belongs to Black/],
    [START, 'a1a1', 'cannotReach', /another square/],
    [START, 'a1b1', 'ownPiece', /Red's own horse stands on b1/],
    [START, 'b1d2', 'blocked', /horse on b1 cannot go to d2: the elephant on c1 stands on the horse's leg/],
    [START, 'b1b3', 'ownPiece', /own cannon stands on b3/],
    [START, 'b1b2', 'cannotReach', /horse goes one square straight, then one diagonally/],
    [START, 'a1a5', 'blocked', /soldier on a4 is in the way/],
    [START, 'a1c2', 'cannotReach', /chariot moves along ranks and files/],
    [START, 'c1d2', 'cannotReach', /exactly two squares diagonally/],
    [START, 'd1c2', 'cannotReach', /must stay in its palace, d1 to f3/],
    [START, 'd1d2', 'cannotReach', /advisor goes one square diagonally/],
    [START, 'e1e3', 'cannotReach', /general goes one square up, down or sideways/],
    [START, 'a4b4', 'cannotReach', /sideways only after it has crossed the river/],
    [START, 'a4a3', 'cannotReach', /cannot go backward/],
    [START, 'a4a6', 'cannotReach', /one square at a time/],
    [START, 'b3c4', 'ownPiece', /own soldier/],
    [START, 'b3c5', 'cannotReach', /cannon moves along ranks and files/],
    [START, 'b3b9', 'blocked', /cannon on b8 is in the way; a cannon jumps only to capture/],
    [START, 'b3b8', 'cannotCapture', /exactly one piece between to jump over, and there is none/],
    [lone, 'f1g1', 'cannotReach', /must stay in its palace, d1 to f3/],
    [withRiver, 'c5a7', 'cannotReach', /cannot cross the river/],
    [withRiver, 'c5e3', 'blocked', /soldier on d4 stands on the elephant's eye/],
    [withRiver, 'c5e4', 'cannotReach', /exactly two squares/],
    [cannons, 'a4h4', 'cannotCapture', /cannon on a4 cannot take the chariot on h4: .*there are 2/],
    [cannons, 'a4i4', 'blocked', /soldier on d4 is in the way/],
    [crossed, 'e6e5', 'cannotReach', /cannot go backward/],
    [crossed, 'e6g6', 'cannotReach', /one square at a time/],
    [crossed, 'e6f7', 'cannotReach', /one square at a time/],
  ])('%s %s: %s', (board, move, fault, message) => {
    for (const rules of [xiangqi, xiangqiTournament]) {
      expect(refused(rules, board, move)).toEqual(refusal(fault, message));
    }
  });
});

describe('why a move is refused under tournament rules', () => {
  test.each<[string, string, RegExp]>([
    ['4k4/9/9/9/9/4N4/9/9/9/4K4', 'e5d7', /horse on e5 goes to d7 the two generals would face each other on the e file/],
    ['3k5/9/9/9/R8/9/9/9/9/4K4', 'e1d1', /general on e1 goes to d1 the two generals would face/],
    ['3k5/9/9/9/9/9/9/5r3/9/4K4', 'e1f1', /cannot go to f1: it would be in check from the chariot on f3/],
    ['3k5/9/9/9/4r4/9/9/4N4/9/4K4', 'e3d5', /Moving the horse on e3 to d5 would put the general on e1 in check from the chariot on e6/],
    ['5k3/9/9/9/4r4/9/9/9/9/R3K4', 'a1a5', /would leave the general on e1 in check from the chariot on e6/],
    ['3k5/9/9/9/4c4/9/9/R8/9/4K4', 'a3e3', /would put the general on e1 in check from the cannon on e6/],
    ['3k5/9/9/9/4c4/9/4p4/4N4/9/4K4', 'e3g2', /would put the general on e1 in check from the cannon on e6/],
    ['3k5/9/9/9/9/9/9/3n5/3N5/4K4', 'd2f3', /would put the general on e1 in check from the horse on d3/],
    ['3k5/9/9/9/9/9/9/9/9/3p1K3', 'f1e1', /in check from the soldier on d1/],
  ])('%s %s', (board, move, message) => {
    const { ok } = find(game(xiangqi, board), move);
    expect(ok).toBe(true);
    expect(refused(xiangqiTournament, board, move)).toEqual(refusal('leavesKingInCheck', message));
  }); // prettier-ignore

  test('the general flies only under king capture', () => {
    expect(refused(xiangqi, START, 'e1e10')).toEqual(
      refusal('blocked', /soldier on e4 stands between the generals/),
    );
    expect(refused(xiangqiTournament, START, 'e1e10')).toEqual(
      refusal('cannotReach', /general goes one square/),
    );
  });
});

test('explanations after the capture of the general', () => {
  const at = must(xiangqi.parse('9/9/9/9/9/9/9/9/R8/4k4 w - - 0 2', {}));
  expect(xiangqi.explain(at, 'a2a3').message).toBe("Red's general has been captured and the game is over.");
});

describe.each([xiangqi, xiangqiTournament])('in random games of $id', (rules) => {
  const names = Array.from(
    { length: 90 },
    (_, i) => 'abcdefghi'.charAt(i % 9) + String(Math.floor(i / 9) + 1),
  );
  const texts = names.flatMap((from) => names.map((to) => from + to));
  const games = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => randomGame(rules, {}, seed));
  const running = games.flatMap(({ states }) => states.filter(({ outcome }) => outcome === null));
  const pick = random(7);
  const chosen = Array.from({ length: 100 }, () => running[pick(running.length)]!);

  test('every pair of squares is legal or refused for a specific reason', () => {
    const unexplained = chosen.flatMap((state) => {
      const legal = new Set(legalMoves(state));
      const at = position(state) as XiangqiPosition;
      return texts.filter((text) => !legal.has(text) && /not among/.test(rules.explain(at, text).message));
    });
    expect(unexplained).toEqual([]);
  });

  test('no query changes the position', () => {
    for (const state of chosen) {
      const at = position(state) as XiangqiPosition;
      const before = { ...at, cells: at.cells.slice() };
      for (const move of rules.legalMoves(at)) {
        rules.san(at, move, null);
        rules.notations(at, move);
        rules.play(at, move, null);
      }
      rules.losing(at);
      expect(at).toEqual(before);
    }
  });
});
