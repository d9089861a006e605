import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { en, type Texts } from './en.js';

/** The languages of the elements. English is always there, the others are read when they are needed. */

export type { Texts } from './en.js';

const OTHERS: Readonly<Record<string, () => Promise<Texts>>> = {
  'zh-Hant': () => import('./zh-hant.js').then((read) => read.zhHant),
  'zh-Hans': () => import('./zh-hans.js').then((read) => read.zhHans),
};

const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)/i;

/** `zh-Hant` of `zh-TW`, `zh-Hans` of `zh`; English of what is not here. */
function languageOf(tag: string): string {
  if (!/^zh\b/i.test(tag)) return 'en';
  return TRADITIONAL.test(tag) ? 'zh-Hant' : 'zh-Hans';
}

export const textsOf = (tag: string): Promise<Texts> => OTHERS[languageOf(tag)]?.() ?? Promise.resolve(en);

export const Language = createContext<Texts>(en);

export const useTexts = (): Texts => useContext(Language);
