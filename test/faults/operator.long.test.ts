import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { restApi } from '../support/api.js';
import { freshPlace, type Place } from '../support/databases.js';
import { register } from '../support/people.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import { must } from '../support/transport.js';

/** The programs of the operator, beside a running server with an embedded database and without one. */
// Long: it starts programs.

let place: Place;
let server: ServerProcess;
const settings = () => ({ DATA_DIR: place.dataDir });
beforeAll(async () => {
  place = await freshPlace();
  server = await startServerProcess(settings());
});
afterAll(async () => {
  await endAllServers();
  await place.remove();
});

const NEW_PASSWORD = 'another horse and another battery';

function program(name: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { PATH } = process.env;
  return spawnSync(process.execPath, [`dist/cli/${name}.js`, ...args], {
    env: { PATH, ...settings() },
    encoding: 'utf8',
  });
}

const secretIn = ({ stdout }: { stdout: string }): string =>
  /^http:\/\/localhost:\d+\/recover#([\w-]{43})\n$/.exec(stdout)![1]!;

test('a link for a new password is made beside the running server, and works once', async () => {
  const ann = await register(server.url, 'ann');
  const secret = secretIn(program('recovery', ann.username));
  const api = restApi(server.url);
  must(await api.completeRecovery(null, secret, NEW_PASSWORD));
  must(await api.login(null, { username: ann.username, password: NEW_PASSWORD }));
  expect((await api.completeRecovery(null, secret, NEW_PASSWORD)).refusal!.code).toBe('INVALID_LINK');
});

test('a refusal is told in words', () => {
  expect(program('recovery', 'nobody')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'The user "nobody" was not found.\n',
  });
  expect(program('recovery')).toMatchObject({ status: 2 });
});

test('an application is registered for a person, suspended, and goes on with another owner', async () => {
  const [ann, ben] = [await register(server.url, 'ann'), await register(server.url, 'ben')];
  const site = ['register', ann.username, 'Springfield Chess Club', 'https://chess.example.org'] as const;
  const { stdout } = program('application', ...site);
  const [, id, secret] = /^client_id=([\w-]{36})\nclient_secret=([\w-]{43})\n$/.exec(stdout)!;
  const api = restApi(server.url);
  const codeOfToken = async () => (await api.createApplicationToken(null, id!, secret!)).refusal?.code;
  expect(await codeOfToken()).toBeUndefined();
  expect(program('application', 'suspend', id!).stdout).toBe(`The application ${id} is suspended.\n`);
  expect(await codeOfToken()).toBe('INVALID_CLIENT');
  expect(program('application', 'owner', id!, ben.username).status).toBe(0);
  expect(must(await api.myApplications(ben)).map((one) => one.suspended)).toEqual([true]);
  program('application', 'resume', id!);
  expect(await codeOfToken()).toBeUndefined();
  const absent = `There is no application with the id "${ann.username}".\n`;
  expect(program('application', 'suspend', ann.username)).toMatchObject({ status: 1, stderr: absent });
  expect(program('application', 'owner', ann.username, id!).status).toBe(1);
  expect(program('application', 'register', ann.username)).toMatchObject({ status: 2 });
  expect(program('application', 'delete', id!)).toMatchObject({ status: 2 });
}, 60_000);

test('nobody else may enter the folder of the socket', () => {
  expect(statSync(join(place.dataDir, 'operator')).mode & 0o777).toBe(0o700);
});

test('without a server, and with one that was killed, the program opens the database itself', async () => {
  const ben = await register(server.url, 'ben');
  await server.end('SIGKILL');
  const secret = secretIn(program('recovery', ben.username));
  server = await startServerProcess(settings());
  must(await restApi(server.url).completeRecovery(null, secret, NEW_PASSWORD));
  // The socket of the killed server is no hindrance.
  expect(program('recovery', ben.username).status).toBe(0);
}, 60_000);
