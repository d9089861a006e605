/** Values of a request, as messages repeat them. */

const MAX_SHOWN = 60;

/** Counts characters, not UTF-16 units, so that none is cut in half. */
export function shortened(text: string, max = MAX_SHOWN): string {
  if (text.length <= max) return text;
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max).join('')}...` : text;
}

/** Escapes invisible characters, which could also change the direction of the message. */
const visible = (text: string): string =>
  text.replace(
    /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)!.toString(16)}}`,
  );

/** A value of a request for a message: texts quoted and shortened, lists and objects by their kind only. */
export function shown(value: unknown, max = MAX_SHOWN): string {
  if (typeof value === 'string') return visible(JSON.stringify(shortened(value, max)));
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return value === undefined ? 'nothing' : 'an object';
}
