import { OFFER_KINDS, type OfferKind } from '../../arbiter/offers.js';
import { Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { SEGMENT_KINDS } from '../../arbiter/clock.js';
import { TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { declare, enumOf, Shown } from '../../platform/model.js';
import { PlayerEnum } from './enums.model.js';

/** What leaves the server about time, and about offers. */

export const TimeControlTypeEnum = enumOf(TIME_CONTROL_TYPES);
export const SegmentKindEnum = enumOf(SEGMENT_KINDS);
registerEnumType(TimeControlTypeEnum, { name: 'TimeControlType' });
registerEnumType(SegmentKindEnum, {
  name: 'DeadlineSegmentKind',
  description:
    'What moved the deadline: where the turn began, what it had, what was given, what stood still, what cut it.',
});

@ObjectType({ description: 'How long a move may take. All durations are whole seconds.' })
export class TimeControl {
  @Shown(() => TimeControlTypeEnum)
  readonly type: keyof typeof TimeControlTypeEnum;

  @Shown(() => Int, { nullable: true, description: 'perMove: for each move.', example: 259200 })
  readonly seconds: number | null;

  @Shown(() => Int, { nullable: true, description: 'bank: what each player begins with.' })
  readonly initial: number | null;

  @Shown(() => Int, { nullable: true, description: 'bank: what each move adds.' })
  readonly increment: number | null;

  @Shown(() => Int, { nullable: true, description: 'bank: more is never kept.' })
  readonly cap: number | null;

  @Shown(() => Boolean, { description: 'Do the clocks run on through vacations?' })
  readonly noVacation: boolean;
}

@ObjectType({ description: 'The time of one player.' })
export class PlayerClock {
  @Shown(() => Int, {
    nullable: true,
    description:
      'Whole seconds left now; for the player who waits, what the next turn will have. Null without a time control, ' +
      'and while nobody is to move.',
  })
  readonly remaining: number | null;

  @Shown(() => Boolean, { description: 'Does it run now?' })
  readonly running: boolean;

  @Shown(() => DateTimeScalar, { nullable: true, description: 'Null: not on vacation.' })
  readonly onVacationUntil: Date | null;
}

@ObjectType({ description: 'The time of both players.' })
export class Clocks {
  @Shown(() => PlayerClock)
  readonly first: PlayerClock;

  @Shown(() => PlayerClock)
  readonly second: PlayerClock;
}

@ObjectType({ description: 'A piece of the way to a deadline.' })
export class DeadlineSegment {
  @Shown(() => SegmentKindEnum)
  readonly kind: keyof typeof SegmentKindEnum;

  @Shown(() => DateTimeScalar, { nullable: true })
  readonly from: Date | null;

  @Shown(() => DateTimeScalar, { nullable: true })
  readonly until: Date | null;

  @Shown(() => Int, {
    nullable: true,
    description: 'What it adds, in whole seconds; the ceiling takes away. Null: a pause without an end.',
  })
  readonly seconds: number | null;
}

@ObjectType({ description: 'When the turn runs out, and how that came about.' })
export class Deadline {
  @Shown(() => DateTimeScalar, {
    nullable: true,
    description:
      'Null without a time control, in a pause that nobody has called off, and when the game is over.',
  })
  readonly at: Date | null;

  @Shown(() => [DeadlineSegment], {
    description: 'From the start of the turn; the seconds of all lead to `at`.',
  })
  readonly explain: readonly DeadlineSegment[];

  @Shown(() => DateTimeScalar, {
    nullable: true,
    description: 'Without a time control: from when on the game may be claimed as abandoned.',
  })
  readonly abandonableAt: Date | null;
}

@ObjectType({ description: 'An offer that waits for an answer.' })
export class Offer {
  @Shown(() => PlayerEnum)
  readonly by: keyof typeof PlayerEnum;

  @Shown(() => DateTimeScalar)
  readonly at: Date;

  @Shown(() => Int, { nullable: true, description: 'takeback: the ply after which play would go on.' })
  readonly ply: number | null;
}

@ObjectType({ description: 'What waits for an answer.' })
export class Offers {
  @Shown(() => Int, { description: 'Moves that the first player must make before another draw offer.' })
  readonly firstMustMove: number;

  @Shown(() => Int, { description: 'Moves that the second player must make before another draw offer.' })
  readonly secondMustMove: number;
}
for (const kind of OFFER_KINDS)
  declare(
    Offers,
    kind,
    Shown(() => Offer, { nullable: true }),
  );

/** With one of each kind. */
export type AllOffers = Offers & Readonly<Record<OfferKind, Offer | null>>;

@ObjectType({ description: 'A takeback that was accepted.' })
export class Takeback {
  @Shown(() => Int, { description: 'The version of the game that it made.' })
  readonly seq: number;

  @Shown(() => Int, { description: 'The ply after which play went on.' })
  readonly ply: number;
}
