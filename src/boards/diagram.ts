import { parseOptions } from '../rules/options.js';
import { rulesetById } from '../rules/registry.js';
import { accept, type Result } from '../rules/result.js';
import { USUAL, type Look } from './board.js';
import { drawPicture } from './draw-picture.js';
import type { Marks } from './marks.js';
import { pictureOf } from './picture.js';

/** Pictures for documents, listed as data. */

export interface Diagram extends Marks, Partial<Look> {
  readonly ruleset: string;
  readonly position: string;
  /** The options of the game that are not the defaults. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly lastMove?: string;
  readonly caption?: string;
}

/** The SVG of a diagram, or the refusal of its options or its position. */
export function drawDiagram(diagram: Diagram): Result<string> {
  const { ruleset: id, position: fen, caption = 'a position', lastMove = null } = diagram;
  const ruleset = rulesetById(id)!;
  const options = parseOptions(ruleset, diagram.options ?? {});
  if (!options.ok) return options;
  const position = ruleset.parse(fen, options.value);
  if (!position.ok) return position;
  const picture = pictureOf(ruleset, position.value, caption, lastMove);
  return accept(drawPicture(picture, { ...USUAL, ...diagram }, diagram));
}
