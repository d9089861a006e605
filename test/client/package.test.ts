import { spawnSync } from 'node:child_process';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Json } from '../support/transport.js';

/** The client as others have it: from the package, in TypeScript, and in a browser. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it('exports the types that it promises, and no others', () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'test/client/outside'],
    { encoding: 'utf8' },
  );
  expect([stdout, status]).toEqual(['', 0]);
});

it('is in the package together with what the server needs to run', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(spawnSync('npm', args, { encoding: 'utf8' }).stdout);
  const paths: string[] = files.map(({ path }: Json) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      ...['LICENSE', 'README.md', 'scripts/start.mjs', 'examples/README.md'],
      ...[
        'dist/main.js',
        'dist/.stamp',
        'dist/verify.js',
        'dist/client/client.js',
        'dist/client/client.d.ts',
      ],
      ...['dist/generated/client/graphql.d.ts', 'dist/generated/client/rest.d.ts'],
    ]),
  );
  expect(paths.filter((path) => /^prisma\/migrations\/.*\.sql$/.test(path))).not.toEqual([]);
  expect(paths.filter((path) => /^(src|test|data|node_modules)\/|tsbuildinfo/.test(path))).toEqual([]);
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
  const { outputFiles, metafile } = await build({
    entryPoints: ['dist/client/client.js'],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'client',
    minify: true,
    write: false,
    metafile: true,
  });
  const folders = Object.keys(metafile.inputs).map(
    (path) => /^(dist\/client|dist\/generated\/client|node_modules\/[^/]+)\//.exec(path)?.[1],
  );
  expect([...new Set(folders)].sort()).toEqual([
    'dist/client',
    'dist/generated/client',
    'node_modules/eventsource-parser',
    'node_modules/openapi-fetch',
  ]);
  expect(outputFiles[0]!.contents.length).toBeLessThan(40_000);
  const { createClient, operations } = runInContext(
    `${outputFiles[0]!.text}; client`,
    createContext({ ...BROWSER }),
  );
  const halfmove = createClient({ url: server.url });
  const { rulesets } = await halfmove.graphql(operations.rulesets);
  const rest = await halfmove.rest.GET('/v1/rulesets');
  expect(rest.data.items.map(({ id }: Json) => id)).toEqual(rulesets.map(({ id }: Json) => id));
});

const EXAMPLES = readdirSync('examples/client');

it.each(EXAMPLES)('runs the example %s', async (file) => {
  const args = [`examples/client/${file}`, server.url];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split('\n').at(-1)).toMatch(/^(SECOND wins by CHECKMATE\.|profileChanged at .*)$/);
});
