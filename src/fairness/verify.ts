import { rulesetById } from '../rules/registry.js';
import type { Finding } from './finding.js';
import type { RulesetById } from './format-2/evidence.js';
import type { Shown } from './format-2/shown.js';
import { verifyFormat1 } from './format-1/verify.js';
import { verifyFormat2 } from './format-2/verify.js';

/**
 * Checks an exported game with the record, the rules, and what a player was shown. The record alone can only be
 * consistent, as a made-up one can be; only what was shown during the game proves that it is that game. A record
 * without a format is of format 1.
 */
export function verify(
  given: unknown,
  shown: Shown = {},
  known: RulesetById = rulesetById,
): readonly Finding[] {
  return isFormat2(given) ? verifyFormat2(given, shown, known) : verifyFormat1(given, shown, known);
}

const isFormat2 = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'format' in given && given.format !== 1;

/** True when no check failed. */
export const holds = (findings: readonly Finding[]): boolean => findings.every(({ ok }) => ok !== false);

/** True if nothing is left to check later or with more input. */
export const isComplete = (findings: readonly Finding[]): boolean => findings.every(({ isOpen }) => !isOpen);
