import { byKind, OFFER_NAMES } from '../../arbiter/offers.js';
import { Int, ObjectType } from '@nestjs/graphql';
import { SEGMENT_KINDS } from '../../arbiter/clock.js';
import { TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { SeatEnum } from './enums.model.js';

/** Response types for time controls, clocks and offers. */

export const TimeControlTypeEnum = enumOf(TIME_CONTROL_TYPES, {
  name: 'TimeControlType',
  description: 'A type of time control.',
  values: {
    perMove: 'A fixed time for each move, of which nothing is carried over.',
    bank: 'A time bank for each player, to which each move adds an increment, up to a cap.',
    none: 'No time limit; after 30 days without a move the game may be claimed as abandoned.',
  },
});
export const SegmentKindEnum = enumOf(SEGMENT_KINDS, {
  name: 'DeadlineSegmentKind',
  description: 'A kind of step in the explanation of a deadline.',
  values: {
    turnStarted: 'The start of the turn.',
    allowance: 'The time that the player had at the start of the turn.',
    given: 'The time that the opponent added in this turn.',
    vacation: 'A vacation of the player, in which the clock stood still.',
    pause: 'A pause of the game, in which the clock stood still.',
    ceiling: 'The limit of 60 days for a turn, pauses not counted, which cuts the time.',
  },
});

const NO_VACATION = {
  noVacation: shown(Boolean, { description: 'True if the clocks run through vacations.' }),
};

@ObjectType({ description: 'A fixed time for each move.' })
export class PerMove extends model({
  seconds: shown(Int, {
    description: 'The time for each move, 60 to 5184000 seconds (60 days).',
    example: 259200,
  }),
  ...NO_VACATION,
}) {}

@ObjectType({ description: 'A time bank for each player. All durations are whole seconds.' })
export class Bank extends model({
  initial: shown(Int, { description: 'The time in the bank at the start, 60 to 5184000 seconds (60 days).' }),
  increment: shown(Int, { description: 'The increment that each move adds, 0 seconds to the cap.' }),
  cap: shown(Int, { description: 'The most that a bank holds, up to 5184000 seconds (60 days).' }),
  ...NO_VACATION,
}) {}

@ObjectType({ description: 'No time control.' })
export class Untimed extends model(NO_VACATION) {}

@ObjectType({
  description:
    'A time control in the shape of its input, as exactly one of these. In GraphQL the others are null.',
})
export class TimeControl extends model({
  perMove: shown(PerMove, {
    nullable: true,
    isChoice: true,
    description: 'A fixed time for each move.',
  }),
  bank: shown(Bank, {
    nullable: true,
    isChoice: true,
    description: 'A time bank for each player, to which each move adds.',
  }),
  none: shown(Untimed, {
    nullable: true,
    isChoice: true,
    description: 'No deadline.',
  }),
}) {}

@ObjectType({ description: 'The clock of a player.' })
export class PlayerClock extends model({
  remaining: shown(Int, {
    nullable: true,
    description:
      'The time left now in whole seconds, or the time for the next turn of a player who is not to move; null without a ' +
      'time control and while nobody is to move.',
  }),
  running: shown(Boolean, { description: 'True if the clock runs now.' }),
  onVacationUntil: shown(DateTimeScalar, {
    nullable: true,
    description: 'The end of the current vacation of the player; null if the game knows of none.',
  }),
}) {}

@ObjectType({ description: 'The clocks of both players.' })
export class Clocks extends model({
  first: shown(PlayerClock, { description: 'The clock of the first player.' }),
  second: shown(PlayerClock, { description: 'The clock of the second player.' }),
}) {}

@ObjectType({ description: 'A step in the explanation of a deadline.' })
export class DeadlineSegment extends model({
  kind: shown(SegmentKindEnum, { description: 'The kind of the step.' }),
  from: shown(DateTimeScalar, {
    nullable: true,
    description: 'The start of the turn, vacation or pause; null for any other kind.',
  }),
  until: shown(DateTimeScalar, {
    nullable: true,
    description: 'The end of the vacation or pause; null if it is not known, and for any other kind.',
  }),
  seconds: shown(Int, {
    nullable: true,
    description:
      'The time that the step adds, in whole seconds, negative for the ceiling; null for a pause without an end.',
  }),
}) {}

@ObjectType({ description: 'The deadline of the current turn, with its explanation.' })
export class Deadline extends model({
  at: shown(DateTimeScalar, {
    nullable: true,
    description:
      'The deadline of the turn, or that of the client seeds in a pending game; null without a time control, in a pause ' +
      'without an end, and when the game is over.',
  }),
  explain: shown(
    [DeadlineSegment],
    {
      description:
        'The steps from the start of the turn to `at`, whose seconds add up to it; empty without a time control and while nobody is to move.',
    },
    Cost(rowsAtMost(8)),
  ),
  abandonableAt: shown(DateTimeScalar, {
    nullable: true,
    description:
      'The time from which the game may be claimed as abandoned; null with a time control, in a pause without an end, and while nobody is to move.',
  }),
}) {}

@ObjectType({ description: 'An open offer of a player.' })
export class Offer extends model({
  by: shown(SeatEnum, { description: 'The seat of the player who made the offer.' }),
  at: shown(DateTimeScalar, { description: 'The time at which the offer was made.' }),
  ply: shown(Int, {
    nullable: true,
    description: 'The ply after which play would continue; null unless the offer is a takeback.',
  }),
}) {}

@ObjectType({ description: 'The open offers of a game.' })
export class Offers extends model({
  firstMustMove: shown(Int, {
    description: 'The number of moves that the first player must make before the next draw offer, 0 to 10.',
  }),
  secondMustMove: shown(Int, {
    description: 'The number of moves that the second player must make before the next draw offer, 0 to 10.',
  }),
  ...byKind((kind) =>
    shown(Offer, { nullable: true, description: `The open ${OFFER_NAMES[kind]}; null without one.` }),
  ),
}) {}

@ObjectType({ description: 'An accepted takeback.' })
export class Takeback extends model({
  seq: shown(Int, { description: 'The version of the game after the takeback.' }),
  ply: shown(Int, { description: 'The ply after which play continued.' }),
}) {}
