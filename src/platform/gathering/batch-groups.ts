import { batch } from './batch.js';
import type { Range } from '../contract/page.js';

/** How many rows of a list are requested, and from which end. */
export type Extent = Pick<Range<unknown>, 'limit' | 'fromEnd'>;

/**
 * Reads a page of one of many lists. Requests of the same tick with the same size and end are read by one call, which
 * returns the results in the same order.
 */
export const batchGroups = <Asked extends Extent, Found>(
  read: (alike: readonly Asked[], extent: Extent) => Promise<readonly Found[]>,
): ((one: Asked) => Promise<Found>) =>
  batch(async (asked: readonly Asked[]) => {
    const found = new Map<Asked, Found>();
    await Promise.all(
      [...new Set(asked.map(kindOf))].map(async (kind) => {
        const alike = asked.filter((one) => kindOf(one) === kind);
        const rows = await read(alike, alike[0]!);
        alike.forEach((one, i) => found.set(one, rows[i]!));
      }),
    );
    return asked.map((one) => found.get(one)!);
  });

const kindOf = ({ limit, fromEnd }: Extent): string => `${limit} ${fromEnd}`;
