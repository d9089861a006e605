/** A read that takes longer does not hold up the next one. */
const SLOW_MS = 100;

/** The reads of one question. */
interface Reads<Found> {
  readonly beganAt: number;
  readonly done: Promise<void>;
  /** The read that begins when the one under way is done, for all who have asked meanwhile. */
  next: Promise<Found> | null;
}

/**
 * Shares reads of the same question, across requests: those who ask while one is under way get the next one, which
 * begins after all of them. `name` is equal for equal questions; nothing is kept. What is found must not be changed.
 */
export function shared<Asked, Found>(
  read: (asked: Asked) => Promise<Found>,
  name: (asked: Asked) => string,
): (asked: Asked) => Promise<Found> {
  const underWay = new Map<string, Reads<Found>>();
  const begin = (key: string, asked: Asked): Promise<Found> => {
    const found = read(asked);
    const done = found.then(forget, forget);
    const reads: Reads<Found> = { beganAt: Date.now(), next: null, done };
    function forget(): void {
      // The next one replaces it when it begins.
      if (reads.next === null && underWay.get(key) === reads) underWay.delete(key);
    }
    underWay.set(key, reads);
    return found;
  };
  return (asked) => {
    const key = name(asked);
    const reads = underWay.get(key);
    if (reads === undefined || Date.now() - reads.beganAt > SLOW_MS) return begin(key, asked);
    return (reads.next ??= reads.done.then(() => begin(key, asked)));
  };
}
