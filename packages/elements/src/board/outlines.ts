import { useEffect } from 'preact/hooks';
import type { Outlines } from '../../../../src/boards/outlines.js';
import { Store, useStore } from '../store.js';

/** The outlines of pieces, read for the set of the game that is shown. */

const SETS = {
  chess: () => import('../../../../src/boards/figures.js').then((read) => ({ figures: read.FIGURES })),
  chinese: () =>
    import('../../../../src/boards/characters.js').then((read) => ({ characters: read.CHARACTERS })),
};

const read = new Store<Readonly<Record<string, Outlines>>>({});
const NONE: Outlines = {};
const AGAIN_MS = 3000;

/** Until it was tried; then tries again by itself, as everything does that a board needs. */
export const readSet = (set: keyof typeof SETS): Promise<unknown> =>
  SETS[set]().then(
    (outlines) => (read.value = { ...read.value, [set]: outlines }),
    () => setTimeout(() => void readSet(set), AGAIN_MS),
  );

/** Empty until they are read. */
export function useOutlines(set: keyof typeof SETS): Outlines {
  const outlines = useStore(read)[set];
  useEffect(() => {
    if (read.value[set] === undefined) void readSet(set);
  }, [set]);
  return outlines ?? NONE;
}
