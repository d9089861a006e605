/** A read that takes longer does not hold up the next one. */
const SLOW_MS = 100;

/** A read under way. */
interface Reading<Found> {
  /** Fulfilled when it is done, or slow. */
  readonly passed: Promise<void>;
  /** The read that begins then, for all who have asked meanwhile. */
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
  const underWay = new Map<string, Reading<Found>>();
  const begin = (key: string, asked: Asked): Promise<Found> => {
    const found = read(asked);
    const reading: Reading<Found> = { passed: doneOrSlow(found).then(forget), next: null };
    function forget(): void {
      // The next one replaces it when it begins.
      if (reading.next === null) underWay.delete(key);
    }
    underWay.set(key, reading);
    return found;
  };
  return (asked) => {
    const key = name(asked);
    const reading = underWay.get(key);
    if (reading === undefined) return begin(key, asked);
    return (reading.next ??= reading.passed.then(() => begin(key, asked)));
  };
}

const doneOrSlow = (found: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS).unref();
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    found.then(done, done);
  });
