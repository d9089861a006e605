import { squaresOfMove } from '../../src/rules/board.js';
import { analyse, legalMovesOf, type Analysis, type AnalysisRequest } from '../../src/rules/analyse.js';
import { parseOptions } from '../../src/rules/options.js';
import * as rules from '../../src/rules/play.js';
import { rulesetById, rulesets, type AnyRuleset } from '../../src/rules/registry.js';
import { PLAYERS, type Ruleset } from '../../src/rules/ruleset.js';
import { toy } from '../fairness/toy.js';
import { must, randomGame } from '../support/random-games.js';

/** Analysing lines and positions without a game: the same as in a game, and refused with the position of the fault. */

const chess = rulesetById('chess')!;
const taiwan = rulesetById('banqi-taiwan')!;

type Given = Partial<Omit<AnalysisRequest, 'options'>> & { readonly options?: object };

const request = <P>(ruleset: Ruleset<P>, { options = {}, ...given }: Given): AnalysisRequest => ({
  setup: null,
  position: null,
  faceDown: null,
  moves: [],
  ...given,
  options: must(parseOptions(ruleset, options)),
});

const analysed = <P>(ruleset: Ruleset<P>, given: Given): Analysis =>
  must(analyse(ruleset, request(ruleset, given)));

const refusal = <P>(ruleset: Ruleset<P>, given: Given): unknown => {
  const answer = analyse(ruleset, request(ruleset, given));
  return answer.ok ? answer.value : { code: answer.refusal.code, field: answer.refusal.field };
};

const quiet = (moves: string) => moves.split(' ').map((move) => ({ move, reveals: null }));

describe.each(rulesets().map((ruleset) => [ruleset.id, ruleset] as const))('a game of %s', (_, ruleset) => {
  const { options, setup, plies, states } = randomGame(ruleset, {}, 7);
  const lengths = [0, 1, 2, 9, 30, plies.length >> 1, plies.length - 1, plies.length];

  it.each([...new Set(lengths)].filter((length) => length >= 0 && length <= plies.length))(
    'is judged after %i plies as it was when they were played',
    (length) => {
      const game = states[length]!;
      const at = rules.position(game);
      const { legalMoves, ...found } = analysed(ruleset, { options, setup, moves: plies.slice(0, length) });
      const goesOn = game.outcome === null;
      expect(found).toEqual({
        position: ruleset.fen(at),
        turn: goesOn ? ruleset.turn(at) : null,
        check: ruleset.check(at),
        outcome: game.outcome,
        claimable: goesOn ? ruleset.claimable(game.history) : [],
        canWin: Object.fromEntries(PLAYERS.map((player) => [player, goesOn && ruleset.canWin(at, player)])),
        mayTurnUp: ruleset.mayTurnUp(at),
        plies: plies.slice(0, length).map(({ player, move, reveals, captured, san, fen }, i) => {
          const before = rules.position(states[i]!);
          const notations = ruleset.notations(before, must(rules.find(states[i]!, move)));
          return { player, move, ...squaresOfMove(move), reveals, captured, san, notations, position: fen };
        }),
      });
      const legal = goesOn ? ruleset.legalMoves(at) : [];
      const warned = new Map(rules.warnings(game).map((warning) => [warning.move, warning.outcome]));
      expect(legalMoves).toEqual(
        legal.map((move) => ({
          move: ruleset.text(move),
          ...squaresOfMove(ruleset.text(move)),
          captures: ruleset.captured(at, move, null),
          san: ruleset.san(at, move, null),
          notations: ruleset.notations(at, move),
          losing: ruleset.losing(at).includes(move),
          warning: warned.get(ruleset.text(move)) ?? null,
        })),
      );
    },
  );

  it.each([3, plies.length >> 1])('continues from the text of its position after %i plies', (from) => {
    const moves = plies.slice(from, from + 4);
    const position = ruleset.fen(rules.position(states[from]!));
    const { plies: found, legalMoves } = analysed(ruleset, { options, position, moves });
    expect(found.map(({ san, position: fen }) => [san, fen])).toEqual(
      moves.map(({ san, fen }) => [san, fen]),
    );
    const end = rules.position(states[from + moves.length]!);
    // Not after the end of the game: without its history nothing is repeated.
    if (legalMoves.length > 0) expect(legalMoves).toHaveLength(ruleset.countLegalMoves(end));
  });
});

it('computes the history only when a warning is read', () => {
  const game = rules.begin(chess, {});
  let asked = 0;
  const moves = legalMovesOf(chess, rules.position(game), () => {
    asked += 1;
    return game;
  });
  expect([moves.map(({ move, san, losing }) => [move, san, losing]).length, asked]).toEqual([20, 0]);
  expect([moves.map(({ warning }) => warning).filter((each) => each !== null), asked]).toEqual([[], 1]);
});

it('warns before the move that repeats the position for the third time', () => {
  const there = 'g1f3 g8f6 f3g1 f6g8';
  const { legalMoves, claimable } = analysed(chess, { moves: quiet(`${there} ${there}`.slice(0, -5)) });
  expect(claimable).toEqual([]);
  expect(legalMoves.filter(({ warning }) => warning !== null)).toEqual([
    expect.objectContaining({ move: 'f6g8', warning: { winner: null, reason: 'threefoldRepetition' } }),
  ]);
  expect(analysed(chess, { moves: quiet(`${there} ${there}`) }).claimable).toEqual(['threefoldRepetition']);
});

it('says that a lone king cannot win, and that no one can after the end', () => {
  const position = '8/8/8/8/8/5k2/8/3R1K2 b - - 0 1';
  expect(analysed(chess, { position })).toMatchObject({
    canWin: { first: true, second: false },
    outcome: null,
  });
  const mate = analysed(chess, { moves: quiet('f2f3 e7e5 g2g4 d8h4') });
  expect(mate).toMatchObject({
    turn: null,
    check: true,
    outcome: { winner: 'second', reason: 'checkmate' },
    canWin: { first: false, second: false },
    legalMoves: [],
  });
});

it('determines by elimination what a turn-up may show', () => {
  const moves = [
    { move: 'a1', reveals: 'K' },
    { move: 'b1', reveals: 'k' },
  ];
  const { mayTurnUp, legalMoves, plies } = analysed(taiwan, { moves });
  expect(mayTurnUp).toBe('AABBRRNNCCPPPPPaabbrrnnccppppp');
  expect(plies.map(({ san }) => san)).toEqual(['a1(K)', 'b1(k)']);
  expect(legalMoves.map(({ san }) => san)).toEqual(expect.arrayContaining(['c1(?)', 'd8(?)']));
});

describe('is refused', () => {
  const turnUp = (...reveals: (string | null)[]) =>
    reveals.map((letter, i) => ({ move: `${'abcd'.charAt(i)}1`, reveals: letter }));

  it.each<[string, AnyRuleset, Given, string, string]>([
    ['an illegal move', chess, { moves: quiet('e2e4 e7e5 e4e5') }, 'ILLEGAL_MOVE', 'moves.2.move'],
    ['an invalid move', chess, { moves: quiet('e2e4 zz') }, 'ILLEGAL_MOVE', 'moves.1.move'],
    [
      'a move after the end',
      chess,
      { moves: quiet('f2f3 e7e5 g2g4 d8h4 a2a3') },
      'GAME_OVER',
      'moves.4.move',
    ],
    [
      'a piece that is turned up too often',
      taiwan,
      { moves: turnUp('K', 'K') },
      'INVALID_REVEAL',
      'moves.1.reveals',
    ],
    [
      'a turn-up that shows no piece',
      taiwan,
      { moves: turnUp('K', null) },
      'INVALID_REVEAL',
      'moves.1.reveals',
    ],
    ['an extra letter', taiwan, { moves: turnUp('Kk') }, 'INVALID_REVEAL', 'moves.0.reveals'],
    [
      'a reveal for an ordinary move',
      chess,
      { moves: [{ move: 'e2e4', reveals: 'P' }] },
      'INVALID_REVEAL',
      'moves.0.reveals',
    ],
    ['an invalid position', chess, { position: 'nonsense' }, 'INVALID_POSITION', 'position'],
    ['a set-up in a game without one', chess, { setup: 'KQR/kqr' }, 'INVALID_SETUP', 'setup'],
    ['an invalid set-up', toy, { setup: 'KQR/kqq' }, 'INVALID_SETUP', 'setup'],
    ['a set-up beside a position', toy, { setup: 'KQR/kqr', position: 'x' }, 'INVALID_SETUP', 'setup'],
    [
      'another set-up than that of the options',
      toy,
      { setup: 'KQR/kqr', options: { setup: 'QKR/kqr' } },
      'INVALID_SETUP',
      'setup',
    ],
  ])('%s', (_name, ruleset, given, code, field) => {
    expect(refusal(ruleset, given)).toEqual({ code, field });
  });

  it('with the number of the move in the message', () => {
    const answer = analyse(chess, request(chess, { moves: quiet('e2e4 e7e5 e4e5') }));
    expect(answer).toMatchObject({
      ok: false,
      refusal: { message: expect.stringMatching(/^Move 3: .+\.$/) },
    });
  });
});

describe('a set-up', () => {
  const start = (given: Given) => analysed(toy, given).position;

  it('is the given one, else that of the options, else the order before the draw', () => {
    expect(start({ setup: 'RQK/rqk' })).toBe('RQK/rqk 0');
    expect(start({ setup: 'RQK/rqk', options: { setup: 'RQK/rqk' } })).toBe('RQK/rqk 0');
    expect(start({ options: { setup: 'QKR/kqr' } })).toBe('QKR/kqr 0');
    expect(start({})).toBe('KQR/kqr 0');
  });
});

describe('the face-down pieces of a position', () => {
  const position = '4/4/4/4/4/4/3x/Rp2 first r - 0 61';
  const taken = quiet('a1b1');

  it('may be given, so that a side without pieces is known to have lost', () => {
    const [known, unknown] = ['A', null].map((faceDown) =>
      analysed(taiwan, { position, faceDown, moves: taken }),
    );
    expect(known).toMatchObject({
      mayTurnUp: 'A',
      outcome: { winner: 'first', reason: 'allPiecesCaptured' },
    });
    expect(unknown).toMatchObject({ outcome: null });
    expect(unknown!.mayTurnUp.length).toBeGreaterThan(1);
  });

  it('must match the position', () => {
    const wrong = { code: 'INVALID_POSITION', field: 'position.faceDown' };
    expect(refusal(taiwan, { position, faceDown: 'AA' })).toEqual(wrong);
    expect(refusal(taiwan, { position, faceDown: 'R'.repeat(500) })).toEqual(wrong);
  });
});
