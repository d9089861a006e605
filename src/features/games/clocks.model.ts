import { byKind } from '../../arbiter/offers.js';
import { Int, ObjectType } from '@nestjs/graphql';
import { SEGMENT_KINDS } from '../../arbiter/clock.js';
import { TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { enumOf, model, shown } from '../../platform/model.js';
import { SeatEnum } from './enums.model.js';

/** What leaves the server about time, and about offers. */

export const TimeControlTypeEnum = enumOf(TIME_CONTROL_TYPES, {
  name: 'TimeControlType',
  description: 'How the time of the players is counted.',
});
export const SegmentKindEnum = enumOf(SEGMENT_KINDS, {
  name: 'DeadlineSegmentKind',
  description:
    'What moved the deadline: where the turn began, what it had, what was given, what stood still, what cut it.',
});

@ObjectType({ description: 'How long a move may take. All durations are whole seconds.' })
export class TimeControl extends model({
  type: shown(TimeControlTypeEnum),
  seconds: shown(Int, { nullable: true, description: 'perMove: for each move.', example: 259200 }),
  initial: shown(Int, { nullable: true, description: 'bank: what each player begins with.' }),
  increment: shown(Int, { nullable: true, description: 'bank: what each move adds.' }),
  cap: shown(Int, { nullable: true, description: 'bank: more is never kept.' }),
  noVacation: shown(Boolean, { description: 'Do the clocks run on through vacations?' }),
}) {}

@ObjectType({ description: 'The time of one player.' })
export class PlayerClock extends model({
  remaining: shown(Int, {
    nullable: true,
    description:
      'Whole seconds left now; for the player who waits, what the next turn will have. Null without a time control, ' +
      'and while nobody is to move.',
  }),
  running: shown(Boolean, { description: 'Does it run now?' }),
  onVacationUntil: shown(DateTimeScalar, { nullable: true, description: 'Null: not on vacation.' }),
}) {}

@ObjectType({ description: 'The time of both players.' })
export class Clocks extends model({
  first: shown(PlayerClock),
  second: shown(PlayerClock),
}) {}

@ObjectType({ description: 'A piece of the way to a deadline.' })
export class DeadlineSegment extends model({
  kind: shown(SegmentKindEnum),
  from: shown(DateTimeScalar, { nullable: true }),
  until: shown(DateTimeScalar, { nullable: true }),
  seconds: shown(Int, {
    nullable: true,
    description: 'What it adds, in whole seconds; the ceiling takes away. Null: a pause without an end.',
  }),
}) {}

@ObjectType({ description: 'When the turn runs out, and how that came about.' })
export class Deadline extends model({
  at: shown(DateTimeScalar, {
    nullable: true,
    description:
      'Null without a time control, in a pause that nobody has called off, and when the game is over.',
  }),
  explain: shown(
    [DeadlineSegment],
    { description: 'From the start of the turn; the seconds of all lead to `at`.' },
    Cost(rowsAtMost(8)),
  ),
  abandonableAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'Without a time control: from when on the game may be claimed as abandoned.',
  }),
}) {}

@ObjectType({ description: 'An offer that waits for an answer.' })
export class Offer extends model({
  by: shown(SeatEnum),
  at: shown(DateTimeScalar),
  ply: shown(Int, { nullable: true, description: 'takeback: the ply after which play would go on.' }),
}) {}

@ObjectType({ description: 'What waits for an answer.' })
export class Offers extends model({
  firstMustMove: shown(Int, {
    description: 'Moves that the first player must make before another draw offer.',
  }),
  secondMustMove: shown(Int, {
    description: 'Moves that the second player must make before another draw offer.',
  }),
  ...byKind(() => shown(Offer, { nullable: true })),
}) {}

@ObjectType({ description: 'A takeback that was accepted.' })
export class Takeback extends model({
  seq: shown(Int, { description: 'The version of the game that it made.' }),
  ply: shown(Int, { description: 'The ply after which play went on.' }),
}) {}
