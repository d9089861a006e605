import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { parseOptions } from '../../src/rules/options.js';
import * as rules from '../../src/rules/play.js';
import type { Anchor, Game } from '../../src/rules/play.js';
import { rulesetById, rulesets } from '../../src/rules/registry.js';
import { MOVE_FAULTS, type Refusal } from '../../src/rules/result.js';
import { CLAIMS } from '../../src/rules/ruleset.js';
import { deepFreeze } from '../support/deep-freeze.js';
import { must, random, randomGames, reveal, shuffled, type RandomGame } from '../support/random-games.js';
import { runs } from '../support/scale.js';

/** What is true of every registered rule set, whatever its game. */

const SEED = 1876;

const fen = (game: Game<unknown>): string => game.ruleset.fen(rules.position(game));
const unseen = (game: Game<unknown>): string | null => game.ruleset.unseen(rules.position(game));

/** All that the rules tell a viewer about a game, as text. */
const told = (game: Game<unknown>): string => {
  const { ruleset, history, outcome } = game;
  const at = rules.position(game);
  const moves = ruleset.legalMoves(at);
  return JSON.stringify({
    fen: ruleset.fen(at),
    moves: moves.map((move) => [ruleset.text(move), ruleset.turnsUp(at, move), ruleset.san(at, move, null)]),
    turn: [ruleset.turn(at), ruleset.quiet(at), ruleset.check(at), ruleset.unseen(at)],
    end: [outcome, ruleset.outcome(history), ruleset.claimable(history)],
    canWin: [ruleset.canWin(at, 'first'), ruleset.canWin(at, 'second')],
  });
};

/** The texts of all moves between two squares of the board and all single squares, legal or not. */
const everyText = ({ ruleset }: Game<unknown>): string[] => {
  const { files, ranks } = ruleset.board;
  const names = Array.from({ length: files * ranks }, (_, i) => {
    return String.fromCharCode(97 + (i % files)) + String(Math.floor(i / files) + 1);
  });
  return ['pass', ...names, ...names.flatMap((from) => names.map((to) => from + to))];
};

/** Whether a refusal gives a reason in one sentence. */
const reasoned = ({ code, field, fault, message }: Refusal): boolean =>
  code === 'ILLEGAL_MOVE' &&
  field === 'move' &&
  fault !== undefined &&
  MOVE_FAULTS.includes(fault) &&
  message.length < 200 &&
  /^["A-Z].*\.$/s.test(message);

/** Whether a text that is not a legal move is accepted, or refused without a reason. */
const accepted = (game: Game<unknown>, text: string): boolean => {
  if (rules.legalMoves(game).includes(text)) return false;
  const answer = rules.play(game, text, null);
  return answer.ok || !reasoned(answer.refusal);
};

const mutilated = (text: string): string[] => [
  text.toUpperCase(),
  ` ${text}`,
  `${text}\n`,
  text.slice(1),
  text + text,
  `${text}z`,
];

/** Where a game can be resumed from its last irreversible ply. */
const anchorOf = ({ states, plies }: RandomGame, at: number): Anchor => {
  const from = at - states[at]!.history.moves.length;
  const known = unseen(states[from]!);
  return {
    fen: fen(states[from]!),
    plies: plies.slice(from, at),
    ...(known === null ? {} : { unseen: known }),
  };
};

test('rule sets have unique ids and are found by them', () => {
  const ids = rulesets().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.map(rulesetById)).toEqual(rulesets());
  expect(rulesetById('no-such-game')).toBeUndefined();
});

describe.each(rulesets().map((ruleset) => [ruleset.id, ruleset] as const))('%s', (id, ruleset) => {
  const games = randomGames(ruleset, SEED);

  test('has golden games', () => {
    expect(existsSync(new URL(`../vectors/games.${id}.jsonl`, import.meta.url))).toBe(true);
  });

  test('its traits are as declared', () => {
    const { hidden, chance, dealing, board } = ruleset;
    expect(chance === 'none').toBe(dealing.length === 0);
    expect(hidden).toBe(chance === 'deal');
    if (hidden) expect(dealing.join('')).toHaveLength(board.files * board.ranks);
    for (const { states, plies } of games) {
      expect(plies.some(({ reveals }) => reveals !== null)).toBe(hidden);
      if (hidden) expect(unseen(states[0]!)).toBe(dealing.join(''));
    }
  });

  test('has a description: names, source, and every piece that appears', () => {
    const { name, source, summary, chinese, sides, pieces } = ruleset;
    for (const text of [name, source, summary, ...sides]) expect(text).toMatch(/\w{3}/);
    if (chinese !== null) expect(chinese).toMatch(/^[\p{Script=Han}（）]+$/u);
    const letters = pieces.map(({ letter }) => letter);
    const seen = games.flatMap(({ states }) => states.map((state) => fen(state).split(' ')[0]!)).join('');
    expect([...new Set(seen.replace(/[^a-wyz]/gi, '').toUpperCase())].sort()).toEqual([...letters].sort());
    for (const { name, moves } of pieces) expect([name, moves]).toEqual([expect.stringMatching(/^[a-z]+$/), expect.stringMatching(/^[A-Z][^\n]*\.$/)]); // prettier-ignore
  });

  test('its options have defaults of their own type and explanations', () => {
    const defaults = Object.entries(ruleset.options).map(([name, spec]) => [name, spec.default] as const);
    expect(must(parseOptions(ruleset, {}))).toEqual(Object.fromEntries(defaults));
    for (const { meaning } of Object.values(ruleset.options)) expect(meaning).toMatch(/^[A-Z].*\.$/);
  });

  test('there is a legal move if and only if there is no outcome, and no two share a text', () => {
    for (const { label, states } of games) {
      for (const state of states) {
        const moves = rules.legalMoves(state);
        expect([label, moves.length > 0]).toEqual([label, state.outcome === null]);
        expect(new Set(moves).size).toBe(moves.length);
      }
    }
  });

  test('the count of legal moves matches the list, and each has its own text', () => {
    for (const { label, states } of games) {
      for (const state of states.filter((_, at) => at % 3 === 0)) {
        const at = rules.position(state);
        const moves = ruleset.legalMoves(at);
        expect([label, ruleset.countLegalMoves(at)]).toEqual([label, moves.length]);
        for (const move of ruleset.losing(at)) expect(moves).toContain(move);
        const written = moves.map((move) => ({
          san: ruleset.san(at, move, null),
          ...Object.fromEntries(ruleset.notations(at, move).map(({ name, text }) => [name, text])),
        }));
        for (const notation of Object.keys(written[0] ?? {}) as 'san'[]) {
          const texts = written.map((texts) => texts[notation]);
          expect([label, fen(state), new Set(texts).size]).toEqual([label, fen(state), texts.length]);
        }
      }
    }
  });

  test('a warning about a repetition comes true, or can', () => {
    for (const { states } of games) {
      for (const state of states.filter((_, at) => at % 5 === 0)) {
        for (const { move, outcome } of rules.warnings(state)) {
          const { game, ply } = must(rules.play(state, move, null));
          if (game.outcome !== null) expect(game.outcome).toEqual(outcome);
          else if (outcome.winner === null) expect(ply.claimable).toContain(outcome.reason);
          else {
            const replies = rules.legalMoves(game).map((reply) => rules.play(game, reply, null));
            expect(replies.map((reply) => reply.ok && reply.value.game.outcome)).toContainEqual(outcome);
          }
        }
      }
    }
  });

  test('a ply does not change the position before it', () => {
    for (const { label, states, plies } of games) {
      plies.forEach(({ move, reveals, fen: after }, i) => {
        const before = rules.position(states[i]!);
        const found = must(rules.find(states[i]!, move));
        const frozen = deepFreeze(before);
        const next = ruleset.play(before, found, reveals);
        expect([label, frozen.changed(), ruleset.fen(next)]).toEqual([label, false, after]);
      });
    }
  });

  test('every position text is read back as the same position', () => {
    for (const { label, options, states } of games) {
      for (const state of states) {
        const at = rules.position(state);
        const read = must(ruleset.parse(ruleset.fen(at), options, ruleset.unseen(at) ?? undefined));
        expect([label, ruleset.fen(read), ruleset.same(read, at)]).toEqual([label, ruleset.fen(at), true]);
        expect(ruleset.legalMoves(read)).toEqual(ruleset.legalMoves(at));
        expect(ruleset.unseen(read)).toBe(ruleset.unseen(at));
      }
    }
  });

  test('random games end, and replaying the record gives the same end', () => {
    for (const { label, options, setup, plies, states } of games) {
      const end = states.at(-1)!;
      const again = must(rules.replay(rules.begin(ruleset, options, setup), plies));
      expect([label, end.outcome]).not.toEqual([label, null]);
      expect([label, again.outcome, fen(again)]).toEqual([label, end.outcome, fen(end)]);
    }
  });

  test('a game resumed from its anchor continues like the whole game', () => {
    for (const game of games) {
      const { label, options, plies, states } = game;
      for (let at = plies.length; at >= 0; at -= 7) {
        const resumed = must(rules.resume(ruleset, options, anchorOf(game, at)));
        expect([label, at, told(resumed)]).toEqual([label, at, told(states[at]!)]);
        const next = must(rules.replay(resumed, plies.slice(at, at + 7)));
        expect([label, at, told(next)]).toEqual([label, at, told(states[Math.min(at + 7, plies.length)]!)]);
      }
    }
  });

  test('a game resumed from further back, across irreversible plies, is the same game', () => {
    for (const { label, options, plies, states } of games) {
      for (const at of [plies.length >> 2, plies.length >> 1, plies.length]) {
        const known = unseen(states[0]!);
        const anchor = {
          fen: fen(states[0]!),
          plies: plies.slice(0, at),
          ...(known === null ? {} : { unseen: known }),
        };
        const resumed = must(rules.resume(ruleset, options, anchor));
        expect([label, at, told(resumed)]).toEqual([label, at, told(states[at]!)]);
        expect(resumed.history.moves).toEqual(states[at]!.history.moves);
        expect(resumed.history.positions.map((each) => ruleset.fen(each))).toEqual(
          states[at]!.history.positions.map((each) => ruleset.fen(each)),
        );
      }
      const wrong = { fen: fen(states[0]!), plies: [...plies.slice(0, 2), { move: 'z9z9', reveals: null }] };
      expect(rules.resume(ruleset, options, wrong)).toMatchObject({
        ok: false,
        refusal: { code: 'ILLEGAL_MOVE' },
      });
    }
  });

  test('the record of a ply agrees with the positions around it', () => {
    for (const { states, plies } of games) {
      plies.forEach((ply, i) => {
        expect([ply.player, ply.fen]).toEqual([
          ruleset.turn(rules.position(states[i]!)),
          fen(states[i + 1]!),
        ]);
        const claims =
          states[i + 1]!.outcome === null ? CLAIMS.filter((claim) => ply.claimable.includes(claim)) : [];
        expect(ply.claimable).toEqual(claims);
      });
    }
  });

  test('refuses every move that is not legal, with the reason', () => {
    for (const { states } of games) {
      const texts = everyText(states[0]!);
      for (let at = 0; at < states.length - 1; at += 41) {
        const legal = new Set(rules.legalMoves(states[at]!));
        const here = rules.position(states[at]!);
        const forged = texts.filter((text) => !legal.has(text));
        expect(forged.filter((text) => !reasoned(ruleset.explain(here, text)))).toEqual([]);
      }
    }
  });

  test('refuses moves of the other side and garbled moves', () => {
    for (const { states } of games) {
      for (let at = 1; at < states.length - 1; at += 31) {
        const earlier = rules.legalMoves(states[at - 1]!);
        const forged = [...earlier, ...rules.legalMoves(states[at]!).flatMap(mutilated)];
        expect(forged.filter((text) => accepted(states[at]!, text))).toEqual([]);
      }
    }
  });

  test('no text makes the rules throw', () => {
    const near = fc.stringMatching(/^[a-j]?[0-9]{0,3}[a-j]?[0-9]{0,3}[qrbnkQ=+-]?$/);
    const state = fc.constantFrom(...games.flatMap(({ states }) => states.slice(0, -1)));
    const property = fc.property(state, fc.oneof(near, fc.string({ unit: 'binary' })), (game, text) => {
      expect(accepted(game, text)).toBe(false);
      const read = ruleset.parse(text, game.options, text);
      if (!read.ok) expect(read.refusal.code).toBe('INVALID_POSITION');
    });
    fc.assert(property, runs(300));
  });

  test('a garbled position text is refused, or prints as it was read', () => {
    const state = fc.constantFrom(...games.flatMap(({ states }) => states));
    const property = fc.property(
      state,
      fc.nat(),
      fc.constantFrom(...'xKkPp1890/ -ab'),
      (game, at, letter) => {
        const text = fen(game);
        const i = at % (text.length + 1);
        for (const forged of [
          text.slice(0, i) + letter + text.slice(i),
          text.slice(0, i) + letter + text.slice(i + 1),
        ]) {
          const read = ruleset.parse(forged, game.options);
          if (read.ok) expect(ruleset.fen(read.value)).toBe(forged);
          else expect(read.refusal.field).toMatch(/^position/);
        }
      },
    );
    fc.assert(property, runs(300));
  });

  test('a turn-up must be possible, and nothing is played after the end', () => {
    for (const { states, plies } of games) {
      plies.forEach(({ move, reveals }, i) => {
        const wrong = reveals === null ? 'K' : null;
        const answer = rules.play(states[i]!, move, wrong);
        expect(answer).toMatchObject({ ok: false, refusal: { code: 'INVALID_REVEAL', field: 'reveals' } });
      });
      const over = rules.play(states.at(-1)!, plies.at(-1)!.move, null);
      expect(over).toMatchObject({ ok: false, refusal: { code: 'GAME_OVER', field: 'move' } });
    }
  });

  (ruleset.hidden ? test : test.skip)('nothing that is told depends on what lies face-down', () => {
    for (const { label, options, deal, plies, states } of games) {
      for (let at = 0; at < states.length; at += 23) {
        const other = otherDeal(states[at]!, deal!, random(SEED + at));
        let game: Game<unknown> = rules.begin(ruleset, options);
        for (const { move } of plies.slice(0, at)) {
          game = must(rules.play(game, move, reveal(game, other, move))).game;
        }
        expect([label, at, told(game)]).toEqual([label, at, told(states[at]!)]);
        if (at % 69 > 0) continue;
        expect(rules.position(game)).toEqual(rules.position(states[at]!));
        expect(excuses(game)).toEqual(excuses(states[at]!));
      }
    }
  });
});

/** A deal that agrees with this one on every square that is no longer face-down. */
function otherDeal(game: Game<unknown>, deal: string, pick: (below: number) => number): string {
  const [board] = fen(game).split(' ', 1);
  const spread = board!.replace(/[0-9]/g, (run) => '.'.repeat(Number(run)));
  const cells = spread.split('/').reverse().join('');
  const hidden = shuffled([...deal].filter((_, square) => cells[square] === 'x').join(''), pick);
  const next = hidden[Symbol.iterator]();
  return [...deal].map((letter, square) => (cells[square] === 'x' ? next.next().value! : letter)).join('');
}

const excuses = (game: Game<unknown>): unknown[] => {
  const legal = rules.legalMoves(game);
  return everyText(game).map((text) => !legal.includes(text) && rules.find(game, text));
};
