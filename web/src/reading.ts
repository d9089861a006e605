import { useEffect, useState } from 'preact/hooks';
import { faultOf } from './form.js';

type Read<T> = readonly [
  value: T | null,
  again: () => Promise<void>,
  trouble: string | null,
  replace: (value: T) => void,
];

/** What is read once and after each change, null until then; and why the first reading failed. */
export function useRead<T>(read: () => Promise<T>): Read<T> {
  const [value, setValue] = useState<T | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const again = async () => {
    setValue(await read());
  };
  useEffect(() => void again().catch((error) => setTrouble(faultOf(error).message)), []);
  return [value, again, trouble, setValue];
}

export const day = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
