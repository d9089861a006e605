import { VACATION } from '../documents.js';
import { get, mutation, post, query, verb } from '../verb.js';
import type { Body } from '../transport.js';

export interface Vacation {
  readonly id: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly days: number;
  readonly status: string;
}

export interface MyVacations {
  readonly vacations: readonly Vacation[];
  readonly years: readonly { readonly year: number; readonly used: number; readonly left: number }[];
  readonly current: Vacation | null;
}

export const VACATIONS = {
  planVacation: verb<[wish: Body, key?: string], Vacation>({
    rest: (wish, key) => post('me/vacations', wish, key),
    graphql: (wish, idempotencyKey) => mutation('planVacation', { ...wish, idempotencyKey }, VACATION),
  }),
  endVacation: verb<[id: string, key?: string], Vacation>({
    rest: (id, key) => post(`me/vacations/${id}/end`, undefined, key),
    graphql: (id, idempotencyKey) => mutation('endVacation', { id, idempotencyKey }, VACATION),
  }),
  myVacations: verb<[], MyVacations>({
    rest: () => get('me/vacations'),
    graphql: () =>
      query('myVacations', {}, `{ vacations ${VACATION} years { year used left } current ${VACATION} }`),
  }),
};
