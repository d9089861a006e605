/** Tells the service worker (web/worker) which page this tab shows. Only secure contexts have one. */

const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };

serviceWorker?.addEventListener('message', ({ ports }) => ports[0]?.postMessage(location.pathname));
serviceWorker?.startMessages();

/** What is kept in the browser of who wants push (push.ts). */
export const PUSH_KEPT = 'halfmove-push';
