import { randomUUID } from 'node:crypto';
import { graphqlAccounts, restAccounts, type Accounts } from '../support/accounts.js';
import { startServer, type TestServer } from '../support/server.js';

const PASSWORD = 'correct horse battery';
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.close());

async function codesOfLogins(
  accounts: Accounts,
  username: string,
  passwords: readonly string[],
): Promise<string[]> {
  const codes: string[] = [];
  for (const password of passwords) {
    codes.push((await accounts.login({ username, password })).refusal?.code ?? 'ok');
  }
  return codes;
}

const wrong = (count: number): string[] => Array.from({ length: count }, (_, n) => `a wrong guess ${n}`);

test('after ten wrong passwords not even the right one is tried for a while', async () => {
  const username = `ann-${randomUUID().slice(0, 8)}`;
  await restAccounts(server.http).register({ username, password: PASSWORD });
  const codes = await codesOfLogins(restAccounts(server.http), username, [...wrong(11), PASSWORD]);
  expect(codes).toEqual([...Array<string>(10).fill('INVALID_CREDENTIALS'), 'RATE_LIMITED', 'RATE_LIMITED']);
  const overGraphql = await codesOfLogins(graphqlAccounts(server.http), username, [PASSWORD]);
  expect(overGraphql).toEqual(['RATE_LIMITED']);
});

test('a right password in time starts the count anew', async () => {
  const username = `ben-${randomUUID().slice(0, 8)}`;
  await restAccounts(server.http).register({ username, password: PASSWORD });
  const codes = await codesOfLogins(restAccounts(server.http), username, [
    ...wrong(9),
    PASSWORD,
    ...wrong(2),
    PASSWORD,
  ]);
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toEqual([]);
  expect(codes.at(-1)).toBe('ok');
});

test('a name that does not exist is limited in the same way', async () => {
  const codes = await codesOfLogins(
    restAccounts(server.http),
    `nobody-${randomUUID().slice(0, 8)}`,
    wrong(11),
  );
  expect(codes.at(-1)).toBe('RATE_LIMITED');
});
