import { VACATION } from '../documents.js';
import { get, keyed, mutation, part, post, query, verb } from '../verb.js';
import type { Body } from '../transport.js';

export interface Vacation {
  readonly id: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly days: number;
  readonly status: string;
}

export interface MyVacations {
  readonly items: readonly Vacation[];
  readonly years: readonly { readonly year: number; readonly used: number; readonly left: number }[];
  readonly current: Vacation | null;
}

const inGraphql = ({ items, years, current }: MyVacations): MyVacations => ({ items, years, current });

export const VACATIONS = {
  planVacation: verb<[wish: Body, key?: string], Vacation>({
    rest: (wish, key) => part('vacation', post('me/vacations', wish, key)),
    graphql: (wish, key) => part('vacation', mutation('planVacation', keyed(wish, key), VACATION)),
  }),
  endVacation: verb<[id: string, key?: string], Vacation>({
    rest: (id, key) => part('vacation', post(`me/vacations/${id}/end`, undefined, key)),
    graphql: (id, key) => part('vacation', mutation('endVacation', keyed({ id }, key), VACATION)),
  }),
  myVacations: verb<[], MyVacations>({
    rest: () => ({ ...get('me/vacations'), read: inGraphql }),
    graphql: () =>
      query('myVacations', {}, `{ items ${VACATION} years { year used left } current ${VACATION} }`),
  }),
};
