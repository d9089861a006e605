import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, parse, validate } from 'graphql';
import { SHARED_SETTINGS, startServer } from '../support/server.js';
import { blocksOf, PAGES, type Block } from './blocks.js';

/**
 * What the pages tell readers to run does run. The blocks of a page are run in their order, in one shell, against a new
 * server, after those of the page that it goes on from: `sh` as it stands, `js` as a module, `graphql` over HTTP with the variables of the next block where that is
 * `json variables`. `sh refused` shows a refusal; `manual` marks what cannot be run here. What names a machine is run by
 * scale.postgres.full.test.ts, `html` and `python` by start.long.test.ts, what is of a `site` by integrate.long.test.ts, and
 * `js tools` by test/tools.
 */
// Long: it starts programs.

const MACHINES = ['db1', 'db2', 'servers'];
/** What test/tools runs, with the packages of others, and integrate.long.test.ts as the site that a page describes. */
const ELSEWHERE = ['tools', 'site'];

const all = PAGES.flatMap(blocksOf);
const isRun = ({ language, flags }: Block): boolean =>
  ['sh', 'graphql', 'js'].includes(language) &&
  !flags.some((flag) => ['manual', ...ELSEWHERE, ...MACHINES].includes(flag));

test('every block says what it is', () => {
  const known = new Set(['', 'sh', 'graphql', 'json', 'js', 'ts', 'text', 'sql', 'html', 'python']);
  expect(all.filter(({ language }) => !known.has(language))).toEqual([]);
  const flags = new Set(all.flatMap((block) => block.flags));
  const allowed = ['manual', 'refused', 'variables', ...ELSEWHERE, ...MACHINES];
  expect([...flags].filter((flag) => !allowed.includes(flag))).toEqual([]);
  expect(all.filter(isRun).length).toBeGreaterThan(25);
});

test('every block of JSON is JSON', () => {
  const isJson = ({ text }: Block): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const broken = all.filter((block) => block.language === 'json' && !isJson(block));
  expect(broken.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

test('every block of GraphQL fits the schema', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const documents = all.filter(({ language }) => language === 'graphql');
  expect(documents.length).toBeGreaterThan(10);
  for (const { page, line, text } of documents)
    expect([`${page}:${line}`, validate(schema, parse(text))]).toEqual([`${page}:${line}`, []]);
});

test('every script of package.json that a page names is there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const named = PAGES.flatMap((page) => [
    ...readFileSync(page, 'utf8').matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g),
  ]);
  expect(named.length).toBeGreaterThan(10);
  expect(named.map(([, name]) => name!).filter((name) => !(name in scripts))).toEqual([]);
});

// A refusal ends the page, as a failure does, but where the page means to show one.
const PRELUDE = `set -euo pipefail
refused=
curl() { if [ -n "$refused" ]; then command curl "$@"; else command curl --fail-with-body "$@"; fi; }
set -a
`;

/** A page that goes on where another one ends, in the same shell. */
const BEFORE: Readonly<Record<string, string>> = { 'docs/api.md': 'README.md' };

/** The page as a shell script; its programs and requests are written into the folder. */
function scriptOf(blocks: readonly Block[], folder: string, url: string): string {
  const parts = blocks.map((block, index) => {
    if (!isRun(block)) return '';
    const text = block.text.replaceAll(/(?:http:\/\/)?localhost:3000/g, url);
    const file = (type: string, content: string): string => {
      const path = join(folder, `${block.line}.${type}`);
      writeFileSync(path, content);
      return path;
    };
    const command = {
      sh: () => `refused=${block.flags.includes('refused') ? '1' : ''}\n${text}`,
      js: () => `node ${file('mjs', text)}`,
      graphql: () => `node test/docs/send.mjs ${file('json', requestOf(block, blocks[index + 1]))}`,
    }[block.language as 'sh' | 'js' | 'graphql'];
    return `echo "--- ${block.page}:${block.line}"\n${command()}\n`;
  });
  return PRELUDE + parts.join('\n');
}

function requestOf({ text: query }: Block, next: Block | undefined): string {
  const variables = next?.flags.includes('variables') === true ? (JSON.parse(next.text) as unknown) : {};
  return JSON.stringify({ query, variables });
}

/** Within the package of the client, so that programs find `@halfmove/client` as those who installed it do. */
function newFolder(): string {
  mkdirSync('packages/client/.cache', { recursive: true });
  return mkdtempSync('packages/client/.cache/docs-');
}

// A contributor may lack them; CI has them.
const hasTools = ['bash', 'curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const pages = PAGES.filter((page) => blocksOf(page).some(isRun));

test('the programs pass the strict compiler', () => {
  const folder = newFolder();
  try {
    for (const { language, flags, page, line, text } of all)
      if ((language === 'js' || language === 'ts') && !flags.some((flag) => ELSEWHERE.includes(flag)))
        writeFileSync(join(folder, `${page.replaceAll(/\W/g, '-')}-${line}.ts`), text);
    copyFileSync('test/client/outside/tsconfig.json', join(folder, 'tsconfig.json'));
    const { stdout, status } = spawnSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

(hasTools ? test : test.skip).each(pages)('what %s shows can be run', async (page) => {
  const folder = newFolder();
  const server = await startServer({ ...SHARED_SETTINGS, LOG_SECONDS: '1' });
  try {
    const shown = [...(page in BEFORE ? blocksOf(BEFORE[page]!) : []), ...blocksOf(page)];
    const script = scriptOf(shown, folder, server.url);
    const env = { PATH: process.env['PATH'], HOME: folder, HALFMOVE_URL: server.url };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
    expect(stdout).not.toBe('');
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string };
    if (stdout === undefined) throw error;
    throw new Error(`The shell ended with ${code} at:\n${stdout.slice(-3000)}\n${stderr?.slice(-2000)}`);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
