import { parseOptions } from '../rules/options.js';
import type { AnyRuleset } from '../rules/registry.js';
import type { Notation } from './notation.js';
import { sanNotation } from './san.js';
import { turnUpNotation } from './turn-ups.js';
import { xiangqiNotation } from './wxf.js';

/** The notation of every rule set. */

export const KINDS = ['san', 'xiangqi', 'turnUps'] as const;
export type NotationKind = (typeof KINDS)[number];

/** The notation of a rule set by its traits: face-down pieces, ICCS as in Xiangqi, or SAN. */
export function notationKind(ruleset: AnyRuleset): NotationKind {
  if (ruleset.hidden) return 'turnUps';
  const options = parseOptions(ruleset, {});
  const start: unknown = options.ok ? ruleset.start(options.value, null) : null;
  const [move] = ruleset.legalMoves(start);
  const noted = move === undefined ? [] : ruleset.notations(start, move);
  return noted.some(({ name }) => name === 'iccs') ? 'xiangqi' : 'san';
}

export const notationOf = (kind: NotationKind): Notation => NOTATIONS[kind];

const NOTATIONS: Readonly<Record<NotationKind, Notation>> = {
  san: sanNotation,
  xiangqi: xiangqiNotation,
  turnUps: turnUpNotation,
};
