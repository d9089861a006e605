import { randomUUID } from 'node:crypto';
import {
  createClient,
  operations,
  type ClientOptions,
  type Halfmove,
} from '../../packages/client/src/client.js';
import { PASSWORD } from './people.js';

/** Users of the typed client. */

/** Retry quickly, because a test waits for it. */
export const SOON = { backoffMs: 10 };

export interface ClientUser {
  readonly halfmove: Halfmove;
  readonly username: string;
}

export async function registerClient(
  url: string,
  name: string,
  options: Partial<ClientOptions> = {},
): Promise<ClientUser> {
  const halfmove = createClient({ url, ...SOON, ...options });
  const username = `${name}-${randomUUID().slice(0, 8)}`;
  await halfmove.register({ username, password: PASSWORD });
  return { halfmove, username };
}

/** The id of a new chess game that the first client has created. */
export async function beginGame(first: ClientUser, second: ClientUser): Promise<string> {
  const { createChallenge } = await first.halfmove.graphql(operations.createChallenge, {
    input: {
      ruleset: 'chess',
      opponent: { username: second.username },
      seat: 'FIRST',
      timeControl: { none: {} },
    },
  });
  const { id } = createChallenge.challenge;
  await second.halfmove.graphql(operations.acceptChallenge, { input: { id } });
  return id;
}
