import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** What eslint.config.mjs forbids in one place and allows in another. Rules that need types are not tested here. */

const RESTRICTED = /^no-restricted-|^no-console$/;

const FORBIDDEN: readonly (readonly [path: string, code: string])[] = [
  ['src/rules/x.ts', 'export const a = Date.now();'],
  ['src/rules/x.ts', 'export const a = new Date();'],
  ['src/rules/x.ts', 'export const a = Math.random();'],
  ['src/rules/x.ts', 'export const a = process.env;'],
  ['src/rules/x.ts', 'setTimeout(() => 1, 1);'],
  ['src/rules/x.ts', 'export const a = async () => 1;'],
  ['src/rules/x.ts', 'export const a = Promise.resolve(1);'],
  ['src/rules/x.ts', "throw new Error('no');"],
  ['src/arbiter/x.ts', 'export const a = Date.now();'],
  ['src/arbiter/x.ts', 'export async function a() { await b(); }'],
  ['src/fairness/x.ts', 'export const a = Math.random();'],
  ['src/fairness/x.ts', "import { randomBytes } from 'node:crypto';"],
  ['src/fairness/x.ts', 'export const a = async () => 1;'],
  ['src/fairness/note.ts', 'export const a = Date.now();'],
  ['src/fairness/note.ts', 'setTimeout(() => 1, 1);'],
  ['src/games/x.store.ts', 'export const a = prisma.dealSecret;'],
  ['src/games/x.store.ts', "export const a = prisma['dealSecret'];"],
  ['src/games/x.store.ts', 'export const { dealSecret } = prisma;'],
  ['src/games/x.store.ts', 'export const a = sql`SELECT * FROM deal_secrets`;'],
  ['src/games/x.store.ts', "export const a = prisma.$queryRawUnsafe('SELECT 1');"],
  ['src/engine/deals.store.ts', "export const a = prisma.$executeRawUnsafe('SELECT 1');"],
  ['src/platform/database/x.ts', 'export const a = prisma.dealSecret;'],
  ['src/games/x.service.ts', "console.log('hello');"],
  ['packages/client/src/x.ts', "console.log('hello');"],
  ['src/games/x.resolver.ts', 'class A { f(@Parent() { row }: Game) { return row; } }'],
];

const ALLOWED: readonly (readonly [path: string, code: string])[] = [
  ['src/fairness/x.ts', "import { createHash } from 'node:crypto';"],
  ['src/fairness/x.ts', "throw new Error('a fault of ours');"],
  ['src/fairness/note.ts', 'export const a = async () => globalThis.crypto.subtle;'],
  ['src/engine/deals.store.ts', 'export const a = prisma.dealSecret;'],
  ['src/platform/database/x.ts', "export const a = prisma.$queryRawUnsafe('SELECT 1');"],
  ['src/games/x.service.ts', 'export const a = Date.now();'],
  ['src/games/x.resolver.ts', 'class A { f(@Parent() { row }: Game, @Args() a: A) { return row; } }'],
  ['src/cli/x.ts', "console.log('hello');"],
  ['src/main.ts', "console.log('hello');"],
];

const PROGRAM = `
  import { ESLint } from 'eslint';
  import tseslint from 'typescript-eslint';
  const plain = [{ files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked }];
  const eslint = new ESLint({ overrideConfig: plain });
  const found = [];
  for (const [filePath, code] of JSON.parse(process.argv[1])) {
    const [result] = await eslint.lintText(code, { filePath });
    found.push(result.messages.map((message) => message.ruleId ?? message.message));
  }
  console.log(JSON.stringify(found));
`;

function lint(cases: readonly (readonly [string, string])[]): Promise<readonly string[][]> {
  const args = ['--input-type=module', '--eval', PROGRAM, '--', JSON.stringify(cases)];
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: resolve('.') }, (error, stdout, stderr) => {
      if (error) fail(new Error(stderr, { cause: error }));
      else done(JSON.parse(stdout) as string[][]);
    });
  });
}

test('refuses a construct outside its place', async () => {
  const found = await lint(FORBIDDEN);
  const silent = FORBIDDEN.filter((_, i) => !found[i]!.some((rule) => RESTRICTED.test(rule)));
  expect(silent).toEqual([]);
});

test('allows it in its place', async () => {
  const found = await lint(ALLOWED);
  expect(found.map((rules) => rules.filter((rule) => RESTRICTED.test(rule)))).toEqual(ALLOWED.map(() => []));
});
