import { setImmediate } from 'node:timers/promises';
import { unwrap } from '../../engine/refusals.js';
import { readInSteps, type ReadRequest } from '../../formats/formats.js';
import type { ReadGame } from '../../formats/score.js';

/** What one text may have at most. */
export type Most = NonNullable<ReadRequest['most']>;

/** After so long the server looks after everybody else. */
const SLICE_MS = 5;

/** The games of a text, all of them over, read in slices of time. Throws INVALID_GAME_TEXT. */
export async function readGames(
  text: string,
  request: ReadRequest,
  most: Most,
): Promise<readonly ReadGame[]> {
  const games: ReadGame[] = [];
  let until = performance.now() + SLICE_MS;
  for (const game of readInSteps(text, { ...request, over: true, most })) {
    if (game !== null) games.push(unwrap(game));
    else if (performance.now() >= until) {
      await setImmediate();
      until = performance.now() + SLICE_MS;
    }
  }
  return games;
}
