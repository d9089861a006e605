import { formatsOf, type Format } from '../formats/formats.js';
import { DomainError } from '../platform/errors.js';

/** The format that is asked for, or the usual one of a rule set. Throws BAD_INPUT. */
export function formatOf(ruleset: string, asked: string | null): Format {
  const formats = formatsOf(ruleset);
  const found = asked === null ? formats[0] : formats.find(({ id }) => id === asked);
  if (found !== undefined) return found;
  const known = formats.map(({ id }) => id).join(', ');
  throw new DomainError('BAD_INPUT', `Games of ${ruleset} are written as one of ${known}.`, {
    field: 'format',
  });
}
