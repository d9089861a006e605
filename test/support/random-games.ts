import { identity } from '../../src/rules/deal.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, legalMoves, play, turnsUp, type Game, type Ply } from '../../src/rules/play.js';
import type { AnyRuleset } from '../../src/rules/registry.js';
import type { Result } from '../../src/rules/result.js';
import type { OptionSpec, OptionValue, Options } from '../../src/rules/ruleset.js';
import { chosenSetup, setupCount, setupOf } from '../../src/rules/setup.js';

/** Games of random moves, the same in every run, for properties of all rule sets. */

export interface RandomGame {
  /** For failure messages: options, deal and seed. */
  readonly label: string;
  readonly ruleset: AnyRuleset;
  readonly options: Options;
  readonly deal: string | null;
  readonly setup: string | null;
  readonly plies: readonly Ply[];
  /** `states[i]` is the game before `plies[i]`; the last one is the final state. */
  readonly states: readonly Game<unknown>[];
}

export type Random = (below: number) => number;

/** mulberry32 */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export function shuffled(text: string, pick: Random): string {
  const letters = [...text];
  for (let k = letters.length - 1; k > 0; k--) {
    const j = pick(k + 1);
    [letters[k], letters[j]] = [letters[j]!, letters[k]!];
  }
  return letters.join('');
}

export function must<T>(result: Result<T>): T {
  if (!result.ok)
    throw new Error(`${result.refusal.code} ${result.refusal.field}: ${result.refusal.message}`);
  return result.value;
}

/** A value of the option other than its default. */
function otherValue(ruleset: AnyRuleset, spec: OptionSpec, pick: Random): OptionValue {
  switch (spec.type) {
    case 'boolean':
      return !spec.default;
    case 'integer':
      return spec.min + pick(spec.max - spec.min + 1);
    case 'choice':
      return spec.values.find((value) => value !== spec.default)!;
    case 'setup':
      return must(setupOf(ruleset, pick(setupCount(ruleset))));
  }
}

/** The default options, every other value alone, and every pair of them. */
export function optionSets(ruleset: AnyRuleset, seed: number): readonly Options[] {
  const pick = random(seed);
  const specs = Object.entries(ruleset.options);
  const set = (chosen: typeof specs): Options =>
    Object.fromEntries(chosen.map(([name, spec]) => [name, otherValue(ruleset, spec, pick)]));
  const pairs = specs.flatMap((one, at) => specs.slice(at + 1).map((two) => set([one, two])));
  return [{}, ...specs.map((one) => set([one])), ...pairs];
}

/** The piece that the move turns up in this game. */
export function reveal(game: Game<unknown>, deal: string | null, move: string): string | null {
  const square = must(turnsUp(game, move));
  return square === null || deal === null ? null : identity(game.ruleset, deal, square);
}

/** No random game of any rule set here comes near this length. */
const CAP = 5000;

export function randomGame(ruleset: AnyRuleset, given: object, seed: number): RandomGame {
  const options = must(parseOptions(ruleset, given));
  const pick = random(seed);
  const deal = ruleset.chance === 'deal' ? shuffled(ruleset.dealing.join(''), pick) : null;
  const setup =
    ruleset.chance === 'setup'
      ? (chosenSetup(ruleset, options) ?? must(setupOf(ruleset, pick(setupCount(ruleset)))))
      : null;
  const states: Game<unknown>[] = [begin(ruleset, options, setup)];
  const plies: Ply[] = [];
  while (states.at(-1)!.outcome === null && plies.length < CAP) {
    const game = states.at(-1)!;
    const moves = legalMoves(game);
    const move = moves[pick(moves.length)];
    if (move === undefined) break;
    const next = must(play(game, move, reveal(game, deal, move)));
    states.push(next.game);
    plies.push(next.ply);
  }
  const label = `${ruleset.id} ${JSON.stringify(options)} ${deal ?? setup ?? ''} seed ${seed}`;
  return { label, ruleset, options, deal, setup, plies, states };
}

/** Games with the default options, and with each option alone and in pairs; at least three. */
export function randomGames(ruleset: AnyRuleset, seed: number): readonly RandomGame[] {
  const sets = optionSets(ruleset, seed);
  const enough = sets.length < 3 ? [...sets, {}, {}] : sets;
  return enough.map((options, i) => randomGame(ruleset, options, seed + i));
}
