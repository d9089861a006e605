import type { AnyRuleset } from '../../src/rules/registry.js';
import type { Result } from '../../src/rules/result.js';

/** Types of kinds.mjs, for the tests. */

export interface Trial {
  readonly text: string;
  readonly answer: () => Result<unknown>;
  /** Throws if the answer is wrong. */
  readonly verify: (answer: Result<unknown>) => void;
}

export type Kind = 'move' | 'fen' | 'options' | 'deal' | 'setup';
export const KINDS: readonly Kind[];

export function trials(
  core: object,
  ruleset: AnyRuleset,
  pick: (below: number) => number,
): Readonly<Record<Kind, () => Trial>>;
