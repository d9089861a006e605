import fc from 'fast-check';
import { decodeMoves, encodeMoves } from '../../src/engine/moves-text.js';
import {
  after,
  countsOf,
  DEPTH,
  explored,
  fenOf,
  positionKey,
  visitsOf,
} from '../../src/features/openings/explorer.js';
import { begin, legalMoves, play, position, type Game, type Ply } from '../../src/rules/play.js';
import { rulesetById, rulesets, type AnyRuleset } from '../../src/rules/registry.js';
import type { Options, Player } from '../../src/rules/ruleset.js';
import { countedByHand } from '../support/explorer.js';
import { must, randomGame } from '../support/random-games.js';
import { runs } from '../support/scale.js';

/** What the explorer counts of a game: its positions, once each, up to a depth. */

const OPEN = rulesets().filter(({ hidden }) => !hidden);
const chess = rulesetById('chess')!;
const SETUP: Readonly<Record<string, string>> = { 'half-court-chess': 'NQRBK/qbnrk' };
const optionsOf = ({ id }: AnyRuleset): Options => (id in SETUP ? { setup: 'random' } : {});

interface Walk {
  readonly ruleset: AnyRuleset;
  readonly plies: readonly Ply[];
  readonly states: readonly Game<unknown>[];
  readonly winner: Player | null;
}

const reversed = (move = ''): string => move.replace(/^([a-i]\d+)([a-i]\d+)$/, '$2$1');

/** Plays one of the first legal moves, or replaces the last own move: many games share lines and revisit positions. */
function walk(ruleset: AnyRuleset, choices: readonly number[], winner: Player | null): Walk {
  const states = [begin<unknown>(ruleset, optionsOf(ruleset), SETUP[ruleset.id] ?? null)];
  const plies: Ply[] = [];
  for (const choice of choices) {
    const moves = legalMoves(states.at(-1)!);
    if (moves.length === 0) break;
    const back = moves.find((move) => choice > 3 && move === reversed(plies.at(-2)?.move));
    const { game, ply } = must(play(states.at(-1)!, back ?? moves[choice % moves.length]!, null));
    states.push(game);
    plies.push(ply);
  }
  return { ruleset, plies, states, winner };
}

const ended = ({ ruleset, plies, winner }: Walk) => ({
  id: 'a-game',
  ruleset: ruleset.id,
  options: optionsOf(ruleset),
  setup: SETUP[ruleset.id] ?? null,
  moves: encodeMoves(plies),
  winner,
});

function tableOf(walks: readonly Walk[]) {
  const counts = countsOf(
    walks.map((each) => ({ visits: visitsOf(each.ruleset, ended(each)), winner: each.winner })),
  );
  return Object.fromEntries(
    counts.map(({ position: at, move, firstWon, drawn, secondWon }) => [
      `${at} ${move}`,
      [firstWon, drawn, secondWon],
    ]),
  );
}

const byHand = (walks: readonly Walk[]) =>
  countedByHand(
    walks.map(({ ruleset, plies, states, winner }) => ({
      ruleset: ruleset.id,
      winner,
      fens: states.map(fenOf),
      moves: plies.map(({ move }) => move),
    })),
  );

const walks = fc.record({
  ruleset: fc.constantFrom(...OPEN),
  choices: fc.array(fc.nat(6), { maxLength: 40 }),
  winner: fc.constantFrom('first' as const, 'second' as const, null),
});

test('random games add up to a count by hand', () => {
  fc.assert(
    fc.property(fc.array(walks, { maxLength: 8 }), (given) => {
      const played = given.map(({ ruleset, choices, winner }) => walk(ruleset, choices, winner));
      expect(tableOf(played)).toEqual(byHand(played));
    }),
    runs(100),
  );
});

test.each(OPEN.map((ruleset) => [ruleset.id, ruleset] as const))(
  '%s: two positions have one key if and only if the rules treat them as the same',
  (_, ruleset) => {
    const wandering = [1, 2, 3].map((seed) =>
      walk(
        ruleset,
        Array.from({ length: 60 }, (__, i) => (i * seed) % 4),
        null,
      ),
    );
    const states = [...wandering, randomGame(ruleset, {}, 1), randomGame(ruleset, {}, 2)].flatMap((game) =>
      game.states.slice(0, 120),
    );
    const keys = states.map((game) => positionKey(ruleset.id, fenOf(game)));
    let met = 0;
    for (const [i, one] of states.entries()) {
      for (let j = 0; j < i; j++) {
        const isSame = ruleset.same(position(one), position(states[j]!));
        if (isSame) met++;
        if (isSame !== (keys[i] === keys[j])) expect([fenOf(one), fenOf(states[j]!)]).toBe(isSame);
      }
    }
    expect(met).toBeGreaterThan(5);
  },
);

describe('in chess', () => {
  const played = (line: string, winner: Player | null = null) => {
    // A game stores its newest move first.
    const moves = line.split(' ').reverse().join(' ');
    return visitsOf(chess, { id: 'a-game', ruleset: 'chess', options: {}, setup: null, moves, winner });
  };
  const key = (line: string) => positionKey('chess', fenOf(must(after(chess, {}, null, line.split(' ')))));

  test('lines that transpose are counted together', () => {
    const [one, other] = [played('d2d4 g8f6 c2c4 e7e6'), played('c2c4 e7e6 d2d4 g8f6 b1c3')];
    const met = key('d2d4 g8f6 c2c4 e7e6');
    expect([one.get(met), other.get(met)]).toEqual(['', 'b1c3']);
  });

  test('a repeated position counts by its first visit, even if the game ended at a later one', () => {
    const game = played('g1f3 g8f6 f3g1 f6g8 e2e4 e7e5');
    expect(game.size).toBe(6);
    expect(game.get(key('g1f3 g8f6 f3g1 f6g8'))).toBe('g1f3');
    const drawn = played('g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8');
    expect([...drawn.values()]).toEqual(['g1f3', 'g8f6', 'f3g1', 'f6g8']);
  });

  test('the rights to castle and to capture en passant make another position, a double step alone does not', () => {
    const start = key('g1f3 g8f6 f3g1 f6g8');
    expect(key('g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8')).not.toBe(start);
    expect(key('e2e4 a7a6 e4e5 d7d5')).not.toBe(key('e2e3 a7a6 e3e4 d7d6 e4e5 d6d5'));
    expect(key('e2e4 e7e5')).toBe(key('e2e3 e7e6 e3e4 e6e5'));
  });

  test('a game without moves ended at its start, and a damaged one is not counted', () => {
    expect([...played('')]).toEqual([[positionKey('chess', fenOf(begin<unknown>(chess, {}))), '']]);
    expect(() => played('e2e4 e2e4')).toThrow('Game a-game is damaged');
  });

  test(`counts no further than ${DEPTH} plies`, () => {
    const long = randomGame(chess, {}, 1);
    const moves = (many: number) =>
      decodeMoves(encodeMoves(long.plies.slice(0, many)))
        .map(({ move }) => move)
        .join(' ');
    const last = positionKey('chess', fenOf(long.states[DEPTH]!));
    expect(played(moves(DEPTH - 1)).get(last)).toBeUndefined();
    expect(played(moves(DEPTH)).get(last)).toBe('');
    expect(played(moves(DEPTH + 1)).get(last)).toBe(long.plies[DEPTH]!.move);
    expect([...played(moves(40))]).toEqual([...played(moves(DEPTH + 1))]);
  });

  test('the most played move comes first, and the games add up', () => {
    const game = must(after(chess, {}, null, ['e2e4']));
    const counts = [
      { move: 'e7e5', firstWon: 1, drawn: 1, secondWon: 0 },
      { move: '', firstWon: 0, drawn: 0, secondWon: 4 },
      { move: 'c7c5', firstWon: 0, drawn: 0, secondWon: 2 },
      { move: 'g8f6', firstWon: 3, drawn: 0, secondWon: 0 },
    ];
    const { moves, ...rest } = explored(game, 1, counts);
    expect(moves.map(({ move, san, games }) => [move, san, games])).toEqual([
      ['g8f6', 'Nf6', 3],
      ['c7c5', 'c5', 2],
      ['e7e5', 'e5', 2],
    ]);
    const totals = { games: 11, firstWon: 4, drawn: 1, secondWon: 6, ended: 4 };
    expect(rest).toEqual({ ...totals, depth: DEPTH, plyCount: 1, position: fenOf(game) });
  });
});
