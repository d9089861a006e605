import { createClient, HalfmoveError, type Halfmove } from '../../packages/client/src/client.js';
import { registerClient } from '../support/clients.js';
import { PASSWORD } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** What the error of a GraphQL document with several fields holds. */

let server: TestServer;
let halfmove: Halfmove;
let username: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ halfmove, username } = await registerClient(server.url, 'ann'));
});
afterAll(() => server.close());

async function errorOf(call: Promise<unknown>): Promise<HalfmoveError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HalfmoveError);
  return error as HalfmoveError;
}

const registering = (alias: string, name: string) =>
  `${alias}: register(input: { username: "${name}", password: "${PASSWORD}" }) { session { accessToken user { username } } }`;

it('has the tokens of an account that was made, though another was refused', async () => {
  const name = `${username}-2`;
  const error = await errorOf(
    halfmove.graphql(`mutation { ${registering('one', name)} ${registering('other', name)} }`),
  );
  expect(error).toMatchObject({ code: 'USERNAME_TAKEN', details: { path: ['other'] }, others: [] });
  expect(error.data).toMatchObject({ one: { session: { user: { username: name } } }, other: null });
  const { session } = error.data!['one'] as { readonly session: { readonly accessToken: string } };
  expect(session.accessToken).toMatch(/^ey/);
});

it('has all errors, each with its path, and null if nothing succeeded', async () => {
  const missing = (alias: string) => `${alias}: statistics(username: "nobody-${alias}") { calledOff }`;
  const error = await errorOf(halfmove.graphql(`{ ${['a', 'b', 'c'].map(missing).join(' ')} }`));
  expect([error, ...error.others].map(({ code, field, details }) => [code, field, details.path])).toEqual(
    ['a', 'b', 'c'].map((alias) => ['NOT_FOUND', 'username', [alias]]),
  );
  expect(error.data).toEqual({ a: null, b: null, c: null });
  const refused = await errorOf(halfmove.graphql('{ nothing }'));
  expect([refused.code, refused.data]).toEqual(['GRAPHQL_VALIDATION_FAILED', null]);
  const overRest = await errorOf(halfmove.rest.GET('/v1/users/{username}', { params: { path: { username: 'nobody' } } })); // prettier-ignore
  expect([overRest.code, overRest.field, overRest.data]).toEqual(['NOT_FOUND', 'username', null]);
});

it('is thrown at once if another field had an effect, since a fresh token would repeat it', async () => {
  const name = `${username}-3`;
  const stale = createClient({ url: server.url, session: { ...halfmove.session!, accessToken: 'expired' } });
  const profile = 'updateProfile(input: { displayName: "Ann Again" }) { user { id } }';
  const error = await errorOf(stale.graphql(`mutation { ${registering('made', name)} ${profile} }`));
  expect(error).toMatchObject({ code: 'UNAUTHENTICATED', details: { path: ['updateProfile'] } });
  expect(error.data).toMatchObject({ made: { session: { user: { username: name } } } });
  // Nothing had an effect: sent again with the new token.
  expect(await stale.graphql(`mutation { ${profile} }`)).toMatchObject({ updateProfile: { user: {} } });
});
