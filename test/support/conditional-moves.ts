import { parsePlan, type Plan } from '../../src/arbiter/conditional-moves.js';
import { verifyPlan } from '../../src/engine/conditional-moves.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, position, replay, resume, type Game } from '../../src/rules/play.js';
import { rulesetById, type AnyRuleset } from '../../src/rules/registry.js';
import { opponent, type Player } from '../../src/rules/ruleset.js';
import { must } from './random-games.js';

/** Conditional moves for games at given positions. */

export type AnyGame = Game<unknown>;

const ruleset = (id: string): AnyRuleset => rulesetById(id)!;

/** A game after these plies, as `e2e4 c5=N`. */
export function after(id: string, plies: string, given: object = {}): AnyGame {
  const options = must(parseOptions(ruleset(id), given));
  const recorded = plies.split(' ').filter((text) => text !== '').map((text) => text.split('=')); // prettier-ignore
  const game: AnyGame = begin(ruleset(id), options);
  return must(replay(game, recorded.map(([move, reveals = null]) => ({ move: move!, reveals })))); // prettier-ignore
}

/** A game at a position; `unseen` are the pieces still face-down. */
export function standing(id: string, fen: string, given: object = {}, unseen?: string): AnyGame {
  const options = must(parseOptions(ruleset(id), given));
  return must(
    resume<unknown>(ruleset(id), options, { fen, plies: [], ...(unseen === undefined ? {} : { unseen }) }),
  );
}

export const turn = (game: AnyGame): Player => game.ruleset.turn(position(game));

export const verify = (game: AnyGame, plan: Plan) => verifyPlan(game, opponent(turn(game)), plan);

/** The code and place of a refusal, or the accepted conditional moves. */
export function answer(game: AnyGame, plan: Plan): unknown {
  const verified = verify(game, must(parsePlan(plan)));
  return verified.ok ? verified.value : [verified.refusal.code, verified.refusal.field];
}

export const misplaced = (field: string) => ['INVALID_CONDITIONAL_MOVES', field];
