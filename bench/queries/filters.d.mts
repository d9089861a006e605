import type { Client } from 'pg';

/** Types of filters.mjs, for the tests. */

export interface Subjects {
  readonly busy: string;
  readonly rival: string;
  readonly from: string;
  readonly until: string;
}

export type Filter = readonly [title: string, filter: (subjects: Subjects) => object];

export const FILTERS: readonly Filter[];
export const ORDERS: readonly string[];
export function subjectsOf(db: Client): Promise<Subjects>;
