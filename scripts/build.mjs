import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { Complaint, checkTools, inRoot, isProgram, main, root, runTool } from './support.mjs';

/**
 * Builds dist/ from src/, with the verifier for browsers, and before it src/generated: the database client and the types
 * of src/client. Does nothing when nothing changed since the last build that succeeded. Stamps hold a digest of what went
 * in, and are written last: no stamp, no build.
 *
 *   node scripts/build.mjs               src/generated and dist/
 *   node scripts/build.mjs --generated   src/generated alone, as lint and type checks need it
 */

/** What is generated: in which folder, the file written last, what it is made from, and how. */
const GENERATED = [
  {
    folder: 'src/generated/prisma',
    file: 'client.ts',
    sources: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
    make: makeDatabaseClient,
  },
  {
    folder: 'src/generated/client',
    file: 'keyed.ts',
    sources: [
      'schema.graphql',
      'openapi.json',
      'src/client/operations.graphql',
      'scripts/client-types.mjs',
      'package-lock.json',
    ],
    make: makeClientTypes,
  },
];
const STAMP = 'dist/.stamp';
/** The verifier of games as one ES module for browsers. */
const VERIFIER = 'dist/verify.js';
const SOURCES = [
  'src',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.client.json',
  ...new Set(GENERATED.flatMap(({ sources }) => sources)),
];
const NOT_SOURCES = new Set(['src/generated']);

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

const stampFor = ({ folder }) => `${folder}.stamp`;

const isFresh = (part) =>
  existsSync(inRoot(part.folder, part.file)) && stampOf(stampFor(part)) === digestOf(part.sources);

/** In an image there is what was built, and nothing to build it from. */
const isShipped = () => existsSync(inRoot('dist/main.js')) && !existsSync(inRoot('src'));

const distIsFresh = () =>
  existsSync(inRoot('dist/main.js')) && GENERATED.every(isFresh) && stampOf(STAMP) === digestOf(SOURCES);

async function run(what, path, args, env) {
  if (!existsSync(inRoot('node_modules', path))) {
    throw new Complaint('The build needs the development dependencies: run npm ci first.');
  }
  const { code, output } = await runTool(path, args, { env, capture: true });
  if (code !== 0) throw new Complaint(`${output.trim()}\n\n${what} failed.`);
}

async function generate() {
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

async function makeClientTypes(folder) {
  await (await import('./client-types.mjs')).makeClientTypes(folder);
}

/** What an earlier build wrote from a source file that is gone. */
function removeStale() {
  for (const path of [...filesOf('dist')].filter((each) => each !== VERIFIER)) {
    const source = path.replace(/^dist/, 'src').replace(/\.js(\.map)?$/, '.ts');
    if (/\.js(\.map)?$/.test(path) && !existsSync(inRoot(source))) rmSync(inRoot(path));
  }
}

/** The "browser" field of package.json says what stands in for the files that only Node can run. */
async function makeVerifier() {
  const { buildSync } = await import('esbuild');
  buildSync({
    entryPoints: [inRoot('src/fairness/library.ts')],
    outfile: inRoot(VERIFIER),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    logLevel: 'error',
  });
}

/** Type errors or not: src/client may not fit yet what the code would say of the API. */
async function makeDraft() {
  rmSync(inRoot(STAMP), { force: true });
  await runTool('typescript/bin/tsc', ['-p', 'tsconfig.build.json'], { capture: true });
}

async function makeDist() {
  const digest = digestOf(SOURCES);
  // Without a stamp nothing is known of what lies there, so it is made from scratch; else only what changed.
  if (stampOf(STAMP) === null || !existsSync(inRoot('dist/main.js'))) {
    rmSync(inRoot('dist'), { recursive: true, force: true });
  }
  rmSync(inRoot(STAMP), { force: true });
  await run('The build', 'typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--noEmitOnError']);
  await run('The build of the client', 'typescript/bin/tsc', [
    '-p',
    'tsconfig.client.json',
    '--noEmitOnError',
  ]);
  removeStale();
  await makeVerifier();
  writeStamp(STAMP, digest);
}

const lock = () => join(root, '.cache', 'build.lock');

/** src/generated, as far as what it is made from has changed or it is missing. */
export async function buildGenerated() {
  if (GENERATED.every(isFresh)) return;
  await withLock(lock(), generate);
}

/** The same, or where that fails whatever the compiler could write: enough to write schema.graphql and openapi.json. */
export async function buildDraft() {
  await build().catch((complaint) => {
    console.error(`${complaint.message}\nGoing on with what could be built.`);
    return withLock(lock(), makeDraft);
  });
}

/** src/generated and dist/. Safe while another process does the same: the second waits and finds it done. */
export async function build() {
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
    await (process.argv.includes('--generated') ? buildGenerated() : build());
  });
}
