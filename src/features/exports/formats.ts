import { formatsOf, type FormatId } from '../../formats/formats.js';
import { DomainError } from '../../platform/errors.js';

/** The formats of lists: those whose games say their ids, so that a list can be gone on with behind any of them. */
export const LIST_FORMATS = ['ndjson', 'pgn', 'wxf', 'iccs', 'text'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** How the games of a list are written. */
export const writtenAs = (format: ListFormat): FormatId => (format === 'ndjson' ? 'json' : format);

const hasFormat = (ruleset: string, format: ListFormat): boolean =>
  formatsOf(ruleset).some(({ id }) => id === writtenAs(format));

/** Of which rule sets a list of this format may have games; null: of all that there are. */
export function rulesetsWith(format: ListFormat, all: readonly string[]): readonly string[] | null {
  const having = all.filter((ruleset) => hasFormat(ruleset, format));
  return having.length === all.length ? null : having;
}

/** Throws BAD_INPUT where the games of a rule set are not listed in this format. */
export function demandListed(ruleset: string, format: ListFormat): void {
  if (hasFormat(ruleset, format)) return;
  const known = LIST_FORMATS.filter((each) => hasFormat(ruleset, each)).join(', ');
  throw new DomainError('BAD_INPUT', `Games of ${ruleset} are listed as one of ${known}.`, {
    field: 'format',
  });
}
