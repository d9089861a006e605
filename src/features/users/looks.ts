import { rectifyConfusion } from 'unicode-confusables';

// Of every script: accents, but not the marks of Kana, nor the vowels of scripts that have them as marks of their own.
const ACCENTS = /(?![\u3099\u309A])\p{Script=Inherited}/gu;
const SIGNS = /[^\p{L}\p{N}\p{M}]/gu;

const withoutAccents = (text: string) => text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');

/**
 * What a name looks like: equal for names that the eye takes for each other, as a Latin and a Cyrillic a (the skeleton of
 * Unicode's Technical Standard 39), whatever accents, signs and spaces they wear. For comparing alone; it is no name
 * itself.
 */
export function lookOf(name: string): string {
  // Some look alike in upper case, as I and l, some in lower case.
  const skeleton = rectifyConfusion(rectifyConfusion(withoutAccents(name)).toLowerCase());
  const letters = withoutAccents(skeleton).replace(SIGNS, '');
  // A few letters look like signs, and are not all alike.
  return letters === '' ? skeleton : letters;
}
