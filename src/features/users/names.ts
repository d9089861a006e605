import { randomInt } from 'node:crypto';
import { lookOf, looksOf } from './looks.js';
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

/** How the names of guests begin, which no person can take. */
const GUEST = 'guest-';
const GUEST_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GUEST_LENGTH = 7;

/** A name for a guest, by chance. */
export const newGuestName = (): string =>
  GUEST + Array.from({ length: GUEST_LENGTH }, () => GUEST_LETTERS[randomInt(GUEST_LETTERS.length)]).join('');

const CLOSED_LOOK = lookOf(CLOSED_DISPLAY_NAME);

/** Words of which no name may consist, since it would pass for the server or for those who run it. */
const OF_THE_SERVER = new Set(
  [
    ...['halfmove', 'admin', 'admins', 'administrator', 'mod', 'moderator', 'moderators', 'operator'],
    ...['official', 'root', 'security', 'server', 'staff', 'support', 'system', 'team', 'the', 'help'],
    ...['desk', 'message', 'notice'],
  ].map((word) => folded(lookOf(word))),
);
const MADE_OF_THEM = new RegExp(`^(?:${[...OF_THE_SERVER].join('|')})+$`);
const NUMBER_AT_THE_END = /[\p{Nd}\p{Zs}_-]+$/u;

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
  if (looksOf(displayName).includes(CLOSED_LOOK) || isOfTheServer(displayName)) return null;
  return [...displayName].length <= DISPLAY_NAME_MAX ? displayName : null;
}

/** Whether a name would pass for one of the server, such as `Halfmove Support`, also in other letters, in one word or with a number. */
function isOfTheServer(name: string): boolean {
  const composed = name.normalize('NFKC');
  return [composed, composed.replace(NUMBER_AT_THE_END, '')].some((text) =>
    looksOf(text).some((look) => MADE_OF_THEM.test(folded(look))),
  );
}

/** A 1 looks like an l, and stands for an i. */
function folded(look: string): string {
  return look.replaceAll('l', 'i');
}

/** The username of a new user. Throws BAD_INPUT. */
export function requireUsername(text: string): string {
  const username = orThrow(parseUsername(text), () => badUsername(text));
  if (isOfTheServer(username)) throw ofTheServer('username', text);
  if (username.startsWith(GUEST)) {
    throw badInput(
      'username',
      `username must not begin with ${GUEST}, as the names of guests do; got ${shown(text)}.`,
    );
  }
  return username;
}

/** The display name, in a field of this name. Throws BAD_INPUT. */
export function requireDisplayName(text: string, field = 'displayName'): string {
  return orThrow(parseDisplayName(text), () => badDisplayName(text, field));
}

const ofTheServer = (field: string, text: string): DomainError =>
  badInput(field, `${field} must not pass for a name of the server; got ${shown(text)}. Choose another one.`);

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

function badDisplayName(text: string, field: string): DomainError {
  const { length } = [
    ...text
      .normalize('NFC')
      .replace(/\p{Zs}+/gu, ' ')
      .trim(),
  ];
  if (length < 1 || length > DISPLAY_NAME_MAX) return wrongLength(field, 1, DISPLAY_NAME_MAX, length);
  if (isOfTheServer(text)) return ofTheServer(field, text);
  const rule = looksOf(text).includes(CLOSED_LOOK)
    ? `not look like "${CLOSED_DISPLAY_NAME}", which is reserved`
    : 'have a letter or digit, and visible characters only';
  return badInput(field, `${field} must ${rule}; got ${shown(text)}.`);
}
