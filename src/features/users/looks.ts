import { rectifyConfusion } from 'unicode-confusables';

/**
 * What a name looks like: equal for names that the eye takes for each other, as a Latin and a Cyrillic a (the skeleton of
 * Unicode's Technical Standard 39). For comparing alone; it is no name itself.
 */
export function lookOf(name: string): string {
  const composed = name.normalize('NFKC').replace(/\p{Zs}+/gu, '');
  // Some look alike in upper case, as I and l, some in lower case.
  return rectifyConfusion(rectifyConfusion(composed).toLowerCase()).normalize('NFC');
}
