import { ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { VACATION_STATUSES } from '../../arbiter/vacation.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, Shown } from '../../platform/model.js';

/** What leaves the server about vacations; to their own user alone. */

export const VacationStatusEnum = enumOf(VACATION_STATUSES);
registerEnumType(VacationStatusEnum, { name: 'VacationStatus', description: 'Where a vacation is.' });

@ObjectType({ description: 'Whole days in which your clocks stand still where you are to move.' })
export class Vacation {
  @Shown(() => ID)
  readonly id: string;

  @Shown(() => DateTimeScalar)
  readonly startsAt: Date;

  @Shown(() => DateTimeScalar, {
    description: 'When it was or will be over; the start, when it was called off.',
  })
  readonly endsAt: Date;

  @Shown(() => Int, {
    description: 'Days that count: those planned, or those begun when it was ended early; 0 when called off.',
  })
  readonly days: number;

  @Shown(() => VacationStatusEnum)
  readonly status: keyof typeof VacationStatusEnum;
}

@ObjectType({ description: 'The days of vacation in a calendar year (UTC).' })
export class VacationYear {
  @Shown(() => Int)
  readonly year: number;

  @Shown(() => Int, { description: 'Days taken and planned that begin in this year.' })
  readonly used: number;

  @Shown(() => Int)
  readonly left: number;
}

@ObjectType({ description: 'Your vacations.' })
export class Vacations {
  @Shown(() => [Vacation], {
    description: 'Those planned and those of the last two years, newest first; not those called off.',
  })
  readonly vacations: readonly Vacation[];

  @Shown(() => [VacationYear], { description: 'This year and the next one.' })
  readonly years: readonly VacationYear[];

  @Shown(() => Vacation, { nullable: true, description: 'The one that runs now.' })
  readonly current: Vacation | null;
}
