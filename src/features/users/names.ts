import { lookOf } from './looks.js';
import { badInput, orThrow, DomainError } from '../../platform/errors/errors.js';
import { shown } from '../../rules/shown.js';

/** The names of users: a unique username, and a display name. */

const USERNAME = /^[a-z0-9](?:[a-z0-9_-]{1,28}[a-z0-9])$/;
const USERNAME_MIN = 3;
const USERNAME_MAX = 30;
const DISPLAY_NAME_MAX = 40;

/** The names under which the games of closed accounts stay, and which no user can take. */
export const CLOSED_USERNAME = 'closed-account';
export const CLOSED_DISPLAY_NAME = 'Closed account';

/** Names that no user may resemble. */
const RESERVED = new Set([CLOSED_USERNAME, CLOSED_DISPLAY_NAME].map(lookOf));

// \p{C}: controls, bidi controls, lone surrogates, unassigned; \p{DI}: everything else without a width.
const UNSHOWABLE = /[\p{C}\p{DI}\p{Zl}\p{Zp}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The username in lower case, or null if it is not valid. */
export function parseUsername(text: string): string | null {
  // ASCII only: toLowerCase would also turn the Kelvin sign into a k.
  const username = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return USERNAME.test(username) && username !== CLOSED_USERNAME ? username : null;
}

/** The display name in NFC with single spaces, or null if it is not valid. */
export function parseDisplayName(text: string): string | null {
  const composed = text.normalize('NFC');
  if (UNSHOWABLE.test(composed) || !LETTER_OR_DIGIT.test(composed)) return null;
  const displayName = composed.replace(/\p{Zs}+/gu, ' ').trim();
  if (RESERVED.has(lookOf(displayName))) return null;
  return [...displayName].length <= DISPLAY_NAME_MAX ? displayName : null;
}

/** The username. Throws BAD_INPUT. */
export function requireUsername(text: string): string {
  return orThrow(parseUsername(text), () => badUsername(text));
}

/** The display name. Throws BAD_INPUT. */
export function requireDisplayName(text: string): string {
  return orThrow(parseDisplayName(text), () => badDisplayName(text));
}

const wrongLength = (field: string, min: number, max: number, got: number): DomainError =>
  new DomainError('BAD_INPUT', `${field} must have ${min} to ${max} characters; got ${got}.`, {
    field,
    min,
    max,
  });

function badUsername(text: string): DomainError {
  const { length } = [...text];
  if (length < USERNAME_MIN || length > USERNAME_MAX) {
    return wrongLength('username', USERNAME_MIN, USERNAME_MAX, length);
  }
  const rule = 'consist of a-z, 0-9, _ and -, with a letter or digit at both ends';
  const message =
    text.toLowerCase() === CLOSED_USERNAME ? `not be ${CLOSED_USERNAME}, which is reserved` : rule;
  return badInput('username', `username must ${message}; got ${shown(text)}.`);
}

function badDisplayName(text: string): DomainError {
  const { length } = [
    ...text
      .normalize('NFC')
      .replace(/\p{Zs}+/gu, ' ')
      .trim(),
  ];
  if (length < 1 || length > DISPLAY_NAME_MAX) return wrongLength('displayName', 1, DISPLAY_NAME_MAX, length);
  const rule = RESERVED.has(lookOf(text))
    ? `not look like "${CLOSED_DISPLAY_NAME}", which is reserved`
    : 'have a letter or digit, and visible characters only';
  return badInput('displayName', `displayName must ${rule}; got ${shown(text)}.`);
}
