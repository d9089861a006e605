import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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

test('docker-compose.yml starts the server and its database, and nothing unused', () => {
  const compose = readFileSync('docker-compose.yml', 'utf8');
  const services = compose.slice(compose.indexOf('\nservices:'), compose.indexOf('\nconfigs:'));
  expect([...services.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name)).toEqual(['server', 'postgres']);
});
