import { gather } from './gather.js';
import type { Range } from './page.js';

/** How much of a list is asked for, whatever its keys. */
export type Extent = Pick<Range<unknown>, 'limit' | 'fromEnd'>;

/**
 * Reads a stretch of one of many lists: of all that are asked for in the same moment those that want as much from the
 * same end are read by one call, which answers in the order of the asking.
 */
export const gatherAlike = <Asked extends Extent, Found>(
  read: (alike: readonly Asked[], extent: Extent) => Promise<readonly Found[]>,
): ((one: Asked) => Promise<Found>) =>
  gather(async (asked: readonly Asked[]) => {
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
