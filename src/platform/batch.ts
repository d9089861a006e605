import DataLoader from 'dataloader';

/** Batches reads: all items requested in the same tick are read by one call. Nothing is cached. */
export function batch<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
): (key: Key) => Promise<Value> {
  const loader = new DataLoader(read, { cache: false });
  return (key) => loader.load(key);
}

/** The same by id, each read once; `none` is the error for a missing one. */
export const batchById = <Value>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  none: (id: string) => Value | Error,
): ((id: string) => Promise<Value>) =>
  batch(async (ids: readonly string[]) => {
    const found = await read([...new Set(ids)]);
    return ids.map((id) => found.get(id) ?? none(id));
  });
