import { badInput } from './errors.js';

/** What people write, as it is kept: in NFC, its lines ended by one newline, nothing empty around it. */

// A lone surrogate is in no text that can be stored; what turns the direction round makes a text lie.
const UNWRITABLE = /[^\P{Cc}\n]|\p{Cs}|[\u202A-\u202E\u2066-\u2069]|\p{Noncharacter_Code_Point}/u;
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{DI}]/u;

/** The text as it is kept, at most so many characters long, perhaps empty; throws BAD_INPUT. */
export function writtenText(text: string, field: string, most: number): string {
  const written = text.normalize('NFC').replaceAll('\r\n', '\n').trim();
  if (UNWRITABLE.test(written)) throw badInput(field, `${field}: no control characters but the newline.`);
  if ([...written].length > most) throw badInput(field, `${field}: at most ${most} characters.`);
  return written;
}

/** As writtenText, but something is to be seen. */
export function visibleText(text: string, field: string, most: number): string {
  const written = writtenText(text, field, most);
  if (VISIBLE.test(written)) return written;
  throw badInput(field, `${field}: 1 to ${most} characters, one of them visible.`);
}
