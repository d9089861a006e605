import { DomainError } from './errors.js';

const MOST_LOOKS = 20;

/**
 * What a look finds that may have to be repeated, because what it looks at changes meanwhile: null asks for another one.
 * Throws OVERLOADED when that goes on.
 */
export async function lookUntilStill<Found>(look: () => Promise<Found | null>): Promise<Found> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const found = await look();
    if (found !== null) return found;
  }
  const message = 'What you ask for keeps changing. Send the same again in a moment.';
  throw new DomainError('OVERLOADED', message, { retryAfter: 1 });
}
