import { rectifyConfusion } from 'unicode-confusables';

// Accents of all scripts, but not the marks of Kana or the vowel marks of other scripts.
const ACCENTS = /(?![\u3099\u309A])\p{Script=Inherited}/gu;
const SIGNS = /[^\p{L}\p{N}\p{M}]/gu;

const withoutAccents = (text: string) => text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');

/**
 * The look of a name: equal for names that look the same, such as with a Latin or a Cyrillic a (the skeleton of Unicode
 * Technical Standard 39), regardless of accents, signs and spaces. Only for comparison.
 */
export function lookOf(name: string): string {
  // Some letters are similar in upper case, such as I and l, others in lower case.
  const skeleton = rectifyConfusion(rectifyConfusion(withoutAccents(name)).toLowerCase());
  const letters = withoutAccents(skeleton).replace(SIGNS, '');
  // A few letters resemble signs, and must not all be equal.
  return letters === '' ? skeleton : letters;
}

/** The looks of a name as it is written and in lower case: a capital I looks like an l, but MIKE is read as mike. */
export const looksOf = (name: string): readonly string[] => [
  ...new Set([lookOf(name), lookOf(name.toLowerCase())]),
];
