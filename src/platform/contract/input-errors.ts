import suggestions from 'graphql/jsutils/suggestionList.js';
import type { core } from 'zod';
import { DomainError, type ErrorDetails } from '../errors/errors.js';
import { isSecret } from '../process/secret-names.js';
import { movedTo } from './moved-fields.js';
import { shortened, shown } from '../../rules/shown.js';

/** The messages of refused input: what is wrong, with the value, and what would be right. */

const { suggestionList } = suggestions;

/** The most field names that a message lists. */
const MAX_LISTED = 8;

/** The end of a message about an unknown field: a similar name, or all known names if they are few. */
function knownNames(unknown: string, known: readonly string[]): string {
  const [likely] = suggestionList(shortened(unknown), known);
  if (likely !== undefined) return `; did you mean ${likely}?`;
  if (known.length === 0) return '. No fields are accepted here.';
  if (known.length > MAX_LISTED) return '.';
  return known.length === 1
    ? `. The only field is ${known[0]}.`
    : `. The known fields are ${known.join(', ')}.`;
}

/** The message for an unknown field of an object with the `known` ones, without its subject. */
export const unknownField =
  (known: readonly string[], otherwise: string) =>
  ({ code, keys }: { readonly code?: string | undefined; readonly keys?: readonly string[] }): string =>
    code === 'unrecognized_keys' ? `is not a known field here${knownNames(keys![0]!, known)}` : otherwise;

/** The refusal of an unknown field. */
function unknownFieldRefusal({ path, keys, message }: core.$ZodIssueUnrecognizedKeys): DomainError {
  const field = [...path.map(String), shortened(keys[0]!)].join('.');
  const hint = movedTo(keys[0]!);
  const why = hint === '' ? message : `is not a known field here.${hint}`;
  return new DomainError('BAD_INPUT', `${field} ${why}`, { field });
}

/** How the text names a part of the input: a value in a list by its number, the whole body or query by what it is. */
function subjectOf(path: readonly PropertyKey[], whole: string): string {
  if (path.length === 0) return `The ${whole}`;
  const last = path.at(-1);
  return typeof last === 'number' ? `Item ${last + 1} of ${path.slice(0, -1).join('.')}` : path.join('.');
}

/** The value in the request, unless it is secret. */
function gotOf(issue: core.$ZodIssue, counted: number | string | undefined): string {
  if (counted !== undefined) return `; got ${counted}`;
  return issue.path.some(isSecret) ? '' : `; got ${shown(issue.input)}`;
}

/** The refusal for an issue of zod; `whole` names the input as a whole, such as `body`. */
export function refusalOf(issue: core.$ZodIssue, whole: string): DomainError {
  if (issue.code === 'unrecognized_keys') return unknownFieldRefusal(issue);
  const { path, message } = issue;
  // An invalid plain value in a list is reported for the list.
  const isItem = typeof path.at(-1) === 'number' && message.startsWith('$');
  const field = path.length === 0 ? whole : (isItem ? path.slice(0, -1) : path).join('.');
  const subject = subjectOf(path, whole);
  if (issue.input === undefined) return new DomainError('BAD_INPUT', `${subject} is required.`, { field });
  const { got, ...bounds } = (issue.code === 'custom' ? (issue.params ?? {}) : {}) as Params;
  const counted = typeof got === 'function' ? got(issue.input) : undefined;
  const said = message.startsWith('$') ? `${subject}${message.slice(1)}` : `${field}: ${message}`;
  return new DomainError('BAD_INPUT', `${said}${gotOf(issue, counted)}.`, { field, ...bounds });
}

/** What a check may have beside its message. */
interface Params extends Pick<ErrorDetails, 'min' | 'max'> {
  /** What is counted of the value, in place of the value itself. */
  readonly got?: (value: unknown) => number | string;
}
