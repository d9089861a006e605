import { ID, Int, ObjectType } from '@nestjs/graphql';
import { VACATION_STATUSES } from '../../arbiter/vacation.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { listed } from '../../platform/listed.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { enumOf, model, shown } from '../../platform/model.js';

/** What leaves the server about vacations; to their own user alone. */

export const VacationStatusEnum = enumOf(VACATION_STATUSES, {
  name: 'VacationStatus',
  description: 'Where a vacation is.',
});

@ObjectType({ description: 'Whole days in which your clocks stand still where you are to move.' })
export class Vacation extends model({
  id: shown(ID),
  startsAt: shown(DateTimeScalar),
  endsAt: shown(DateTimeScalar, {
    description: 'When it was or will be over; the start, when it was called off.',
  }),
  days: shown(Int, {
    description: 'Days that count: those planned, or those begun when it was ended early; 0 when called off.',
  }),
  status: shown(VacationStatusEnum),
}) {}

@ObjectType({ description: 'The days of vacation in a calendar year (UTC).' })
export class VacationYear extends model({
  year: shown(Int),
  used: shown(Int, { description: 'Days taken and planned that begin in this year.' }),
  left: shown(Int),
}) {}

@ObjectType({ description: 'Your vacations.' })
export class Vacations extends model({
  vacations: shown(
    [Vacation],
    { description: 'Those planned and those of the last two years, newest first; not those called off.' },
    Cost(rowsAtMost(60)),
  ),
  years: shown([VacationYear], { description: 'This year and the next one.' }, Cost(rowsAtMost(2))),
  current: shown(Vacation, { nullable: true, description: 'The one that runs now.' }),
}) {}

/** The same in REST: the vacations are its items. */
export class VacationPage extends model({
  ...listed(Vacation),
  years: Vacations.fields.years,
  current: Vacations.fields.current,
}) {}
