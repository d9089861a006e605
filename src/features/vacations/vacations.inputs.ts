import { InputType } from '@nestjs/graphql';
import { id, idempotencyKey, moment, optional, wholeNumber } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';

/** The inputs of vacations. */

const PLAN = {
  startsAt: optional(moment('The start of the vacation, up to 365 days ahead; now if left out.')),
  days: wholeNumber(
    'The length in whole days of 24 hours, of which you have 30 in each calendar year (UTC).',
    {
      example: 7,
    },
  ),
};

export class PlanVacationBody extends inputOf(PLAN) {}

@InputType({ description: 'The input of planVacation.' })
export class PlanVacationInput extends inputOf({ idempotencyKey, ...PLAN }) {}

@InputType({ description: 'The input of endVacation.' })
export class EndVacationInput extends inputOf({ id: id('The id of the vacation.'), idempotencyKey }) {}
