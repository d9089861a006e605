import { formatsOf, type Format } from '../formats/formats.js';
import { badInput, demand } from '../platform/errors.js';

/** The format that is asked for, or the usual one of a rule set. Throws BAD_INPUT. */
export function formatOf(ruleset: string, asked: string | null): Format {
  const formats = formatsOf(ruleset);
  const found = asked === null ? formats[0] : formats.find(({ id }) => id === asked);
  const known = formats.map(({ id }) => id).join(', ');
  return demand(found, () => badInput('format', `Games of ${ruleset} are written as one of ${known}.`));
}
