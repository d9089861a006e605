import type { AnyRuleset } from '../rules/registry.js';
import type { Result } from '../rules/result.js';
import type { DealtGame } from './deals.service.js';
import { decodeMoves, encodeMoves, type BriefPly } from './moves-text.js';
import { errorOf } from './refusals.js';

/** What the rules need to know of a stored game. */
export interface StoredGame extends DealtGame {
  /** The set-up of the opening; null in rule sets without one, and until it is drawn. */
  readonly setup: string | null;
  readonly position: string;
  /**
   * The position after the last irreversible ply, which starts the history for repetition, and the number of that
   * ply.
   */
  readonly anchorPosition: string;
  readonly anchorPly: number;
  readonly moves: string;
}

/** The text of the plies up to this one. */
export function movesUpTo({ id, moves }: StoredGame, ply: number): string {
  const plies = decodeMoves(moves);
  if (ply !== 0 && !(ply - 1 in plies)) throw new RangeError(`Game ${id} has no ply ${ply}`);
  return encodeMoves(plies.slice(0, ply));
}

/** The value of a stored game; throws if it is damaged. */
export function intact<T>(stored: StoredGame, read: Result<T>): T {
  if (!read.ok) throw new Error(`Game ${stored.id} is damaged`, { cause: errorOf(read.refusal) });
  return read.value;
}

/** The letters still face-down after these plies. */
export function remaining(ruleset: AnyRuleset, plies: readonly BriefPly[]): string {
  return plies.reduce(
    (letters, { reveals }) => (reveals === null ? letters : letters.replace(reveals, '')),
    ruleset.hidden ? ruleset.dealing.join('') : '',
  );
}
