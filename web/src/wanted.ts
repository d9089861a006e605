/** The page that somebody wanted who had to sign in first, until they have. */

const KEY = 'halfmove-wanted';

export const wantPage = (): void => sessionStorage.setItem(KEY, location.pathname);

/** Where to go after the sign-in. */
export function wantedPage(): string {
  const wanted = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return wanted ?? '/account';
}
