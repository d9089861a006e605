import DataLoader from 'dataloader';

/** Reads one of many: all that are asked for in the same moment are read together, and nothing is remembered. */
export function gather<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
): (key: Key) => Promise<Value> {
  const loader = new DataLoader(read, { cache: false });
  return (key) => loader.load(key);
}

/** The same by ids, each of which is looked up once; `none` stands for what is not there. */
export const gatherById = <Value>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  none: (id: string) => Value | Error,
): ((id: string) => Promise<Value>) =>
  gather(async (ids: readonly string[]) => {
    const found = await read([...new Set(ids)]);
    return ids.map((id) => found.get(id) ?? none(id));
  });
