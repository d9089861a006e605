import { randomUUID } from 'node:crypto';
import { restApi } from './api.js';
import type { Session } from './operations/accounts.js';
import { type Http, must } from './transport.js';

/** A user registered for a test. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly authorization: string;
  readonly refreshToken: string;
}

export const PASSWORD = 'correct horse battery';

export const bearer = ({ accessToken }: Session) => ({ authorization: `Bearer ${accessToken}` });

export async function register(http: Http, name: string): Promise<Person> {
  const username = `${name}-${randomUUID().slice(0, 8)}`;
  const session = must(await restApi(http).register(null, { username, password: PASSWORD }));
  return { id: session.user.id, username, ...bearer(session), refreshToken: session.refreshToken };
}

/** The same user with a new token, for tests in which much time passes. */
export async function renewed(http: Http, person: Person): Promise<Person> {
  const session = must(await restApi(http).refresh(null, person.refreshToken));
  return { ...person, refreshToken: session.refreshToken, ...bearer(session) };
}
