import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that several components show. */
export class Store<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    if (next === this.current) return;
    this.current = next;
    for (const listener of this.listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/** The value of a store; the component is drawn anew when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, draw] = useState({});
  useLayoutEffect(() => store.subscribe(() => draw({})), [store]);
  return store.value;
}
