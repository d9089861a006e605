import type { ResultToken } from '../../formats/ending.js';

/** Results of imported games. */
export const IMPORT_RESULTS = ['firstWon', 'secondWon', 'drawn'] as const;
export type ImportResult = (typeof IMPORT_RESULTS)[number];

export const RESULT_TOKENS: Readonly<Record<ImportResult, ResultToken>> = {
  firstWon: '1-0',
  secondWon: '0-1',
  drawn: '1/2-1/2',
};
