import { THEMES } from '../../boards/palette.js';
import { PIECE_SETS } from '../../boards/pieces.js';
import { longText, oneOf, optional, text, wholeNumber } from '../../platform/contract/fields.js';
import { argsOf, inputOf } from '../../platform/contract/inputs.js';
import { enumOf } from '../../platform/contract/model.js';
import { SeatEnum } from '../games/enums.model.js';
import { RULESET_ID } from '../rulesets/descriptions.js';

/** What comes in about pictures of boards. */

/** Of the longer side, in pixels. */
export const SIZE = { least: 64, most: 2048, usual: 400 } as const;

const LOOK = {
  orientation: optional(oneOf(SeatEnum, 'The seat at the bottom of the picture; first by default.')),
  size: optional(
    wholeNumber(`The longer side of the picture in pixels; ${SIZE.usual} by default.`, {
      least: SIZE.least,
      most: SIZE.most,
      rest: { type: 'integer', minimum: SIZE.least, maximum: SIZE.most, default: SIZE.usual },
    }),
  ),
  theme: optional(
    oneOf(
      enumOf(THEMES),
      'The colours: light (the default), dark, or auto, which follows the preference of the reader in an SVG and is light in a PNG.',
    ),
  ),
  pieces: optional(
    oneOf(
      enumOf(PIECE_SETS),
      'The signs on the pieces of Xiangqi and Banqi: Chinese characters (the default) or the letters of positions.',
    ),
  ),
};

/** The rule set in a path. */
export class BoardParam extends argsOf({ ruleset: longText(RULESET_ID) }) {}

export class BoardQuery extends inputOf({
  fen: optional(
    text('The position, as FEN; the start of the game by default. Spaces are written as %20 or +.', {
      least: 1,
      example: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
    }),
  ),
  lastMove: optional(text('The move to mark, in coordinates; none by default.', { example: 'e7e5' })),
  ...LOOK,
}) {}

export class GameBoardQuery extends inputOf({
  ply: optional(
    wholeNumber(
      'The number of the ply after which the board is shown, from 0 (before ply 1) to plyCount; the newest by default.',
    ),
  ),
  takebacks: optional(
    wholeNumber(
      'The number of accepted takebacks when the ply was played, as in boardUrl: while there are no more, the picture may be kept.',
      { least: 0 },
    ),
  ),
  ...LOOK,
}) {}
