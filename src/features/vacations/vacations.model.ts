import { ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { VACATION_STATUSES } from '../../arbiter/vacation.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';

/** The models of vacations, which only their user sees. */

export const VacationStatusEnum = enumOf(VACATION_STATUSES, {
  name: 'VacationStatus',
  description: 'A status of a vacation.',
  values: {
    planned: 'Planned, and not begun.',
    running: 'In progress.',
    over: 'Over, at its end or ended early.',
    calledOff: 'Called off before its start.',
  },
});

@ObjectType({
  description: 'A vacation: whole days in which your clocks stand still in games where you are to move.',
})
export class Vacation extends model({
  id: shown(ID, { description: 'The id of the vacation.' }),
  startsAt: shown(DateTimeScalar, { description: 'The start of the vacation.' }),
  endsAt: shown(DateTimeScalar, {
    description: 'The end of the vacation; the start if it was called off.',
  }),
  days: shown(Int, {
    description:
      'The number of days that count: the planned ones, or those begun if it was ended early; 0 if it was called off.',
  }),
  status: shown(VacationStatusEnum, { description: 'The status of the vacation.' }),
}) {}

@ObjectType({ description: 'The vacation days of a calendar year (UTC).' })
export class VacationYear extends model({
  year: shown(Int, { description: 'The calendar year.' }),
  used: shown(Int, { description: 'The number of days taken or planned that begin in this year.' }),
  left: shown(Int, { description: 'The number of days left in this year, of 30.' }),
}) {}

@ObjectType({ description: 'Your vacations and the days left.' })
export class Vacations extends model({
  items: shown(
    [Vacation],
    {
      description:
        'The planned vacations and those of the last two years, the newest first, without those called off.',
    },
    Cost(rowsAtMost(60)),
  ),
  years: shown(
    [VacationYear],
    { description: 'The vacation days of this year and the next.' },
    Cost(rowsAtMost(2)),
  ),
  current: shown(Vacation, { nullable: true, description: 'The vacation in progress; null without one.' }),
}) {}

@ApiSchema({ description: 'Your vacations and the days left.' })
export class VacationPage extends model({ ...Vacations.fields, ...pageFields(Vacation) }) {}
