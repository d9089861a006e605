import { CHARACTERS } from './characters.js';
import { FIGURES } from './figures.js';

/** The outlines of the pieces of all sets, by letter and by character. Browsers read those of the set that they draw. */

export type Outlines = Readonly<Record<string, string>>;

export const OUTLINES: Outlines = { ...FIGURES, ...CHARACTERS };
