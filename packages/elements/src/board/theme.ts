import { useSignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';

/** The colours of boards: those of the reader's system, unless the page has chosen. */

export type Theme = 'light' | 'dark' | 'auto';

export const ChosenTheme = createContext<Theme>('auto');

const dark = matchMedia('(prefers-color-scheme: dark)');

export function useTheme(): 'light' | 'dark' {
  const chosen = useContext(ChosenTheme);
  const isDark = useSignal(dark.matches);
  useEffect(() => {
    const change = () => (isDark.value = dark.matches);
    dark.addEventListener('change', change);
    return () => dark.removeEventListener('change', change);
  }, []);
  if (chosen !== 'auto') return chosen;
  return isDark.value ? 'dark' : 'light';
}
