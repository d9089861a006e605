import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build, type BuildOptions } from 'esbuild';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Json } from '../support/transport.js';

/** The client as others have it: packed, installed into an empty folder, in TypeScript, and in a browser. */
// Long: it starts programs.

const PACKAGE = 'packages/client';
const MOST_PACKAGES = 6;
const MOST_BYTES = 2_000_000;

const json = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'));

let server: TestServer;
let project: string;

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8' });
}

beforeAll(async () => {
  server = await sharedServer();
  project = mkdtempSync(join(tmpdir(), 'halfmove-client-'));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const [{ filename }] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', project], PACKAGE),
  );
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`], project);
}, 120_000);
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await server.close();
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

it('needs few packages and few bytes', () => {
  const packages = npm(['query', '*'], project);
  // One of them is the project.
  expect(JSON.parse(packages).length - 1).toBeLessThanOrEqual(MOST_PACKAGES);
  const bytes = filesIn(join(project, 'node_modules')).reduce((sum, path) => sum + statSync(path).size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

it('consists of one file of code and one of types for each entry, and of what is read later', () => {
  const installed = join(project, 'node_modules/@halfmove/client');
  const files = filesIn(installed).map((path) => path.slice(installed.length + 1));
  const isLater = (path: string) => path.startsWith('dist/proof/');
  expect(files.filter(isLater).every((path) => /^dist\/proof\/(?:chunk|keeper|requests|verify)-\w+\.js$/.test(path))).toBe(true); // prettier-ignore
  expect(files.filter((path) => !isLater(path)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/client.d.ts',
    'dist/client.js',
    'dist/server.d.ts',
    'dist/server.js',
    'dist/settings.d.ts',
    'dist/settings.js',
    'package.json',
  ]);
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
});

it('has the version of the server, and the dependencies that the demo of the image runs with', () => {
  const [client, root] = [json(join(PACKAGE, 'package.json')), json('package.json')];
  const { version, license, engines, dependencies } = client;
  expect({ version, license, engines }).toEqual({
    version: root.version,
    license: root.license,
    engines: root.engines,
  });
  for (const [name, range] of Object.entries(dependencies)) expect(range).toBe(`^${root.dependencies[name]}`);
});

it('exports the types that it promises, and no others', async () => {
  cpSync('test/client/outside', join(project, 'outside'), { recursive: true });
  const args = [resolve('node_modules/typescript/bin/tsc'), '-p', 'outside'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

/** The browser APIs that the client may use. */
const BROWSER = {
  ...{
    AbortController,
    AbortSignal,
    FormData,
    Headers,
    Request,
    Response,
    TextDecoder,
    URL,
    URLSearchParams,
  },
  ...{ clearTimeout, crypto, fetch, setTimeout },
};

it('runs in a browser with only two small packages', async () => {
  const asked = {
    absWorkingDir: project,
    entryPoints: ['@halfmove/client'],
    bundle: true,
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
  } as const satisfies BuildOptions;
  const { outputFiles, metafile } = await build({ ...asked, format: 'iife', globalName: 'client' });
  const split = await build({ ...asked, format: 'esm', splitting: true, outdir: 'out', entryNames: 'first' });
  const packages = Object.keys(metafile.inputs).map(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
  );
  expect([...new Set(packages)].sort()).toEqual(['@halfmove/client', 'eventsource-parser', 'openapi-fetch']);
  const first = split.outputFiles.find(({ path }) => path.endsWith('/first.js'))!;
  expect(first.contents.length).toBeLessThan(40_000);
  const { createClient, operations } = runInContext(
    `${outputFiles[0]!.text}; client`,
    createContext({ ...BROWSER }),
  );
  const halfmove = createClient({ url: server.url });
  const { rulesets } = await halfmove.graphql(operations.rulesets);
  const rest = await halfmove.rest.GET('/v1/rulesets');
  expect(rest.data.items.map(({ id }: Json) => id)).toEqual(rulesets.map(({ id }: Json) => id));
});

it('refuses to be bundled for a browser with what holds a secret', async () => {
  const bundle = (platform: 'browser' | 'node') =>
    build({
      ...{ absWorkingDir: project, entryPoints: ['@halfmove/client/server'] },
      ...{ bundle: true, format: 'esm', write: false, logLevel: 'silent', platform },
    });
  await expect(bundle('browser')).rejects.toThrow(/@halfmove\/client\/server/);
  expect((await bundle('node')).errors).toEqual([]);
});

/** Those that act as an application are run by recipes.long.test.ts. */
const EXAMPLES = readdirSync(join(PACKAGE, 'examples')).filter(
  (file) => !readFileSync(join(PACKAGE, 'examples', file), 'utf8').includes('@halfmove/client/server'),
);

it.each(EXAMPLES)('runs the example %s', async (file) => {
  cpSync(join(PACKAGE, 'examples', file), join(project, file));
  const { stdout } = await promisify(execFile)(process.execPath, [file, server.url], { cwd: project });
  expect(stdout.trim().split('\n').at(-1)).toMatch(/^(SECOND wins by CHECKMATE\.|profileChanged at .*)$/);
});
