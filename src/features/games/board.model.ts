import { Int, ObjectType } from '@nestjs/graphql';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { model, shown } from '../../platform/contract/model.js';

/** The most pieces on any board. */
const MOST_PIECES = 32;
/** The most kinds of pieces of any rule set, each side's counted separately. */
const MOST_KINDS = 14;

@ObjectType({ description: 'A kind of piece that is still face-down, with its number.' })
export class FaceDownCount extends model({
  piece: shown(String, { description: 'The letter of the piece.' }),
  count: shown(Int, { description: 'The number of these pieces that are face-down.' }),
}) {}

@ObjectType({ description: 'A square of the board with the piece on it.' })
export class BoardSquare extends model({
  square: shown(String, {
    description: 'The name of the square: the letter of its file and the number of its rank.',
    example: 'e1',
  }),
  piece: shown(String, {
    nullable: true,
    description:
      'The letter of the piece, in upper case for the first side of the rule set; null if it is face-down.',
    example: 'K',
  }),
  faceDown: shown(Boolean, { description: 'True if the piece is face-down.' }),
}) {}

@ObjectType({ description: 'A board as data, without what face-down pieces are.' })
export class Board extends model({
  files: shown(Int, { description: 'The number of files, from a on.' }),
  ranks: shown(Int, { description: 'The number of ranks, from 1 on.' }),
  squares: shown(
    [BoardSquare],
    { description: 'The squares with a piece, rank by rank from a1 on.' },
    Cost(rowsAtMost(MOST_PIECES)),
  ),
  captured: shown([String], { description: 'The letters of the captured pieces, in the order of capture.' }),
  faceDown: shown(
    [FaceDownCount],
    {
      description:
        'The pieces that are face-down somewhere, by elimination; which piece lies where is not shown.',
    },
    Cost(rowsAtMost(MOST_KINDS)),
  ),
  check: shown(Boolean, { description: 'True if the side to move is in check.' }),
}) {}
