import { Store, useStore } from '../../packages/elements/src/store.js';

/** Which page is shown: the path of the address. */
export const path = new Store(location.pathname);

/** The parts of the path: of `/games/ID` they are `games` and `ID`. */
export const useWays = (): readonly string[] => useStore(path).split('/').slice(1);

/** What the page is headed, where that depends on what it shows, as the server knew at first; null for what it always is. */
export const heading = new Store<string | null | undefined>(document.querySelector('h1')?.textContent);

/** The secret behind the `#` of a link. One that was mailed leaves the address at once, and so the history. */
export const secret = new Store('');

function arrive(): void {
  // An address without one that was open already tells nothing: the secret has just been taken from it.
  if (location.hash !== '') secret.value = location.hash.slice(1);
  else if (path.value !== location.pathname) secret.value = '';
  if (path.value !== location.pathname) heading.value = null;
  path.value = location.pathname;
  // An invitation can be opened again; it is for whoever has it.
  if (location.hash !== '' && !location.pathname.startsWith('/challenges/'))
    history.replaceState(null, '', location.pathname);
}

/** Shows another page of ours. */
export function go(to: string): void {
  history.pushState(null, '', to);
  arrive();
  scrollTo(0, 0);
}

/** Follows links among our own pages without loading them. */
export function startRouter(isOurs: (path: string) => boolean): void {
  arrive();
  addEventListener('popstate', arrive);
  addEventListener('hashchange', arrive);
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || link.origin !== location.origin || !isOurs(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
