import { formatsOf, type Format } from '../formats/formats.js';
import { JSON_FIELDS, type Keeps } from '../formats/json-written.js';
import { badInput, demand } from '../platform/errors.js';

/** The format that is asked for, or the usual one of a rule set. Throws BAD_INPUT. */
export function formatOf(ruleset: string, asked: string | null): Format {
  const formats = formatsOf(ruleset);
  const found = asked === null ? formats[0] : formats.find(({ id }) => id === asked);
  const known = formats.map(({ id }) => id).join(', ');
  return demand(found, () => badInput('format', `Games of ${ruleset} are written as one of ${known}.`));
}

const FIELDS = `The fields are ${JSON_FIELDS.join(', ')}.`;

/**
 * The fields that games are written with: `id,plies` asks for these alone, `-plies,-tags` for all but these; undefined
 * where nothing is asked for. Throws BAD_INPUT.
 */
export function fieldsOf(format: Format, asked: string | null | undefined): Keeps | undefined {
  if (asked == null) return undefined;
  if (format.id !== 'json') {
    throw badInput(
      'fields',
      `fields chooses from games in JSON, and this is ${format.name}: ask for JSON as the format, or leave fields out.`,
    );
  }
  const words = asked.split(',').map((word) => word.trim());
  const names = words.map((word) => word.replace(/^-/, ''));
  const unknown = names.find((name) => !JSON_FIELDS.includes(name));
  if (unknown !== undefined) {
    throw badInput('fields', `A game has no field ${JSON.stringify(unknown.slice(0, 60))}. ${FIELDS}`);
  }
  const leavesOut = words.filter((word) => word.startsWith('-')).length;
  if (leavesOut === 0) return new Set(names);
  if (leavesOut === words.length) return new Set(JSON_FIELDS.filter((name) => !names.includes(name)));
  throw badInput('fields', 'fields must either choose ("id,plies") or leave out ("-plies,-tags"), not both.');
}
