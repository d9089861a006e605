import { signal } from '@preact/signals';

/** Which page is shown: the path of the address. */
export const path = signal(location.pathname);

/** The secret behind the `#` of a link that was mailed. It leaves the address at once, and so the history. */
export const secret = signal('');

function arrive(): void {
  // An address without one that was open already tells nothing: the secret has just been taken from it.
  if (location.hash !== '') secret.value = location.hash.slice(1);
  else if (path.value !== location.pathname) secret.value = '';
  path.value = location.pathname;
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
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
    go(link.pathname + link.hash);
  });
}
