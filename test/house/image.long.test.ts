import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseVerifierKey, verifyNote } from '../../src/fairness/note.js';
import { FakeLog } from '../support/fake-log.js';

/** What the image holds, laid out as the Dockerfile copies it: the operator's commands of docs/operating.md run there. */
// Long: it starts programs.

const dockerfile = readFileSync('Dockerfile', 'utf8');
const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> })
  .scripts;

/** What the last stage copies, and where to. */
const copied = [
  ...dockerfile.slice(dockerfile.lastIndexOf('FROM ')).matchAll(/^COPY (?:--from=build )?(\S+) (\S+)$/gm),
].map(([, from, to]) => ({ from: from!.replace(/^\/app\//, ''), to: to! }));

const documented = ['docs/operating.md', 'docs/playing.md'].map((path) => readFileSync(path, 'utf8')).join();

const OPERATORS = ['adjudicate', 'db:export', 'db:import', 'explorer:rebuild', 'verify'];

let image: string;
beforeAll(() => {
  image = mkdtempSync(join(tmpdir(), 'halfmove-image-'));
  for (const { from, to } of copied) {
    const target = to.endsWith('/') && !from.includes('/') ? join(image, from) : join(image, to);
    if (from === 'node_modules') symlinkSync(resolve(from), target);
    else cpSync(from, target, { recursive: true });
  }
});
afterAll(() => rmSync(image, { recursive: true }));

test('the image holds no sources and no tests', () => {
  expect(copied.length).toBeGreaterThan(3);
  expect(['src', 'test', '.env'].filter((name) => existsSync(join(image, name)))).toEqual([]);
});

test('the image holds the examples that GraphiQL lists', () => {
  expect(readdirSync(join(image, 'examples'))).toEqual(readdirSync('examples'));
});

test.each(OPERATORS)('npm run %s prints its usage', (name) => {
  expect(documented).toContain(`npm run ${name === 'verify' ? '-s verify' : name}`);
  const [program, ...args] = scripts[name]!.split(' ');
  expect(program).toBe('node');
  // Too many arguments: each command prints its usage, and changes nothing.
  const { stderr, stdout, status } = spawnSync(process.execPath, [...args, 'a', 'b', 'c', 'd'], {
    cwd: image,
    env: { PATH: process.env['PATH'], DATA_DIR: join(image, 'data') },
    encoding: 'utf8',
  });
  expect([name, status, `${stderr}${stdout}`]).toEqual([
    name,
    expect.any(Number),
    expect.stringMatching(/usage: /i),
  ]);
  expect(existsSync(join(image, 'data', 'db'))).toBe(false);
});

test('the image has the version of Node that CI starts the server with', () => {
  const major = /FROM node:(\d+)-slim\n/.exec(dockerfile)![1]!;
  expect(readFileSync('.ci/run', 'utf8')).toMatch(new RegExp(`\nNODES=.*\\b${major}\\b`));
});

const compose = readFileSync('docker-compose.yml', 'utf8');

test('docker-compose.yml starts the server and its database, and a witness where its profile is asked for', () => {
  const services = compose.slice(compose.indexOf('\nservices:'), compose.indexOf('\nconfigs:'));
  const described = services.split(/^ {2}(?=\w+:$)/m).slice(1);
  const profiles = described.map((each) => [/^\w+/.exec(each)![0], /^ {4}profiles: (.*)$/m.exec(each)?.[1]]);
  expect(profiles).toEqual([
    ['server', undefined],
    ['witness', '[witness]'],
    ['postgres', undefined],
  ]);
});

/** The command of the witness in docker-compose.yml, with what .env sets. */
function witnessCommand(set: Readonly<Record<string, string>>): readonly string[] {
  const [, listed] = /^ {2}witness:$[^]*?^ {4}command:\n((?: {6}- .*\n)+)/m.exec(compose)!;
  return listed!
    .trim()
    .split('\n')
    .map((line) => line.replace(/^ *- /, ''))
    .map((part) =>
      part.replace(/\$\{(\w+):-(.*)\}/, (_, name: string, byDefault: string) => set[name] ?? byDefault),
    )
    .map((part) => part.replace('/data/', `${image}/data/`).replace(/^--port=.*/, '--port=0'));
}

test('the witness of docker-compose.yml serves the cosigned checkpoint and its key', async () => {
  const log = new FakeLog().grow(3);
  mkdirSync(join(image, 'data'), { recursive: true });
  const [program, ...args] = witnessCommand({
    WITNESS_OF: await log.start(),
    WITNESS_NAME: 'a.test/witness',
  });
  expect(program).toBe('node');
  const child = spawn(process.execPath, args, { cwd: image, env: { PATH: process.env['PATH'] } });
  try {
    const port = await new Promise<string>((resolve) => {
      child.stderr.on('data', (told: Buffer) => {
        const [, found] = /on port (\d+)/.exec(told.toString()) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const served = async (path: string) => (await fetch(`http://127.0.0.1:${port}/${path}`)).text();
    const key = parseVerifierKey((await served('key')).trim(), 'witness');
    expect(key).toMatchObject({ ok: true, value: { name: 'a.test/witness' } });
    const verdict = await verifyNote(await served('checkpoint'), key.ok ? [key.value] : []);
    expect(verdict.outcome).toBe('valid');
    expect(await served('witness.json')).toMatch(/^A witness has \/checkpoint/);
  } finally {
    child.kill();
    log.stop();
  }
});

test('the witness of docker-compose.yml says what is missing without WITNESS_OF', () => {
  const { stderr, status } = spawnSync(process.execPath, witnessCommand({}).slice(1), {
    cwd: image,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^ADDRESS must look like https/)]);
});
