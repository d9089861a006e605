import { rowHash, type ChainedRow } from '../../src/fairness/chain.js';
import type { Outcome } from '../../src/rules/ruleset.js';
import type { Event } from './api-types.js';

/** A record, as the API returns it. */
export interface ChainRecord {
  readonly format: number;
  readonly id: string;
  readonly players: unknown;
  readonly outcome: Outcome | null;
  readonly serverSeed: string | null;
  readonly rows: readonly ChainedRow[];
}

/**
 * The types of its rows with their versions, after checking that each row contains the hash of the one before
 * it.
 */
export function chainOf({ id, rows }: ChainRecord): readonly (readonly [number, string])[] {
  let before: ChainedRow | null = null;
  for (const row of rows) {
    expect([row.previousHash, row.seq >= (before?.seq ?? 0)]).toEqual([before?.hash ?? null, true]);
    const { seq, type, player, data, at } = row;
    expect(rowHash(id, { seq, type, player, data, at }, row.previousHash)).toBe(row.hash);
    before = row;
  }
  return rows.map(({ seq, type }) => [seq, type]);
}

/** Events without their place in the chain, because events that are shown but not stored yet have none. */
export const unchained = (events: readonly Event[]) =>
  events.map(({ hash: _, previousHash: __, ...event }) => event);

/** The plies of a record, including those that were taken back. */
export const pliesOf = ({ rows }: ChainRecord): readonly ChainedRow[] =>
  rows.filter(({ type }) => type === 'ply');
