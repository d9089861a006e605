import { drawBoard, type Look } from './board.js';
import type { Marks } from './marks.js';
import { OUTLINES } from './outlines.js';
import type { Picture } from './picture.js';
import { spokenOf } from './words.js';

/** A picture that stands alone: with all outlines, and with words for readers. */
export const drawPicture = (picture: Picture, look: Look, marks: Marks = {}): string =>
  drawBoard(picture, look, OUTLINES, marks, spokenOf(picture));
