import { chess } from '../../src/rules/chess/chess.js';
import { halfCourtChess } from '../../src/rules/chess/half-court-chess.js';
import { claim, claimWith, openClaims } from '../../src/rules/claims.js';
import { banqiTaiwan } from '../../src/rules/facedown/banqi.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, legalMoves, play, replay, resume, turnsUp, type Game } from '../../src/rules/play.js';
import { rulesets } from '../../src/rules/registry.js';
import { occurrences } from '../../src/rules/repetition.js';
import { CLAIMS, type Claim, type Ruleset } from '../../src/rules/ruleset.js';
import { xiangqi } from '../../src/rules/xiangqi/xiangqi.js';
import { must, randomGame } from '../support/random-games.js';

/** The answers to draw claims. */

const THREEFOLD = 'threefoldRepetition';
const FIFTY = 'fiftyMoves';
const OUT_AND_BACK = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];

const on = <P>(game: Game<P>, moves: readonly string[]): Game<P> =>
  must(replay(game, moves.map((move) => ({ move, reveals: null })))); // prettier-ignore

const after = <P>(ruleset: Ruleset<P>, moves: readonly string[]): Game<P> =>
  on(begin(ruleset, must(parseOptions(ruleset, {}))), moves);

const standing = <P>(ruleset: Ruleset<P>, fen: string): Game<P> =>
  must(resume(ruleset, must(parseOptions(ruleset, {})), { fen, plies: [] }));

const quietAt = (quiet: number): Game<unknown> =>
  standing<unknown>(chess, `7k/8/8/8/8/8/Q6P/K7 w - - ${quiet} 100`);

const notMet = (message: string): unknown => ({
  ok: false,
  refusal: { code: 'CLAIM_NOT_MET', field: 'reason', message },
});
const draw = (reason: Claim): unknown => ({ ok: true, value: { winner: null, reason } });

describe('threefold repetition', () => {
  test.each([
    [[], 'once'],
    [OUT_AND_BACK, 'twice'],
    [[...OUT_AND_BACK, 'e2e4'], 'once'],
    [[...OUT_AND_BACK, ...OUT_AND_BACK, 'd2d3'], 'once'],
  ])('is refused with how often the position has occurred: %j %s', (moves, times) => {
    expect(claim(after(chess, moves), THREEFOLD)).toEqual(
      notMet(`The position has occurred ${times}; a claim needs three occurrences.`),
    );
  });

  test('is accepted at the third and the fourth occurrence', () => {
    const third = [...OUT_AND_BACK, ...OUT_AND_BACK];
    expect(claim(after(chess, third), THREEFOLD)).toEqual(draw(THREEFOLD));
    expect(claim(after(chess, [...third, ...OUT_AND_BACK]), THREEFOLD)).toEqual(draw(THREEFOLD));
  });

  test('castling rights distinguish positions', () => {
    const kings = ['e1e2', 'e8e7', 'e2e1', 'e7e8'];
    const game = after(chess, ['e2e4', 'e7e5', ...kings, ...kings]);
    expect(claim(game, THREEFOLD)).toEqual(
      notMet('The position has occurred twice; a claim needs three occurrences.'),
    );
    expect(claim(on(game, kings), THREEFOLD)).toEqual(draw(THREEFOLD));
  });

  test('is accepted with the move that produces the position, which is then played', () => {
    const game = after(chess, [...OUT_AND_BACK, ...OUT_AND_BACK].slice(0, -1));
    const { game: next, ply } = must(claimWith(game, THREEFOLD, 'f6g8'));
    expect(next.outcome).toEqual({ winner: null, reason: THREEFOLD });
    expect(ply).toEqual(must(play(game, 'f6g8', null)).ply);
    expect([ply.san, ply.claimable]).toEqual(['Ng8', [THREEFOLD]]);
    expect(game.outcome).toBeNull();
  });

  test('is judged after the move, not before it', () => {
    const game = after(chess, [...OUT_AND_BACK, ...OUT_AND_BACK]);
    expect(claimWith(game, THREEFOLD, 'e2e4')).toEqual(
      notMet('After this move the position will have occurred once; a claim needs three occurrences.'),
    );
    expect(claimWith(after(chess, OUT_AND_BACK.slice(0, 3)), THREEFOLD, 'f6g8')).toEqual(
      notMet('After this move the position will have occurred twice; a claim needs three occurrences.'),
    );
  });

  test('needs no claim when the move makes the fifth occurrence', () => {
    const game = after(chess, [1, 2, 3, 4].flatMap(() => OUT_AND_BACK).slice(0, -1)); // prettier-ignore
    expect(claimWith(game, THREEFOLD, 'f6g8')).toEqual(
      notMet('This move already ends the game. Play it without a claim.'),
    );
  });
});

describe('fifty moves', () => {
  test.each([
    [0, 'The game has had 0 plies in a row without a capture or pawn move; a claim needs 100.'],
    [1, 'The game has had 1 ply in a row without a capture or pawn move; a claim needs 100.'],
    [37, 'The game has had 37 plies in a row without a capture or pawn move; a claim needs 100.'],
    [99, 'The game has had 99 plies in a row without a capture or pawn move; a claim needs 100.'],
  ])('is refused after %d quiet plies, with their number', (quiet, message) => {
    expect(claim(quietAt(quiet), FIFTY)).toEqual(notMet(message));
  });

  test.each([100, 101, 149])('is accepted after %d quiet plies', (quiet) => {
    expect(claim(quietAt(quiet), FIFTY)).toEqual(draw(FIFTY));
  });

  test('is judged after the move of the claim', () => {
    expect(must(claimWith(quietAt(99), FIFTY, 'a2b2')).game.outcome).toEqual({
      winner: null,
      reason: FIFTY,
    });
    expect(claimWith(quietAt(98), FIFTY, 'a2b2')).toEqual(
      notMet(
        'After this move the game will have had 99 plies in a row without a capture or pawn move; a claim needs 100.',
      ),
    );
    expect(claimWith(quietAt(120), FIFTY, 'h2h3')).toEqual(
      notMet(
        'After this move the game will have had 0 plies in a row without a capture or pawn move; a claim needs 100.',
      ),
    );
  });

  test('needs no claim when the move ends the game: seventy-five moves, checkmate', () => {
    const ends = notMet('This move already ends the game. Play it without a claim.');
    expect(claimWith(quietAt(149), FIFTY, 'a2b2')).toEqual(ends);
    const mating = standing(chess, '6k1/5ppp/8/8/8/8/8/R3K3 w - - 110 100');
    expect(claimWith(mating, FIFTY, 'a1a8')).toEqual(ends);
    expect(claim(mating, FIFTY)).toEqual(draw(FIFTY));
  });
});

describe('in Half-Court Chess', () => {
  test('repetition is claimed as in chess', () => {
    const round = ['a1b3', 'a4c5', 'b3a1', 'c5a4'];
    const twice = on(standing(halfCourtChess, '4k/n4/5/5/N3K w - - 0 1'), round);
    expect(claim(twice, THREEFOLD)).toEqual(
      notMet('The position has occurred twice; a claim needs three occurrences.'),
    );
    const third = must(claimWith(on(twice, round.slice(0, -1)), THREEFOLD, 'c5a4'));
    expect([third.game.outcome, third.ply.san]).toEqual([{ winner: null, reason: THREEFOLD }, 'Na4']);
    expect(claim(on(twice, round), THREEFOLD)).toEqual(draw(THREEFOLD));
  });

  test('quiet plies are claimed as in chess', () => {
    const game = standing(halfCourtChess, '4k/5/5/Q4/K4 w - - 99 100');
    expect(claim(game, FIFTY)).toMatchObject({ refusal: { message: expect.stringMatching(/ 99 plies /) as unknown } }); // prettier-ignore
    expect(must(claimWith(game, FIFTY, 'a2b2')).ply.claimable).toEqual([FIFTY]);
  });
});

test('an illegal move is refused as usual, and nothing can be claimed after the end', () => {
  const game = after(chess, OUT_AND_BACK);
  expect(claimWith(game, THREEFOLD, 'e2e5')).toMatchObject({ refusal: { code: 'ILLEGAL_MOVE', field: 'move', fault: 'cannotReach' } }); // prettier-ignore
  const over = after(chess, ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
  expect(claim(over, FIFTY)).toEqual({
    ok: false,
    refusal: { code: 'GAME_OVER', field: 'reason', message: 'The game is over.' },
  });
  expect(claimWith(over, FIFTY, 'e2e4')).toMatchObject({ refusal: { code: 'GAME_OVER' } });
});

describe('games with automatic draws', () => {
  const third =
    'A draw by threefoldRepetition cannot be claimed in this game: it ends by itself when a position occurs for the third time.';
  const quiet =
    'A draw by fiftyMoves cannot be claimed in this game: it ends by itself after too many plies in a row without ';
  const others = rulesets().filter(({ claims }) => claims.length === 0);

  test('are all except those of the chess family', () => {
    const ids = ['xiangqi', 'xiangqi-tournament', 'banqi-hongkong', 'banqi-taiwan', 'half-chess'];
    expect(others.map(({ id }) => id)).toEqual(ids);
  });

  test('refuse a claim with how they end instead', () => {
    const chariots = after(xiangqi, ['a1a2', 'a10a9', 'a2a1', 'a9a10']);
    expect(claim(chariots, THREEFOLD)).toEqual(notMet(third));
    expect(claim(chariots, FIFTY)).toEqual(notMet(`${quiet}a capture.`));
    expect(claimWith(chariots, THREEFOLD, 'a1a2')).toEqual(notMet(third));
    expect(claim(after(banqiTaiwan, []), THREEFOLD)).toEqual(notMet(third));
    expect(claim(after(banqiTaiwan, []), FIFTY)).toEqual(notMet(`${quiet}a capture or a turn-up.`));
    expect(claimWith(after(banqiTaiwan, []), FIFTY, 'a1')).toEqual(notMet(`${quiet}a capture or a turn-up.`));
  });

  test.each(others.map((ruleset) => [ruleset.id, ruleset] as const))('%s does end this way', (_, ruleset) => {
    const { states } = randomGame(ruleset, {}, 7);
    expect(states.some((state) => dawdle(state).outcome?.reason === 'quietLimit')).toBe(true);
    expect(states.some((state) => shuffle(state).outcome?.reason === 'threefoldRepetition')).toBe(true);
  });
});

test('a claim with a turn-up is refused without reading the face-down piece', () => {
  const claimed = after({ ...banqiTaiwan, claims: CLAIMS }, []);
  for (const each of CLAIMS) {
    expect(claimWith(claimed, each, 'a1')).toEqual(
      notMet('This move turns up a piece, which restarts every count, so no draw can be claimed with it.'),
    );
  }
});

/** The games after one more quiet ply. */
const quietly = (game: Game<unknown>): Game<unknown>[] =>
  legalMoves(game)
    .filter((move) => must(turnsUp(game, move)) === null)
    .map((move) => must(play(game, move, null)).game)
    .filter(({ ruleset, history }) => ruleset.quiet(history.positions.at(-1)) > 0);

const times = ({ ruleset, history }: Game<unknown>): number =>
  occurrences((a, b) => ruleset.same(a, b), history);

/** Quiet plies to new positions as long as possible. */
function dawdle(game: Game<unknown>): Game<unknown> {
  const next = game.outcome === null ? quietly(game).find((each) => times(each) === 1) : undefined;
  return next === undefined ? game : dawdle(next);
}

/** Quiet plies to earlier positions if possible. */
function shuffle(game: Game<unknown>): Game<unknown> {
  const nexts = game.outcome === null ? quietly(game) : [];
  const [next] = nexts.sort((a, b) => times(b) - times(a));
  return next === undefined ? game : shuffle(next);
}

describe('the available claims', () => {
  /** Tries each claim, in the current position and with every move. */
  const tried = (game: Game<unknown>) =>
    CLAIMS.flatMap((reason) => [
      ...(claim(game, reason).ok ? [{ reason, move: null }] : []),
      ...legalMoves(game)
        .filter((move) => claimWith(game, reason, move).ok)
        .map((move) => ({ reason, move })),
    ]);

  test.each<[readonly string[], readonly unknown[]]>([
    [[...OUT_AND_BACK, ...OUT_AND_BACK.slice(0, 3)], [{ reason: THREEFOLD, move: 'f6g8' }]],
    [[...OUT_AND_BACK, ...OUT_AND_BACK.slice(0, 2)], []],
    [[...OUT_AND_BACK, ...OUT_AND_BACK], [{ reason: THREEFOLD, move: null }]],
  ])('after %s', (moves, open) => {
    expect(openClaims(after(chess, moves))).toEqual(expect.arrayContaining(open));
    expect(openClaims(after(chess, moves))).toEqual(tried(after<unknown>(chess, moves)));
  });

  test.each([98, 99, 100])('after %i plies without a capture or a pawn move', (quiet) => {
    expect(openClaims(quietAt(quiet))).toEqual(tried(quietAt(quiet)));
    expect(openClaims(quietAt(quiet)).length > 0).toBe(quiet > 98);
  });

  test('in random games are those that would be accepted', () => {
    for (const ruleset of rulesets()) {
      for (const game of randomGame(ruleset, {}, 7).states) expect(openClaims(game)).toEqual(tried(game));
    }
  });
});
