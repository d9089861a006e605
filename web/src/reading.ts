import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { faultOf } from './form.js';

type Read<T> = readonly [value: Signal<T | null>, again: () => Promise<void>, trouble: Signal<string | null>];

/** What is read once and after each change, null until then; and why the first reading failed. */
export function useRead<T>(read: () => Promise<T>): Read<T> {
  const value = useSignal<T | null>(null);
  const trouble = useSignal<string | null>(null);
  const again = async () => {
    value.value = await read();
  };
  useEffect(() => void again().catch((error) => (trouble.value = faultOf(error).message)), []);
  return [value, again, trouble];
}

export const day = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
