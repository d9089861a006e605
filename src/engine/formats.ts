import { formatsOf, type Format } from '../formats/formats.js';
import { JSON_FIELDS, type FieldSelection } from '../formats/json-writer.js';
import { badInput, orThrow } from '../platform/errors/errors.js';
import { shown } from '../rules/shown.js';

/** The requested format, or the usual one of a rule set. Throws BAD_INPUT. */
export function formatOf(ruleset: string, asked: string | null): Format {
  const formats = formatsOf(ruleset);
  const found = asked === null ? formats[0] : formats.find(({ id }) => id === asked);
  const known = formats.map(({ id }) => id).join(', ');
  return orThrow(found, () =>
    badInput('format', `Games of ${ruleset} cannot be written as ${shown(asked)}. Use one of ${known}.`),
  );
}

const FIELDS = `Use only ${JSON_FIELDS.join(', ')}.`;

/**
 * The fields to write: `id,plies` selects only these, `-plies,-tags` all but these; undefined for all. Throws
 * BAD_INPUT.
 */
export function fieldsOf(format: Format, asked: string | null | undefined): FieldSelection | undefined {
  if (asked == null) return undefined;
  if (format.id !== 'json') {
    throw badInput(
      'fields',
      `fields works only with games in JSON; the format here is ${format.name}. Use the format json, or leave fields out.`,
    );
  }
  const words = asked.split(',').map((word) => word.trim());
  const names = words.map((word) => word.replace(/^-/, ''));
  const unknown = names.find((name) => !JSON_FIELDS.includes(name));
  if (unknown !== undefined) {
    throw badInput('fields', `A game has no field ${shown(unknown)}. ${FIELDS}`);
  }
  const leavesOut = words.filter((word) => word.startsWith('-')).length;
  if (leavesOut === 0) return new Set(names);
  if (leavesOut === words.length) return new Set(JSON_FIELDS.filter((name) => !names.includes(name)));
  throw badInput(
    'fields',
    `fields must either choose ("id,plies") or leave out ("-plies,-tags"), not both; got ${shown(asked)}.`,
  );
}
