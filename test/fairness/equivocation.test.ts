import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import { printVerifierKey } from '../../src/fairness/note.js';
import { receiptText, type Receipt } from '../../src/fairness/receipt.js';
import { rulesetById } from '../../src/rules/registry.js';
import { GAME_ID, Made } from './made.js';
import { python, withPython } from './python.js';
import { receiptOf, receiptOfSeek, server, signed, stranger } from './tampering/held.js';

/** `verify --equivocation`: receipts, folders and stores of them, of which two prove that the server contradicted itself. */

const folder = mkdtempSync(join(tmpdir(), 'halfmove-equivocation-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(content: string): string {
  const path = join(folder, String(files++));
  writeFileSync(path, content);
  return path;
}

const called: (readonly [readonly string[], number])[] = [];

async function verified(...args: readonly string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await run(args, (line) => lines.push(line));
  called.push([args, code]);
  return { code, text: lines.join('\n') };
}

const { record } = new Made(rulesetById('banqi-taiwan')!).wander(6).act('second', 'resign');
const written = (version: number, more: Partial<Receipt> = {}, by = server): string =>
  signed(receiptText({ ...receiptOf(record, version), ...more }), by);
const receipt = (version: number, more: Partial<Receipt> = {}, by = server): string =>
  fileOf(written(version, more, by));
const ofSeek = fileOf(signed(receiptText(receiptOfSeek), server));
const key = ['--key', printVerifierKey(server.key)];
const store = (...receipts: readonly string[]): string =>
  fileOf(JSON.stringify({ format: 1, keys: [], games: { [GAME_ID]: { receipts, seen: null } } }));
const folderOf = (...receipts: readonly string[]): string => {
  const path = mkdtempSync(join(folder, 'kept-'));
  receipts.forEach((text, at) => writeFileSync(join(path, `${at}.txt`), text));
  return path;
};
const zeros = { hash: '0'.repeat(64) };

describe('two receipts', () => {
  it('prove that the server contradicted itself', async () => {
    const { code, text } = await verified(
      '--equivocation',
      receipt(6),
      receipt(6, { hash: '0'.repeat(64) }),
      ...key,
    );
    expect(text).toMatch(/^PROVEN .* at version 6: they differ in hash$/);
    expect(code).toBe(1);
  });

  it.each([
    [
      'say the same',
      () => [receipt(6), receipt(6)],
      0,
      /^not proven: 2 receipts, more than one of them of 1 versions/,
    ],
    ['are of other versions', () => [receipt(6), receipt(5)], 0, /more than one of them of 0 versions/],
    ['are of other games', () => [receipt(0), ofSeek], 0, /more than one of them of 0 versions/],
    [
      'are not both signed',
      () => [receipt(6), receipt(6, { hash: '0'.repeat(64) }, stranger)],
      3,
      /^left out .*: it is not signed by a key that you trust.*\nnot proven: 1 receipts/,
    ],
    [
      'are invalid',
      () => [fileOf('halfmove receipt v1\n'), receipt(6)],
      3,
      /^left out .*\nnot proven: 1 receipts/,
    ],
  ] as const)('prove nothing when they %s', async (_, two, exit, words) => {
    const { code, text } = await verified('--equivocation', ...two(), ...key);
    expect(text).toMatch(words);
    expect(code).toBe(exit);
  });

  it.each([
    ['a receipt', () => [join(folder, 'none'), receipt(6), ...key], /^not compared: ENOENT.* '.*none'$/],
    ['the keys', () => [receipt(6), receipt(6), '--key', join(folder, 'none')], /^not compared: ENOENT/],
    [
      'a key',
      () => [receipt(6), receipt(6), '--key', receipt(6)],
      /^not compared: .* contains no verifier key/,
    ],
    ['a file', () => [fileOf('x'), receipt(6), ...key], /^not compared: .* is no receipt, no folder of/],
    [
      'a store',
      () => [fileOf('{"format":2,"games":{}}'), receipt(6), ...key],
      /no store of receipts of format 1$/,
    ],
    ['a game of a store', () => [fileOf('{"format":1,"games":{"a":{}}}'), receipt(6), ...key], /no store of/],
  ])('are not compared when %s cannot be read', async (_, args, words) => {
    const { code, text } = await verified('--equivocation', ...args());
    expect(text).toMatch(words);
    expect(code).toBe(2);
  });

  it.each([
    [
      'two stores',
      () => [store(written(1), written(6)), store(written(6, zeros), written(4))],
      1,
      /^PROVEN .* at version 6: they differ in hash$/,
    ],
    [
      'a store and a folder',
      () => [store(written(4)), folderOf(written(5), `${written(4, zeros)}\n`)],
      1,
      /^PROVEN .* at version 4/,
    ],
    [
      'a store and a receipt',
      () => [store(written(1), written(6)), receipt(1, zeros)],
      1,
      /^PROVEN .* at version 1/,
    ],
    [
      'one of two stores',
      () => [store(written(1), written(1, zeros)), store()],
      1,
      /^PROVEN .* at version 1/,
    ],
    [
      'two versions',
      () => [store(written(1), written(4)), store(written(1, zeros), written(4, zeros))],
      1,
      /^PROVEN .* 1: .*\nPROVEN .* 4: /,
    ],
    [
      'no store',
      () => [store(written(1), written(4)), store(written(4), written(5))],
      0,
      /^not proven: 4 receipts, more than one of them of 1 versions/,
    ],
    [
      'no store, one of which has a receipt by a stranger',
      () => [store(written(1)), store(written(1, zeros, stranger))],
      3,
      /^left out .*, game 0198c0de-.*: it is not signed by .*\nnot proven/,
    ],
    [
      'no folder, one of which has another file',
      () => [folderOf(written(1)), folderOf('x')],
      3,
      /^left out .*0\.txt: /,
    ],
    [
      'two stores beside a receipt by a stranger',
      () => [store(written(1)), store(written(1, zeros), written(4, {}, stranger))],
      1,
      /^left out .*\nPROVEN/,
    ],
  ] as const)('are found in %s', async (_, two, exit, words) => {
    const { code, text } = await verified('--equivocation', ...two(), ...key);
    expect(text).toMatch(words);
    expect(code).toBe(exit);
  });

  it('must be two', async () => {
    expect((await verified('--equivocation', receipt(6))).code).toBe(2);
  });
});

withPython('the verifier in Python', () => {
  it('ends with the same codes', () => {
    expect(called.length).toBeGreaterThan(15);
    expect(called.map(([args]) => python(args).code)).toEqual(called.map(([, code]) => code));
  });
});
