import { InputType } from '@nestjs/graphql';
import { id, moment, optional, text, wholeNumber } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

/** What comes in about vacations. */

const idempotencyKey = optional(text('The same key sent again has no second effect.'));

const PLAN = {
  startsAt: optional(
    moment('Up to 365 days ahead; without it the vacation starts now.', {
      error: '$ must be a moment, written as 2026-01-31T12:00:00.000Z',
    }),
  ),
  days: wholeNumber('Whole days of 24 hours. In a calendar year (UTC) you have 30.', {
    error: '$ must be a whole number from 1',
    example: 7,
  }),
};

export class PlanVacationBody extends inputOf(PLAN) {}

@InputType({ description: 'Days without your clocks running.' })
export class PlanVacationInput extends inputOf({ idempotencyKey, ...PLAN }) {}

@InputType({ description: 'A vacation of yours.' })
export class EndVacationInput extends inputOf({ id: id(), idempotencyKey }) {}
