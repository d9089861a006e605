import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

/** The colours of boards: those of the reader's system, unless the page has chosen. */

export type Theme = 'light' | 'dark' | 'auto';

export const ChosenTheme = createContext<Theme>('auto');

const dark = matchMedia('(prefers-color-scheme: dark)');

export function useTheme(): 'light' | 'dark' {
  const chosen = useContext(ChosenTheme);
  const [isDark, setIsDark] = useState(dark.matches);
  useEffect(() => {
    const change = () => setIsDark(dark.matches);
    dark.addEventListener('change', change);
    return () => dark.removeEventListener('change', change);
  }, []);
  if (chosen !== 'auto') return chosen;
  return isDark ? 'dark' : 'light';
}
