import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { SigningService } from '../dist/engine/signing.service.js';
import { parseVerifierKey, verifyNote } from '../dist/fairness/note.js';
import { parseReceipt, receiptText } from '../dist/fairness/receipt.js';

/**
 * Measures receipts per second: signed with one key and with two, and verified, compared with plain Ed25519
 * signing and verifying of the same text. All are measured in alternation in one run; the results are medians
 * of the rounds with the least and the greatest ratio.
 *
 *   npm run bench:receipts [-- ROUNDS MS]
 *
 *   ROUNDS   number of rounds (default 9)
 *   MS       duration of each measurement in milliseconds (default 300)
 */

const ROUNDS = Number(process.argv[2] ?? 9);
const MS = Number(process.argv[3] ?? 300);

const hash = () => randomBytes(32).toString('hex');
const receipt = {
  game: '01890000-0000-7000-8000-000000000000',
  version: 12,
  commitment: hash(),
  creatorSeed: hash(),
  accepterSeed: hash(),
  dealRoot: hash(),
  hash: hash(),
  outcome: null,
};
const text = receiptText(receipt);

const signer = (...signingSecrets) =>
  new SigningService({ publicUrl: 'https://play.example.org', signingSecrets });
const [one, two] = [signer(hash()), signer(hash(), hash())];
const keys = one.verifierKeys('receipts').map((key) => parseVerifierKey(key).value);
const note = one.receipt(text);

const { privateKey } = generateKeyPairSync('ed25519');
const publicKey = createPublicKey(privateKey);
const message = Buffer.from(text);
const signature = sign(null, message, privateKey);

/** Each returns whether its result is correct. */
const KINDS = {
  'Ed25519 alone, sign': () => sign(null, message, privateKey).length === 64,
  'a receipt, one key': () => one.receipt(receiptText(receipt)).length > text.length,
  'a receipt, two keys': () => two.receipt(receiptText(receipt)).length > text.length,
  'Ed25519 alone, verify': () => verify(null, message, publicKey, signature),
  'a receipt, verified': async () => {
    const verdict = await verifyNote(note, keys);
    return verdict.outcome === 'valid' && parseReceipt(verdict.note.text).ok;
  },
};
/** The baseline of each measurement. */
const beside = (name) => (name.includes('verif') ? 'Ed25519 alone, verify' : 'Ed25519 alone, sign');

async function perSecond(kind) {
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < MS) {
    for (let turn = 0; turn < 20; turn += 1) {
      if (!(await kind())) throw new Error('A wrong answer.');
    }
    count += 20;
  }
  return (count * 1000) / (performance.now() - began);
}

const rounds = [];
// One extra round first, to compile everything.
for (let round = 0; round <= ROUNDS; round += 1) {
  const rates = {};
  for (const [name, kind] of Object.entries(KINDS)) rates[name] = await perSecond(kind);
  if (round > 0) rounds.push(rates);
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

console.log(`A receipt of ${message.length} bytes, ${Buffer.byteLength(note)} with one signature.\n`);
console.log('| what | a second | of Ed25519 alone (least to greatest) |\n| --- | ---: | ---: |');
for (const name of Object.keys(KINDS)) {
  const ratios = rounds.map((rates) => rates[name] / rates[beside(name)]);
  const [least, middle, most] = [Math.min(...ratios), median(ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)); // prettier-ignore
  console.log(`| ${name} | ${Math.round(median(rounds.map((rates) => rates[name])))} | ${middle} (${least} to ${most}) |`); // prettier-ignore
}
