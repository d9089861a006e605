import type { Client } from 'pg';

/** Types of plans.mjs, for the tests. */

export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
}

export interface Essence {
  readonly buffers: number;
  readonly indexes: readonly string[];
  readonly scanned: readonly string[];
  readonly removed: number;
  readonly rowsSorted: number;
  readonly endlessSorts: readonly string[];
}

export type Mode = 'auto' | 'force_custom_plan' | 'force_generic_plan';

export const GROWING: readonly string[];
export function isQuery(statement: Sent): boolean;
export function explain(
  db: Client,
  statement: Sent,
  how?: { mode?: Mode; settings?: Readonly<Record<string, string>>; format?: 'JSON' | 'TEXT' },
): Promise<unknown>;
export function essenceOf(plan: unknown): Essence;
export function together(essences: readonly Essence[]): Essence;
