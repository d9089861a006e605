/** The checks of a record, in order. See docs/fairness.md, "What a verifier checks". */
export const CHECKS = [
  'record',
  'chain',
  'begin',
  'ruleset',
  'commitment',
  'clientSeeds',
  'sides',
  'deal',
  'dealRoot',
  'plies',
  'reveals',
  'proofs',
  'times',
  'acts',
  'outcome',
  'names',
  'shown',
  'receipt',
  'log',
  'committed',
] as const;

export type Check = (typeof CHECKS)[number];

/** One result of a check. */
export interface Finding {
  readonly check: Check;
  /** Null if not checked; `detail` says why. */
  readonly ok: boolean | null;
  /** Only with null: set if it could be checked later, or with more input. */
  readonly isOpen?: true;
  /** What was found, in words for people. */
  readonly detail: string;
}

/** The most faults of one kind that are reported. */
const FAULTS_SHOWN = 20;

export const passed = (check: Check, detail: string): Finding => ({ check, ok: true, detail });
export const failed = (check: Check, detail: string): Finding => ({ check, ok: false, detail });
/** There is nothing to check. */
export const unchecked = (check: Check, detail: string): Finding => ({ check, ok: null, detail });
/** It could be checked later, or with more input. */
export const open = (check: Check, detail: string): Finding => ({ check, ok: null, detail, isOpen: true });

/** One finding per fault, or one that all is well. */
export function judged(check: Check, faults: readonly string[], detail: string): readonly Finding[] {
  if (faults.length === 0) return [passed(check, detail)];
  const shown = faults.slice(0, FAULTS_SHOWN).map((fault) => failed(check, fault));
  const more = faults.length - FAULTS_SHOWN;
  return more > 0 ? [...shown, failed(check, `and ${more} more`)] : shown;
}
