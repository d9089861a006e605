import type { components } from '../../packages/client/src/client.js';
import { Store } from '../../packages/elements/src/store.js';
import { halfmove } from './session.js';

/** What the server says of itself; null until it has answered. */
export const server = new Store<components['schemas']['Server'] | null>(null);

halfmove.rest.GET('/v1').then(
  ({ data }) => (server.value = data),
  // Only the links at the foot of the page are missing then.
  () => undefined,
);
