import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The form of personal tokens: `hm_`, 37 random letters and digits (220 bits), and 6 that check them, so that scanners
 * for secrets find one in a text and tell it from a word that looks like it.
 */

const PREFIX = 'hm_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM = 37;
const CHECKED = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKED}}$`);

/** The CRC-32 of the text in base 62, with zeros in front. */
function checkOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKED; i += 1) {
    digits = DIGITS[rest % DIGITS.length]! + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

export function newPersonalToken(): string {
  const random = Array.from({ length: RANDOM }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return `${PREFIX}${random}${checkOf(random)}`;
}

/** Whether a text has the form of a personal token; one with a wrong check never was one. */
export const isPersonal = (token: string): boolean =>
  FORM.test(token) && checkOf(token.slice(PREFIX.length, -CHECKED)) === token.slice(-CHECKED);
