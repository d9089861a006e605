import type { Config } from '../../config.js';

/** How CACHE_MB is divided among all that a process remembers to answer faster. docs/architecture.md tells what each is. */
export const PARTS = {
  plies: 32,
  documents: 20,
  hotGames: 16,
  knownGames: 16,
  gamesAsJson: 16,
  legalMoves: 8,
  schemaAnswers: 8,
  acts: 4,
  receipts: 4,
  tokens: 4,
} as const;

const WHOLE = Object.values(PARTS).reduce((sum, part) => sum + part, 0);

/** The most bytes that one of them may hold. */
export const cacheBytes = ({ cacheMb }: Pick<Config, 'cacheMb'>, what: keyof typeof PARTS): number =>
  Math.floor((cacheMb * 2 ** 20 * PARTS[what]) / WHOLE);
