import { setImmediate } from 'node:timers/promises';
import { unwrap } from '../../engine/refusals.js';
import { readInSteps, type ReadRequest } from '../../formats/formats.js';
import type { ReadGame } from '../../formats/score.js';

export type Most = NonNullable<ReadRequest['most']>;

/** The time after which reading yields to other requests. */
const SLICE_MS = 5;

/** Reads the games of a text, which must be over, in slices of time. Throws INVALID_GAME_TEXT. */
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
