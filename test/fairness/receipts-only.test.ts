import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import { printVerifierKey } from '../../src/fairness/note.js';
import { receiptText, type Receipt } from '../../src/fairness/receipt.js';
import { differences, python, statusesIn, withPython } from './python.js';
import { log, openingOfSeek, proofsIn, receiptOfSeek, server, signed, stranger } from './tampering/held.js';

/** Receipts of a challenge without its record, and possibly without its opening in the log. */

const folder = mkdtempSync(join(tmpdir(), 'halfmove-alone-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(content: string): string {
  const path = join(folder, String(files++));
  writeFileSync(path, content);
  return path;
}

const ZEROS = '0'.repeat(64);
const receipt = (more: Partial<Receipt> = {}, by = server): readonly string[] => [
  '--receipt',
  fileOf(signed(receiptText({ ...receiptOfSeek, ...more }), by)),
];
const proof = (more: object = {}): readonly string[] => [
  '--proof',
  fileOf(proofsIn([{ ...openingOfSeek, ...more }])[0]!),
];
const keys = [server, log].flatMap(({ key }) => ['--key', printVerifierKey(key)]);

const later = { version: 1, creatorSeed: ZEROS, hash: 'ef'.repeat(32) };

const CASES: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['alone leaves the log open', receipt(), 3, /^open {4}log .*log-proof\?entry=open/m],
  [
    'with the proof of the opening is valid',
    [...receipt(), ...proof()],
    0,
    /^ok {6}log {10}the opening is at index/m,
  ],
  [
    'with a later one is valid',
    [...receipt(), ...receipt(later), ...proof()],
    0,
    /^ok {6}receipt {6}version 1/m,
  ],
  ['of a later version leaves it open', [...receipt(later), ...proof()], 3, /^open {4}log .*of version 0/m],
  ['by a stranger leaves the signer open', receipt({}, stranger), 3, /^open {4}receipt {6}.*give --key/m],
  ['by the log fails', receipt({}, log), 1, /^FAILED {2}receipt {6}it is signed by halfmove.example\/log/m],
  [
    'by a stranger with the key id of the server fails',
    receipt({}, { ...stranger, key: server.key }),
    1,
    /^FAILED {2}receipt {6}the signature/m,
  ],
  [
    'with a proof of another commitment leaves open whether the log has the opening',
    [...receipt(), ...proof({ commitment: ZEROS })],
    3,
    /^open {4}log/m,
  ],
  ['with one of another hash, too', [...receipt(), ...proof({ hash: ZEROS })], 3, /^open {4}log/m],
  [
    'with one of another game, too',
    [...receipt(), ...proof({ game: receiptOfSeek.game.replace(/.$/, 'e') })],
    3,
    /^open {4}log/m,
  ],
  [
    'fails with one of another commitment',
    [...receipt(), ...receipt({ ...later, commitment: ZEROS }), ...proof()],
    1,
    /^FAILED {2}receipt {6}version 1 of .* contradicts version 0/m,
  ],
  [
    'fails with another of its version',
    [...receipt(), ...receipt({ hash: ZEROS })],
    1,
    /contradicts version 0/,
  ],
  [
    'fails with one of another game',
    [...receipt(), ...receipt({ game: receiptOfSeek.game.replace(/.$/, 'e') })],
    1,
    /contradicts/,
  ],
  ['that is invalid fails', ['--receipt', fileOf('x')], 1, /^FAILED {2}receipt/m],
  ['that is missing is wrong usage', ['--receipt', join(folder, 'none')], 2, /^not verified: ENOENT/],
  ['refuses other options', [...receipt(), '--commitment', ZEROS], 2, /^usage/],
];

async function verified(args: readonly string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await run(args, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

describe('a receipt without a record', () => {
  it.each(CASES)('%s', async (_, args, code, words) => {
    const ran = await verified([...args, ...keys]);
    expect(ran.text).toMatch(words);
    expect(ran.code).toBe(code);
  });

  it('must be given', async () => {
    expect((await verified([...proof(), ...keys])).code).toBe(2);
  });
});

withPython('the verifier in Python', () => {
  it.each(CASES)('has the same result: %s', async (_, args, code) => {
    const theirs = python([...args, ...keys]);
    const { text } = await verified([...args, ...keys]);
    expect([theirs.code, differences(statusesIn(text), statusesIn(theirs.text))]).toEqual([code, []]);
  });
});
