import { formatsOf, type FormatId } from '../../formats/formats.js';
import { badInput } from '../../platform/errors/errors.js';

/** The formats of lists: those that contain the ids of games, so that a list can be continued after any of them. */
export const LIST_FORMATS = ['ndjson', 'pgn', 'wxf', 'iccs', 'text'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** The format of each game in a list. */
export const writtenAs = (format: ListFormat): FormatId => (format === 'ndjson' ? 'json' : format);

const hasFormat = (ruleset: string, format: ListFormat): boolean =>
  formatsOf(ruleset).some(({ id }) => id === writtenAs(format));

/** The rule sets whose games have this format; null for all. */
export function rulesetsWith(format: ListFormat, all: readonly string[]): readonly string[] | null {
  const having = all.filter((ruleset) => hasFormat(ruleset, format));
  return having.length === all.length ? null : having;
}

/** Throws BAD_INPUT if games of the rule set do not have this format. */
export function demandListed(ruleset: string, format: ListFormat): void {
  if (hasFormat(ruleset, format)) return;
  const known = LIST_FORMATS.filter((each) => hasFormat(ruleset, each)).join(', ');
  throw badInput('format', `format must be one of ${known} for games of ${ruleset}; got ${format}.`);
}
