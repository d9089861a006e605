import { Int, ObjectType } from '@nestjs/graphql';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { model, shown } from '../../platform/model.js';

/** What leaves the server about a board. */

/** A board has at most as many pieces. */
const MOST_PIECES = 32;
/** Of so many kinds, those of the two sides apart. */
const MOST_KINDS = 14;

@ObjectType({ description: 'A kind of piece that still lies face-down.' })
export class FaceDownCount extends model({
  piece: shown(String, { description: 'Its letter.' }),
  count: shown(Int, { description: 'How many of them lie face-down.' }),
}) {}

@ObjectType({ description: 'A square with a piece on it.' })
export class BoardSquare extends model({
  square: shown(String, { description: 'Its name.', example: 'e1' }),
  piece: shown(String, {
    nullable: true,
    description:
      'Letter of the piece, in upper case of the first named side of the rule set; null when it is face-down.',
    example: 'K',
  }),
  faceDown: shown(Boolean, { description: 'Whether the piece is face-down.' }),
}) {}

@ObjectType({ description: 'The board as data; the same for everybody.' })
export class Board extends model({
  files: shown(Int, { description: 'How many files it has; the first is a.' }),
  ranks: shown(Int, { description: 'How many ranks it has; the first is 1.' }),
  squares: shown(
    [BoardSquare],
    { description: 'The squares with a piece, from a1 on, rank by rank.' },
    Cost(rowsAtMost(MOST_PIECES)),
  ),
  captured: shown([String], { description: 'Letters of the captured pieces, in order.' }),
  faceDown: shown(
    [FaceDownCount],
    { description: 'What is face-down somewhere, by elimination: nobody sees which lies where.' },
    Cost(rowsAtMost(MOST_KINDS)),
  ),
  check: shown(Boolean, { description: 'Whether the side to move is in check.' }),
}) {}
