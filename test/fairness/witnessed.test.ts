import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import { printVerifierKey, verifierKey, verifyNote } from '../../src/fairness/note.js';
import { receiptText } from '../../src/fairness/receipt.js';
import { differences, python, statusesIn, withPython } from './python.js';
import { cosigned, TIME, witness } from './tampering/cosigned.js';
import { log, openingOfSeek, proofsIn, receiptOfSeek, server, signed, type Signer } from './tampering/held.js'; // prettier-ignore

/** A proof whose checkpoint a witness has cosigned (C2SP tlog-cosignature), for users who trust that witness. */

const folder = mkdtempSync(join(tmpdir(), 'halfmove-witnessed-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(content: string): string {
  const path = join(folder, String(files++));
  writeFileSync(path, content);
  return path;
}

const [ann, ben] = [witness('witness.example/ann'), witness('witness.example/ben')];

const [PROOF] = proofsIn([openingOfSeek]) as [string];
const HEAD = PROOF.slice(0, PROOF.indexOf('\n\n') + 2);
const CHECKPOINT = PROOF.slice(HEAD.length);

const keys = [server, log].flatMap(({ key }) => ['--key', printVerifierKey(key)]);
const receipt = ['--receipt', fileOf(signed(receiptText(receiptOfSeek), server)), ...keys];
const by = ({ key }: Signer): readonly string[] => ['--witness', printVerifierKey(key)];
const proof = (checkpoint: string): readonly string[] => ['--proof', fileOf(HEAD + checkpoint)];

const ofAnn = cosigned(CHECKPOINT, ann);
const CASES: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['not asked for', proof(ofAnn), 0, /^ok {6}log {10}the opening/m],
  ['by the witness', [...proof(ofAnn), ...by(ann)], 0, /^ok {6}log .* cosigned by witness.example\/ann/m],
  ['not by the witness', [...proof(CHECKPOINT), ...by(ann)], 3, /^open {4}log .* not cosigned by .*ann/m],
  ['by another witness', [...proof(ofAnn), ...by(ben)], 3, /^open {4}log .* not cosigned by .*ben/m],
  ['by one of two', [...proof(ofAnn), ...by(ann), ...by(ben)], 3, /^ok {6}log .*ann\n^open {4}log .*ben/m],
  ['by both', [...proof(cosigned(ofAnn, ben)), ...by(ann), ...by(ben)], 0, /cosigned by .*ben/],
  ['by a stranger with its key id', [...proof(cosigned(CHECKPOINT, { ...ben, key: ann.key })), ...by(ann)], 1, /^FAILED {2}log .*cosignature of .*ann/m], // prettier-ignore
  ['with another time', [...proof(cosigned(CHECKPOINT, ann, TIME + 1)), ...by(ann)], 1, /^FAILED {2}log/m],
  ['with its key in a file', [...proof(ofAnn), '--witness', fileOf(`${printVerifierKey(ann.key)}\n`)], 0, /cosigned by/], // prettier-ignore
  ['with a key of another type', [...proof(ofAnn), '--witness', printVerifierKey(log.key)], 2, /^not verified: .* 0x04/], // prettier-ignore
  ['asked for without a proof', by(ann), 2, /^usage/],
];

async function verified(args: readonly string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await run([...receipt, ...args], (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

describe('a cosignature', () => {
  it.each(CASES)('%s', async (_, args, code, words) => {
    const ran = await verified(args);
    expect(ran.text).toMatch(words);
    expect(ran.code).toBe(code);
  });

  it('does not count as the log’s signature, nor the reverse', async () => {
    const asNote = verifierKey(ann.key.name, ann.key.publicKey);
    expect(await verifyNote(ofAnn, [asNote])).toEqual({ outcome: 'unknown' });
    expect(await verifyNote(signed('text\n', ann), [ann.key])).toMatchObject({ outcome: 'wrong' });
  });
});

withPython('the verifier in Python', () => {
  it.each(CASES)('has the same result: %s', async (_, args, code) => {
    const theirs = python([...receipt, ...args]);
    const { text } = await verified(args);
    expect([theirs.code, differences(statusesIn(text), statusesIn(theirs.text))]).toEqual([code, []]);
  });
});
