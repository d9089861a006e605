import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** What is read once and after each change; null until then. */
export function useRead<T>(read: () => Promise<T>): readonly [Signal<T | null>, () => Promise<void>] {
  const value = useSignal<T | null>(null);
  const again = async () => {
    value.value = await read();
  };
  useEffect(() => void again().catch(() => undefined), []);
  return [value, again];
}

export const day = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
