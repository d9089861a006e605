import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { withLock } from './lock.mjs';
import { UserError, checkTools, inRoot, isProgram, main, root, runNode, runTool } from './support.mjs';

/**
 * Builds the generated folders (the database client, the types of the APIs, and packages/client), then dist/ from src/, with
 * the verifier and the pages for browsers. Does nothing if nothing has changed since the last successful build. A stamp has
 * a digest of the sources and is written last, so that an incomplete build has none.
 *
 *   node scripts/build.mjs               the generated folders and dist/
 *   node scripts/build.mjs --generated   the generated folders only, as lint and type checks need them
 */

const API_TYPES = {
  folder: 'packages/client/src/generated',
  file: 'keyed.ts',
  sources: [
    'schema.graphql',
    'openapi.json',
    'packages/client/src/operations.graphql',
    'scripts/client-types.mjs',
    'package-lock.json',
    ...['src/arbiter', 'src/fairness', 'src/rules'],
  ],
  make: makeApiTypes,
};
/** The generated folders in the order of making, each with the file written last, its sources, and what makes it. */
const GENERATED = [
  {
    folder: 'src/generated/prisma',
    file: 'client.ts',
    sources: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
    make: makeDatabaseClient,
  },
  API_TYPES,
  {
    folder: 'packages/client/dist',
    file: 'settings.d.ts',
    sources: [
      ...API_TYPES.sources,
      'packages/client/src',
      'packages/client/package.json',
      'packages/client/tsconfig.json',
      'tsconfig.json',
    ],
    make: makeClient,
  },
];
const STAMP = 'dist/.stamp';
/** The game verifier as one ES module for browsers. */
const VERIFIER = 'dist/verify.js';
const LIBRARY = 'src/fairness/library.ts';
/** The files that make pages: each becomes a file of its own, with what it imports. */
const BROWSER = 'src/pages/browser';
const BROWSER_DIST = 'dist/pages/browser';
const BROWSER_FILES = [
  'docs/page.html',
  'docs/page.css',
  'docs/start.ts',
  'graphiql/page.html',
  'graphiql/page.css',
  'graphiql/start.ts',
  'verify/page.html',
  'verify/page.css',
  'verify/page.ts',
];
/** What pages load, by its name in their HTML. */
const PAGE_ASSETS = {
  react: 'node_modules/react/umd/react.production.min.js',
  reactDom: 'node_modules/react-dom/umd/react-dom.production.min.js',
  graphiql: 'node_modules/graphiql/graphiql.min.js',
  graphiqlStyle: 'node_modules/graphiql/graphiql.min.css',
  graphiqlStart: `${BROWSER_DIST}/graphiql/start.js`,
  graphiqlPageStyle: `${BROWSER_DIST}/graphiql/page.css`,
  swaggerUi: 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  swaggerUiStyle: 'node_modules/swagger-ui-dist/swagger-ui.css',
  docsStart: `${BROWSER_DIST}/docs/start.js`,
  docsPageStyle: `${BROWSER_DIST}/docs/page.css`,
  verify: `${BROWSER_DIST}/verify/page.js`,
  verifyStyle: `${BROWSER_DIST}/verify/page.css`,
};
/** The packages among them, whose licences go with the files. */
const PAGE_PACKAGES = [
  ...['graphiql', 'react', 'react-dom', 'swagger-ui-dist'],
  ...['preact', 'openapi-fetch', 'eventsource-parser'],
  'uqr',
];
/** The pages for people, made by Vite of web/, and where it puts them. */
const WEB = 'web/vite.config.mjs';
const WEB_DIST = 'dist/web';
/** The service worker, a file of its own: it shares nothing with the pages. */
const PUSH_WORKER = { source: 'web/worker/push-worker.ts', file: `${WEB_DIST}/push-worker.js` };
/** The elements for the pages of others, as one file: served by us, and what their package holds. */
const ELEMENTS = 'packages/elements/vite.config.mjs';
const ELEMENTS_FILE = 'packages/elements/dist/halfmove.js';
/** What has an address of its own. */
const FILES = [VERIFIER, ELEMENTS_FILE, PUSH_WORKER.file, 'openapi.json', 'schema.graphql'];
/** All of it as it is sent: plain, as gzip and as brotli. src/pages/assets.ts serves it. */
const SERVED = 'dist/pages/served';
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const SOURCES = [
  'src',
  'web',
  'packages/elements/src',
  'packages/elements/vite.config.mjs',
  'docs/rules',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  ...new Set(GENERATED.flatMap(({ sources }) => sources)),
];
const NOT_SOURCES = new Set(['src/generated', API_TYPES.folder]);

function* filesOf(path) {
  if (NOT_SOURCES.has(path) || !existsSync(inRoot(path))) return;
  if (!statSync(inRoot(path)).isDirectory()) yield path;
  else for (const name of readdirSync(inRoot(path)).sort()) yield* filesOf(`${path}/${name}`);
}

function digestOf(sources) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => [...filesOf(source)])) {
    const content = readFileSync(inRoot(path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const stampOf = (path) => (existsSync(inRoot(path)) ? readFileSync(inRoot(path), 'utf8').trim() : null);

function writeStamp(path, digest) {
  const whole = inRoot(`${path}.${process.pid}`);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, `${digest}\n`);
  renameSync(whole, inRoot(path));
}

const stampFor = ({ folder }) => `${folder}/.stamp`;

const isFresh = (part) =>
  existsSync(inRoot(part.folder, part.file)) && stampOf(stampFor(part)) === digestOf(part.sources);

/** True in a container image, which contains the build but not the sources. */
const isShipped = () => existsSync(inRoot('dist/main.js')) && !existsSync(inRoot('src'));

const distIsFresh = () =>
  existsSync(inRoot('dist/main.js')) &&
  existsSync(inRoot(ELEMENTS_FILE)) &&
  GENERATED.every(isFresh) &&
  stampOf(STAMP) === digestOf(SOURCES);

async function run(what, path, args, env) {
  if (!existsSync(inRoot('node_modules', path))) {
    throw new UserError('The build needs the development dependencies. Run npm ci first.');
  }
  const { code, output } = await runTool(path, args, { env, capture: true });
  if (code !== 0) throw new UserError(`${output.trim()}\n\n${what} failed.`);
}

/** Removes what was generated once but is not now. */
function removeForgotten() {
  if (!existsSync(inRoot('src/generated'))) return;
  for (const name of readdirSync(inRoot('src/generated')))
    if (!GENERATED.some(({ folder }) => folder === `src/generated/${name}`))
      rmSync(inRoot('src/generated', name), { recursive: true });
}

async function generate() {
  removeForgotten();
  for (const part of GENERATED.filter((each) => !isFresh(each))) {
    const digest = digestOf(part.sources);
    rmSync(inRoot(stampFor(part)), { force: true });
    await part.make(part.folder);
    writeStamp(stampFor(part), digest);
  }
}

async function makeDatabaseClient() {
  await run('Generating the database client', 'prisma/build/index.js', ['generate', '--no-hints'], {
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  });
}

async function makeApiTypes(folder) {
  await (await import('./client-types.mjs')).makeClientTypes(folder);
}

/** What others import of the client: each entry becomes one file of code and one of types. */
const CLIENT_ENTRIES = ['client', 'server', 'settings'];

/** One entry imports another as the file that it becomes, so that both have the same classes. */
const BY_FILE = {
  name: 'by-file',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/client\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The files of the entries, which import only each other and the dependencies of the package. */
async function makeClient(folder) {
  const declarations = inRoot('.cache/client-types');
  rmSync(declarations, { recursive: true, force: true });
  rmSync(inRoot(folder), { recursive: true, force: true });
  await run('The build of the client', 'typescript/bin/tsc', [
    ...['-p', 'packages/client', '--outDir', declarations],
    ...['--noEmit', 'false', '--emitDeclarationOnly', '--noEmitOnError'],
  ]);
  // Types that are declared already are not written again.
  copyFileSync(inRoot(API_TYPES.folder, 'verify.d.ts'), join(declarations, 'generated/verify.d.ts'));
  const [{ build: bundle }, { rollup }, { dts }] = await Promise.all([
    import('esbuild'),
    import('rollup'),
    import('rollup-plugin-dts'),
  ]);
  await bundle({
    bundle: true,
    format: 'esm',
    packages: 'external',
    target: 'es2022',
    logLevel: 'error',
    // What is imported later is read later.
    ...{ splitting: true, chunkNames: 'proof/[name]-[hash]' },
    entryPoints: CLIENT_ENTRIES.map((name) => inRoot(`packages/client/src/${name}.ts`)),
    outdir: inRoot(folder),
    plugins: [BY_FILE],
  });
  for (const name of CLIENT_ENTRIES) {
    const types = await rollup({
      input: join(declarations, `${name}.d.ts`),
      external: './client.js',
      plugins: [dts()],
    });
    const paths = { [join(declarations, 'client.js')]: './client.js' };
    await types.write({ file: inRoot(folder, `${name}.d.ts`), format: 'es', paths });
    await types.close();
  }
}

/** Removes output of source files that no longer exist. */
function removeStale() {
  for (const path of [...filesOf('dist')].filter((each) => each !== VERIFIER)) {
    const source = path.replace(/^dist/, 'src').replace(/\.js(\.map)?$/, '.ts');
    if (/\.js(\.map)?$/.test(path) && !existsSync(inRoot(source))) rmSync(inRoot(path));
  }
}

const FOR_BROWSERS = {
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  logLevel: 'error',
};

/** Bundles the verifier; the "browser" field of package.json replaces the files that need Node. */
async function makeVerifier() {
  const { build: bundle } = await import('esbuild');
  await bundle({
    ...FOR_BROWSERS,
    entryPoints: [inRoot(LIBRARY)],
    outfile: inRoot(VERIFIER),
  });
}

/** Leaves the import of the verifier to the browser: people can compare the one file at this address with their own. */
const verifierByAddress = {
  name: 'verifier-by-address',
  setup({ onResolve }) {
    onResolve({ filter: /\/fairness\/library\.js$/ }, () => ({ path: '/verify.js', external: true }));
  },
};

async function makeBrowserFiles() {
  const { build: bundle } = await import('esbuild');
  rmSync(inRoot(BROWSER_DIST), { recursive: true, force: true });
  await bundle({
    ...FOR_BROWSERS,
    entryPoints: BROWSER_FILES.map((file) => inRoot(BROWSER, file)),
    outbase: inRoot(BROWSER),
    outdir: inRoot(BROWSER_DIST),
    loader: { '.html': 'copy' },
    plugins: [verifierByAddress],
  });
}

/** The names of the files of the pages hold a digest. */
async function makeWeb() {
  for (const config of [WEB, ELEMENTS])
    await run('The build of the pages', 'vite/bin/vite.js', [
      'build',
      '--config',
      config,
      '--logLevel',
      'error',
    ]);
  // After Vite, which empties its folder.
  const { build: bundle } = await import('esbuild');
  await bundle({
    ...FOR_BROWSERS,
    format: 'iife',
    entryPoints: [inRoot(PUSH_WORKER.source)],
    outfile: inRoot(PUSH_WORKER.file),
  });
}

async function writeServed(name, content) {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, BROTLI),
    promisify(gzip)(content, { level: 9 }),
  ]);
  for (const [suffix, bytes] of Object.entries({ '': content, '.br': br, '.gz': gz }))
    writeFileSync(inRoot(SERVED, `${name}${suffix}`), bytes);
}

/** JSON without the white space that is for people. */
function sentOf(path) {
  const content = readFileSync(inRoot(path));
  return path.endsWith('.json') ? Buffer.from(JSON.stringify(JSON.parse(content))) : content;
}

/** The name of an asset holds its digest, so that browsers may keep it for ever. */
function assetName(name, path, content) {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return `assets/${name}-${digest}${extname(path)}`;
}

/** Compresses what never changes, so that the server does not. */
async function makeServed() {
  rmSync(inRoot(SERVED), { recursive: true, force: true });
  mkdirSync(inRoot(SERVED, 'assets'), { recursive: true });
  const assets = Object.entries(PAGE_ASSETS).map(([name, path]) => {
    const content = readFileSync(inRoot(path));
    return { name, file: assetName(name, path, content), content };
  });
  await Promise.all([
    ...assets.map(({ file, content }) => writeServed(file, content)),
    ...readdirSync(inRoot(WEB_DIST, 'assets')).map((name) =>
      writeServed(`assets/${name}`, readFileSync(inRoot(WEB_DIST, 'assets', name))),
    ),
    ...FILES.map((path) => writeServed(basename(path), sentOf(path))),
  ]);
  const licenses = PAGE_PACKAGES.map(
    (name) => `${name}\n\n${readFileSync(inRoot('node_modules', name, 'LICENSE'), 'utf8')}`,
  );
  writeFileSync(inRoot('dist/pages/licenses.txt'), licenses.join('\n\n'));
  const names = Object.fromEntries(assets.map(({ name, file }) => [name, file]));
  writeFileSync(inRoot(`${SERVED}.json`), JSON.stringify(names));
}

/** Compiles despite type errors: the client may not match a changed API yet. */
async function makeDraft() {
  rmSync(inRoot(STAMP), { force: true });
  await runTool('typescript/bin/tsc', ['-p', 'tsconfig.build.json'], { capture: true });
  await makeVerifier();
  await makeBrowserFiles();
  await makeWeb();
  await makeServed();
}

async function makeDist() {
  const digest = digestOf(SOURCES);
  // Without a stamp the state of dist/ is unknown: start from scratch.
  if (stampOf(STAMP) === null || !existsSync(inRoot('dist/main.js'))) {
    rmSync(inRoot('dist'), { recursive: true, force: true });
  }
  rmSync(inRoot(STAMP), { force: true });
  await run('The build', 'typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--noEmitOnError']);
  removeStale();
  await makeVerifier();
  await makeBrowserFiles();
  await makeWeb();
  await makeServed();
  writeStamp(STAMP, digest);
}

const lock = () => join(root, '.cache', 'build.lock');

/** Builds the generated folders, as far as they are missing or out of date. */
export async function buildGenerated() {
  if (GENERATED.every(isFresh)) return;
  await withLock(lock(), generate);
}

/** Builds all or, if that fails, what compiles: enough to write schema.graphql and openapi.json. */
export async function buildDraft() {
  await build().catch((error) => {
    console.error(`${error.message}\nContinuing with what could be built.`);
    return withLock(lock(), makeDraft);
  });
}

/** Builds all in a process of its own, because a build takes memory that the server would keep. */
export async function build() {
  if (isShipped() || distIsFresh()) return;
  const { code } = await runNode([inRoot('scripts/build.mjs')]);
  if (code !== 0) throw new UserError('The build failed.');
}

/** Builds all. A second process at the same time waits and finds the build done. */
async function buildHere() {
  if (isShipped() || distIsFresh()) return;
  await withLock(lock(), async () => {
    if (distIsFresh()) return;
    console.error('Building ...');
    const start = Date.now();
    await generate();
    await makeDist();
    console.error(`Built in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  });
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    checkTools();
    await (process.argv.includes('--generated') ? buildGenerated() : buildHere());
  });
}
