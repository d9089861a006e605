import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { MOST_NODES } from '../../arbiter/plans.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { anything, flag, optional, text } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';
import { model, refTo, shown } from '../../platform/model.js';

/** Conditional moves as they come in, as a tree, and as they leave, as a list. */

const WHEN = "The opponent's move, in its stored form.";
const ANY =
  'In place of when: whatever the opponent plays that no node beside it names. Not in games with face-down pieces.';
const REVEALS = 'The letter of the piece that this move turns up; left out: whatever it is.';
const REPLY_REVEALED =
  'The letter of the piece that your reply before this node turned up; left out: whatever it is.';
const REPLY = 'Your own move, in its stored form.';
const OFFER_DRAW = 'Offers a draw with the reply, or without one; alone it also accepts one that is offered.';
const RESIGN = 'Resigns, in place of a reply; nothing follows.';

@InputType({ description: 'An answer to a move that the opponent may make, and what follows it.' })
export class ConditionalNodeInput extends inputOf({
  when: optional(text(WHEN, { example: 'e7e5' })),
  any: optional(flag(ANY)),
  reveals: optional(text(REVEALS)),
  replyRevealed: optional(text(REPLY_REVEALED)),
  reply: optional(text(REPLY, { example: 'g1f3' })),
  offerDraw: optional(flag(OFFER_DRAW)),
  resign: optional(flag(RESIGN)),
  unverified: optional(flag('Of no effect: what the server shows may be sent back.')),
}) {
  @Field(() => [ConditionalNodeInput], {
    nullable: true,
    description: 'Answers to the moves after the reply.',
  })
  @ApiProperty({
    type: () => [ConditionalNodeInput],
    required: false,
    description: 'Answers to the moves after the reply.',
  })
  readonly then?: readonly ConditionalNodeInput[] | null;
}

@ObjectType({
  description:
    'A node of your conditional moves. They are a list in which each comes before those that follow it.',
})
export class ConditionalMove extends model({
  id: shown(Int, { description: 'Its place in the list, from 1.' }),
  parent: shown(Int, {
    nullable: true,
    description: 'The id of the node whose reply it follows; null: it answers the next move.',
  }),
  when: shown(String, { nullable: true, description: `${WHEN} Null: any.`, example: 'e7e5' }),
  any: shown(Boolean, { description: ANY }),
  reveals: shown(String, { nullable: true, description: 'The letter of the piece that this move turns up.' }),
  replyRevealed: shown(String, {
    nullable: true,
    description: 'The letter of the piece that the reply before this node turned up.',
  }),
  reply: shown(String, { nullable: true, description: REPLY, example: 'g1f3' }),
  offerDraw: shown(Boolean, { description: OFFER_DRAW }),
  resign: shown(Boolean, { description: RESIGN }),
  unverified: shown(Boolean, {
    description:
      'Whether the reply will be legal is not known yet: it depends on a piece that is turned up, or on any move.',
  }),
}) {}

/** What listing a plan costs: half of what it may have; most have far less. */
export const LISTED_PLAN = rowsAtMost(MOST_NODES / 2);

export const CONDITIONAL_MOVES = shown(
  [ConditionalMove],
  {
    nullable: true,
    description: 'Your own, as far as they still wait; null for everybody else, and when there are none.',
  },
  Cost(LISTED_PLAN),
);

const NODES: ApiPropertyOptions = {
  type: 'array',
  items: { anyOf: [refTo(ConditionalNodeInput), refTo(ConditionalMove)] },
};

/** Nodes as they came in; REST takes the list that it shows, too. Their own reader says what is wrong with them. */
export const nodes = (description: string) => ({
  ...anything(`${description} Up to 100 nodes in all.`, {
    error: '$ must be a list of nodes; to forget them, clear them',
    rest: NODES,
  }),
  type: () => [ConditionalNodeInput] as const,
});
