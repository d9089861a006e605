import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { MAX_NODES } from '../../arbiter/conditional-moves.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { anything, flag, optional, text } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { model, refTo, shown } from '../../platform/contract/model.js';

/** Conditional moves: a tree in requests, a list in responses. */

const WHEN = "The opponent's move in coordinates, as it is stored; null with `any`.";
const AS_WRITTEN =
  'written as in makeMove; in coordinates where it depends on a piece or a move that is not known yet.';
const ANY =
  'True, in place of `when`, for any move of the opponent that no sibling node names; not in games with ' +
  'face-down pieces.';
const REVEALS = "The letter of the piece that the opponent's move turns up; null for any piece.";
const REPLY_REVEALED =
  'The letter of the piece that your reply before this node turned up; null for any piece.';
const REPLY = 'Your move in coordinates, as it is stored; null without a reply.';
const OFFER_DRAW =
  'True to offer a draw, with the reply or without one; without one it also accepts a draw that is offered.';
const RESIGN = 'True to resign in place of a reply; no node follows.';
const THEN = 'The nodes that answer the moves after the reply.';

@InputType({
  description: 'A conditional move: a move that your opponent may play, your answer, and what follows it.',
})
export class ConditionalNodeInput extends inputOf({
  when: optional(text(`The opponent's move, ${AS_WRITTEN} Left out with \`any\`.`, { example: 'e7e5' })),
  any: optional(flag(ANY)),
  reveals: optional(text(REVEALS)),
  replyRevealed: optional(text(REPLY_REVEALED)),
  reply: optional(text(`Your move, ${AS_WRITTEN}`, { example: 'g1f3' })),
  offerDraw: optional(flag(OFFER_DRAW)),
  resign: optional(flag(RESIGN)),
  unverified: optional(flag('Ignored, so that nodes can be sent back as the server shows them.')),
}) {
  @Field(() => [ConditionalNodeInput], { nullable: true, description: THEN })
  @ApiProperty({ type: () => [ConditionalNodeInput], required: false, description: THEN })
  readonly then?: readonly ConditionalNodeInput[] | null;
}

@ObjectType({
  description:
    'A conditional move of yours, as a node in a list in which each node stands before those that follow it.',
})
export class ConditionalMove extends model({
  id: shown(Int, { description: 'The place of the node in the list, from 1.' }),
  parent: shown(Int, {
    nullable: true,
    description: 'The id of the node that it follows; null if it answers the next move.',
  }),
  when: shown(String, { nullable: true, description: WHEN, example: 'e7e5' }),
  any: shown(Boolean, { description: ANY }),
  reveals: shown(String, { nullable: true, description: REVEALS }),
  replyRevealed: shown(String, { nullable: true, description: REPLY_REVEALED }),
  reply: shown(String, { nullable: true, description: REPLY, example: 'g1f3' }),
  offerDraw: shown(Boolean, { description: OFFER_DRAW }),
  resign: shown(Boolean, { description: RESIGN }),
  unverified: shown(Boolean, {
    description:
      'True if the reply could not be checked yet, as it depends on a piece still face-down or on an unnamed move.',
  }),
}) {}

/** The cost of listing a plan: half of the largest one, as most are far smaller. */
export const LISTED_PLAN = rowsAtMost(MAX_NODES / 2);

export const CONDITIONAL_MOVES_LEFT = 'Your conditional moves that can still be played; null without any.';
export const CONDITIONAL_MOVES = shown(
  [ConditionalMove],
  {
    nullable: true,
    description: CONDITIONAL_MOVES_LEFT,
  },
  Cost(LISTED_PLAN),
);

const NODES: ApiPropertyOptions = {
  type: 'array',
  items: { anyOf: [refTo(ConditionalNodeInput), refTo(ConditionalMove)] },
};

/** Nodes of a request, passed on unchecked to the reader of plans, which names the wrong node. REST also takes the list form. */
export const nodes = (description: string) => ({
  ...anything(`${description} At most ${MAX_NODES} nodes in all.`, {
    error: '$ must be a list of nodes. To delete your conditional moves, use clearConditionalMoves',
    rest: NODES,
  }),
  type: () => [ConditionalNodeInput] as const,
});
