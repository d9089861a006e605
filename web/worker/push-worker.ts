/** Shows what is pushed to this browser while no page of ours is open. It keeps nothing, and answers no request of a page. */

const worker = self as unknown as ServiceWorkerGlobalScope;

const ANSWER_MS = 300;

/** As the server sends it. Anything may be missing in what an older or a newer one sends. */
interface Pushed {
  /** A newer message takes the place of one with the same tag. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** The page that it is about. */
  readonly path: string;
  /** That what was shown with this tag is no longer so. */
  readonly clear: boolean;
}

const textIn = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

function jsonIn(data: PushMessageData | null): Partial<Record<keyof Pushed, unknown>> | null {
  try {
    return data!.json() as ReturnType<typeof jsonIn>;
  } catch {
    return null;
  }
}

/** Whatever comes is shown: a browser takes push away from a site that is told something and stays silent. */
function pushedIn(data: PushMessageData | null): Pushed {
  const given = jsonIn(data);
  return {
    tag: textIn(given?.tag, 'news'),
    title: textIn(given?.title, 'News of your games'),
    body: textIn(given?.body, ''),
    path: ownPath(given?.path),
    clear: given?.clear === true,
  };
}

/** The path of a page of ours; the news for an address of others. */
function ownPath(path: unknown): string {
  try {
    const { origin, pathname } = new URL(textIn(path, '/news'), worker.location.origin);
    return origin === worker.location.origin ? pathname : '/news';
  } catch {
    return '/news';
  }
}

/** The page that a tab shows, as it says itself (web/src/place.ts): its `url` is the one with which it was opened. */
function pathOf(tab: WindowClient): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(String(data));
    // It is not ours to ask, such as a reference, or still being loaded.
    setTimeout(() => resolve(new URL(tab.url).pathname), ANSWER_MS);
    tab.postMessage('path', [port2]);
  });
}

async function tabsAt(path: string): Promise<readonly WindowClient[]> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const paths = await Promise.all(tabs.map(pathOf));
  return tabs.filter((_, i) => paths[i] === path);
}

async function take({ tag, title, body, path, clear }: Pushed): Promise<void> {
  if (clear) {
    for (const shown of await worker.registration.getNotifications({ tag })) shown.close();
    return;
  }
  const isSeen = (await tabsAt(path)).some(({ visibilityState }) => visibilityState === 'visible');
  if (isSeen) return;
  // TypeScript does not know `renotify` yet.
  const options = { body, tag, renotify: true, data: path };
  await worker.registration.showNotification(title, options);
}

async function open(path: string): Promise<void> {
  const [tab] = await tabsAt(path);
  await (tab === undefined ? worker.clients.openWindow(path) : tab.focus());
}

// It has nothing to do with what pages have loaded, so that a new one need not wait for them to be closed.
worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('push', (event) => event.waitUntil(take(pushedIn(event.data))));

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(ownPath(event.notification.data)));
});
