import { lookOf } from './looks.js';
import { badInput, demand } from '../../platform/errors.js';

/** What people may call themselves. The username is the unique one, the display name is for the eyes. */

const USERNAME = /^[a-z0-9](?:[a-z0-9_-]{1,28}[a-z0-9])$/;
const DISPLAY_NAME_MAX = 40;

/** Who has closed his account: the name under which his games stay, and which nobody can have. */
export const CLOSED_USERNAME = 'closed-account';
export const CLOSED_DISPLAY_NAME = 'Closed account';

/** What nobody else may look like. */
const RESERVED = new Set([CLOSED_USERNAME, CLOSED_DISPLAY_NAME].map(lookOf));

// \p{C} holds controls, bidi controls, lone surrogates and the unassigned; \p{DI} whatever else has no width.
const UNSHOWABLE = /[\p{C}\p{DI}\p{Zl}\p{Zp}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The username in lower case, or null when it is none. */
export function parseUsername(text: string): string | null {
  // ASCII alone: toLowerCase would also turn the Kelvin sign into a k.
  const username = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return USERNAME.test(username) && username !== CLOSED_USERNAME ? username : null;
}

/** The display name in NFC with plain single spaces, or null when it is none. */
export function parseDisplayName(text: string): string | null {
  const composed = text.normalize('NFC');
  if (UNSHOWABLE.test(composed) || !LETTER_OR_DIGIT.test(composed)) return null;
  const displayName = composed.replace(/\p{Zs}+/gu, ' ').trim();
  if (RESERVED.has(lookOf(displayName))) return null;
  return [...displayName].length <= DISPLAY_NAME_MAX ? displayName : null;
}

/** The username, or a refusal that says what one looks like. */
export function requireUsername(text: string): string {
  const message = `username: a username has 3 to 30 of a-z, 0-9, _ and -, and a letter or digit at both ends, and is not ${CLOSED_USERNAME}.`;
  return demand(parseUsername(text), () => badInput('username', message));
}

/** The display name, or a refusal that says what one looks like. */
export function requireDisplayName(text: string): string {
  const message = `displayName: a display name has 1 to ${DISPLAY_NAME_MAX} visible characters, and a letter or digit among them, and does not look like ${CLOSED_DISPLAY_NAME}.`;
  return demand(parseDisplayName(text), () => badInput('displayName', message));
}
