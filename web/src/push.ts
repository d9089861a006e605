import { type components, HalfmoveError } from '../../packages/client/src/client.js';
import { PUSH_KEPT } from './place.js';
import { halfmove } from './session.js';

/** Push in this browser: what its push service gives for the service worker (web/worker), and who wanted it. */

type Settings = components['schemas']['NewsSettings'];

const WORKER = '/push-worker.js';
const KEY = PUSH_KEPT;

/** TypeScript does not know trusted types yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(url: string): string };
}

/** The only script that pages may name by its address is the worker. */
const policy = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'halfmove',
  {
    createScriptURL: () => WORKER,
  },
);

/** Who wanted push in this browser, and what the server knows of it. */
interface Wanted {
  readonly username: string;
  readonly endpoint: string;
}

function wanted(): Wanted | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Wanted | null;
  } catch {
    return null;
  }
}

/** Only secure contexts have service workers, and iPhones have push only in pages of the home screen. */
export const isPushPossible = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function isFor(key: string, { options: { applicationServerKey } }: PushSubscription): boolean {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer());
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key;
}

/** A subscription for the key of the server that nobody else has used. */
async function subscribed(username: string, key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  const isOwn = (wanted()?.username ?? username) === username;
  if (before !== null && isOwn && isFor(key, before)) return before;
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Where notifications are allowed. */
export async function turnOnPush(username: string, key: string): Promise<void> {
  const { endpoint = '', keys = {} } = (
    await subscribed(username, key).catch((error: Error) => {
      throw new HalfmoveError('BAD_ANSWER', `The push service of this browser refused (${error.message}). Look whether the settings of the browser allow push messages, then try again.`); // prettier-ignore
    })
  ).toJSON();
  const { p256dh = '', auth = '' } = keys;
  await halfmove.rest.POST('/v1/me/push-subscriptions', { body: { endpoint, p256dh, auth } });
  localStorage.setItem(KEY, JSON.stringify({ username, endpoint } satisfies Wanted));
}

export async function turnOffPush({ pushSubscriptions }: Settings): Promise<void> {
  for (const { id } of pushSubscriptions.filter(({ isCurrent }) => isCurrent))
    await halfmove.rest.DELETE('/v1/me/push-subscriptions/{id}', { params: { path: { id } } });
  localStorage.removeItem(KEY);
  await (await subscription())?.unsubscribe();
}

/**
 * Saves the subscription again after another sign-in of who wanted it, or when the browser has changed it: true if it did.
 * For anybody else it ends.
 */
export async function keepPush(username: string): Promise<boolean> {
  const known = wanted();
  if (known === null || !isPushPossible() || Notification.permission !== 'granted') return false;
  const current = await subscription();
  if (known.username !== username) {
    await current?.unsubscribe();
    localStorage.removeItem(KEY);
    return false;
  }
  const { data } = await halfmove.rest.GET('/v1/me/news');
  const isListed = data.pushSubscriptions.some(({ isCurrent }) => isCurrent);
  if (isListed && current?.endpoint === known.endpoint && isFor(data.pushKey, current)) return false;
  await turnOnPush(username, data.pushKey);
  return true;
}

/** Nobody is signed in: nothing more arrives, and nothing is shown any more. Who wanted it is told again when they come back. */
export async function endPush(): Promise<void> {
  if (!isPushPossible()) return;
  await (await subscription())?.unsubscribe();
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}
