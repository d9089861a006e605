import type { Finding } from '../../fairness/finding.js';

const LONGEST_DETAIL = 300;

/** Escapes text from a record, so that it cannot break out of its line. */
export const quoted = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .slice(0, LONGEST_DETAIL);

const markOf = ({ ok, isOpen }: Finding): string => {
  if (ok === null) return isOpen ? 'open' : '-';
  return ok ? 'ok' : 'FAILED';
};

/** One line such as `ok      commitment   62377bbc...`; `open` is left to check, `-` has nothing to check. */
export const line = (finding: Finding): string =>
  `${markOf(finding).padEnd(7)} ${finding.check.padEnd(12)} ${quoted(finding.detail)}`;

export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
