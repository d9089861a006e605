import { CHARACTERS } from './characters.js';
import { FIGURES } from './figures.js';
import { GLYPHS } from './glyphs.js';

type Drawings = Readonly<Record<string, string>>;

/** The outlines that a drawing has. Pictures have all; browsers have fonts for the signs, and read the set that they draw. */
export interface Outlines {
  /** Chess figures, by letter. */
  readonly figures?: Drawings;
  /** The characters of pieces and of the river. */
  readonly characters?: Drawings;
  /** The letters of pieces, and coordinates. */
  readonly signs?: Drawings;
}

export const OUTLINES: Outlines = { figures: FIGURES, characters: CHARACTERS, signs: GLYPHS };
