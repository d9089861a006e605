import { badInput, DomainError } from '../errors/errors.js';

/** Texts that people write, as they are stored: in NFC, with `\n` as the end of a line, trimmed. */

// Lone surrogates cannot be stored; bidirectional controls could make a text read as something else.
const UNWRITABLE = /[^\P{Cc}\n]|\p{Cs}|[\u202A-\u202E\u2066-\u2069]|\p{Noncharacter_Code_Point}/u;
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{DI}]/u;

/** The text as it is stored, perhaps empty. Throws BAD_INPUT. */
export function writtenText(text: string, field: string, most: number): string {
  const written = text.normalize('NFC').replaceAll('\r\n', '\n').trim();
  const unwritable = UNWRITABLE.exec(written);
  if (unwritable !== null) throw badInput(field, unwritableMessage(field, unwritable));
  const { length } = [...written];
  if (length <= most) return written;
  const message = `${field} must have at most ${most} characters; got ${length}.`;
  throw new DomainError('BAD_INPUT', message, { field, max: most });
}

/** As writtenText, but with a visible character. */
export function visibleText(text: string, field: string, most: number): string {
  const written = writtenText(text, field, most);
  if (VISIBLE.test(written)) return written;
  const message = `${field} must have 1 to ${most} characters, at least one of them visible; got ${[...written].length}.`;
  throw new DomainError('BAD_INPUT', message, { field, min: 1, max: most });
}

function unwritableMessage(field: string, { 0: character, index }: RegExpExecArray): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `${field} must not contain control characters other than newlines; got U+${code} at position ${index + 1}.`;
}
