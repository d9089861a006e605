import { receiptText, type Receipt } from '../../../src/fairness/receipt.js';
import { printEntry, type EndEntry, type LogEntry, type OpenEntry } from '../../../src/fairness/log-entry.js';
import { run } from '../../../src/cli/verify.js';
import { printVerifierKey } from '../../../src/fairness/note.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASES, type BaseName } from './bases.js';
import { asProof, asReceipt, ending, log, opening, openingOfSeek, proofsIn, receiptOf, receiptOfSeek, server, signed, signer, stranger, type Signer } from './held.js'; // prettier-ignore
import { findingsOf, found, harmless, type Tampering } from './tampering.js';

/** Receipts and log proofs that were tampered with, beside a record that was not. */

const VERSION = 8;
const OTHER_GAME = '0198c0de-0000-7000-8000-000000000009';
const ZEROS = '0'.repeat(64);

const receipt = (
  name: string,
  make: (true_: Receipt, note: string) => string,
  more: Partial<Tampering> = {},
): Tampering => ({
  name,
  ...more,
  async verdicts() {
    const { record } = await BASES.dealt();
    const due = receiptOf(record, VERSION);
    const note = signed(receiptText(due), server);
    const shown = async (each: string) => findingsOf(JSON.stringify(record), { receipts: [await asReceipt(each)] }); // prettier-ignore
    const given = make(due, note);
    if (given === note) throw new Error(`${name} changes nothing`);
    return [found(await shown(given), await shown(note))];
  },
});

/** The text is altered, the signature left as it was. */
const altered = (name: string, from: string | RegExp, to: string): Tampering =>
  receipt(name, (_, note) => note.replace(from, to));
/** The server has signed another text than it showed to others: the one in the record. */
const told = (name: string, more: Partial<Receipt>, by: Signer = server): Tampering =>
  receipt(name, (due) => signed(receiptText({ ...due, ...more }), by));

// A line each.
// prettier-ignore
export const RECEIPTS: readonly Tampering[] = [
  altered('`game`: another one', /^game .*/m, `game ${OTHER_GAME}`),
  altered('`version`: another one', /^version .*/m, 'version 7'),
  altered('`version` with leading zeros', /^version .*/m, 'version 008'),
  altered('`commitment`: another one', /^commitment .*/m, `commitment ${ZEROS}`),
  altered('`creator-seed`: another one', /^creator-seed .*/m, `creator-seed ${ZEROS}`),
  altered('`accepter-seed`: none', /^accepter-seed .*/m, 'accepter-seed none'),
  altered('`deal-root`: none', /^deal-root .*/m, 'deal-root none'),
  altered('`hash`: another one', /^hash .*/m, `hash ${ZEROS}`),
  altered('`outcome`: another one', /^outcome .*/m, 'outcome resignation first'),
  altered('the title: another version', /v1/, 'v2'),
  altered('a line left out', /^deal-root .*\n/m, ''),
  altered('a line too many', /^version/m, 'note x\nversion'),
  altered('two lines swapped', /^(game .*)\n(version .*)$/m, '$2\n$1'),
  altered('a space at the end of a line', /^(version .*)$/m, '$1 '),
  altered('upper case in a hash', 'hash ', 'hash A'),
  altered('Windows line endings', /\n/g, '\r\n'),
  altered('the signature left out', /— .*\n/, ''),
  altered('the empty line before the signature left out', '\n\n', '\n'),
  altered('another name of the key', /— \S+/, '— other.example'),
  receipt('bits of the signature changed', (_, note) => note.replace(/.(?==\n$)/, (last) => (last === 'A' ? 'E' : 'A'))),
  receipt('the signature of another text', (due, note) => note.replace(/— .*\n/, /— .*\n/.exec(signed(receiptText({ ...due, version: 7 }), server))![0])),
  receipt('signed by a stranger under the name of the server', (due) => signed(receiptText(due), stranger)),
  receipt('signed by a stranger with the key id of the server', (due) => signed(receiptText(due), { key: server.key, secret: stranger.secret })),
  receipt('signed by the key of the log', (due) => signed(receiptText(due), log)),
  receipt('a valid and an invalid signature of one key', (due) => signed(receiptText(due), server, { key: server.key, secret: stranger.secret })),
  receipt('a signature of an unknown key added', (due) => signed(receiptText(due), server, signer('other.example')), harmless('Signatures of unknown keys are ignored, as signed notes require. The signature of the server is valid.')),
  receipt('the signature twice', (due) => signed(receiptText(due), server, server), harmless('The repetition has no effect.')),
  receipt('cut short', (_, note) => note.slice(0, -20)),
  receipt('text after the signature', (_, note) => `${note}x`),
  receipt('an empty file', () => ''),
  receipt('a checkpoint of the log instead of a receipt', () => signed('halfmove.example/log\n1\nAAAA\n', log)),
  told('signed by the server: another game', { game: OTHER_GAME }),
  told('signed by the server: a version that never existed', { version: 99 }),
  told('signed by the server: another commitment', { commitment: ZEROS }),
  told('signed by the server: another seed of the creator', { creatorSeed: ZEROS }),
  told('signed by the server: no seed of the creator', { creatorSeed: null }),
  told('signed by the server: another seed of the accepter', { accepterSeed: ZEROS }),
  told('signed by the server: another deal root', { dealRoot: ZEROS }),
  told('signed by the server: another hash', { hash: ZEROS }),
  told('signed by the server: an end that did not happen', { outcome: { winner: 'first', reason: 'resignation' } }),
];

const folder = mkdtempSync(join(tmpdir(), 'halfmove-tampering-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Two receipts of one game, given to `verify --equivocation`. */
const two = (
  name: string,
  other: Partial<Receipt>,
  more: Partial<Tampering> = {},
  by = server,
): Tampering => ({
  name,
  ...more,
  async verdicts() {
    const { record } = await BASES.dealt();
    const due = receiptOf(record, VERSION);
    const paths = [due, { ...due, ...other }].map((each, at) => {
      const path = join(folder, String(at));
      writeFileSync(path, signed(receiptText(each), by));
      return path;
    });
    const keys = [server, log].flatMap(({ key }) => ['--key', printVerifierKey(key)]);
    const code = await run(['--equivocation', ...keys, ...paths], () => undefined);
    return [code === 1 ? '--equivocation' : ''];
  },
});

// A line each.
// prettier-ignore
export const EQUIVOCATION: readonly Tampering[] = [
  two('one version with two hashes', { hash: ZEROS }),
  two('one version with two ends', { outcome: { winner: 'second', reason: 'timeout' } }),
  two('one version with two deal roots', { dealRoot: ZEROS }),
  two('one version with two commitments', { commitment: ZEROS }),
  two('one version with and without a seed of the creator', { creatorSeed: null }),
  two('one version with and without a seed of the accepter', { accepterSeed: null }),
  two('two versions with two hashes', { version: 7, hash: ZEROS }, harmless('Each version has its own hash. A false one is found with the record.')),
  two('one version with two hashes, both signed by the key of the log', { hash: ZEROS }, harmless('The key of the log cannot sign receipts, so these are not receipts.'), log),
];

/** Of the end of a game; of the two openings where two seeks met. */
const proof = (
  name: string,
  base: BaseName,
  make: (entries: readonly LogEntry[], proofs: readonly string[]) => readonly string[],
  more: Partial<Tampering> = {},
): Tampering => ({
  name,
  ...more,
  async verdicts() {
    const { record } = await BASES[base]();
    const entries = [
      opening(record),
      ...(base === 'met' ? [openingOfSeek] : []),
      ending(record, base === 'aborted' ? 'accepter' : null)!,
    ];
    const shown = async (proofs: readonly string[]) =>
      findingsOf(JSON.stringify(record), {
        proofs: await Promise.all(proofs.map(asProof)),
        receipts: base === 'met' ? [await asReceipt(signed(receiptText(receiptOfSeek), server))] : [],
      });
    const proofs = proofsIn(entries);
    return [found(await shown(make(entries, proofs)), await shown(proofs))];
  },
});

const last = (change: (proof: string) => string) => (_: readonly LogEntry[], proofs: readonly string[]) => [
  change(proofs.at(-1)!),
];
const logged = (more: Partial<EndEntry>) => (entries: readonly LogEntry[]) =>
  proofsIn([{ ...entries.at(-1)!, ...more } as EndEntry]);
const opened = (more: Partial<OpenEntry>) => (entries: readonly LogEntry[]) =>
  proofsIn([{ ...entries[0]!, ...more } as OpenEntry]);
const SIBLING = /^([A-Za-z0-9+/]{43}=)$/m;

// A line each.
// prettier-ignore
export const PROOFS: readonly Tampering[] = [
  proof('the end of another game', 'dealt', logged({ game: OTHER_GAME })),
  proof('an end with another hash', 'dealt', logged({ hash: ZEROS })),
  proof('an end with another server seed', 'dealt', logged({ serverSeed: ZEROS })),
  proof('an end without the server seed', 'dealt', logged({ serverSeed: null })),
  proof('an end with another winner', 'dealt', logged({ outcome: { winner: 'first', reason: 'resignation' } })),
  proof('an end with another reason', 'dealt', logged({ outcome: { winner: 'second', reason: 'timeout' } })),
  proof('an end shown as an abort', 'dealt', logged({ end: 'aborted', by: 'operator' })),
  proof('an abort attributed to the creator', 'aborted', logged({ by: 'creator' })),
  proof('an abort attributed to the operator', 'aborted', logged({ by: 'operator' })),
  proof('a finished game shown as a cancelled challenge', 'dealt', logged({ end: 'cancelled', outcome: null })),
  proof('an opening with another commitment', 'dealt', opened({ commitment: ZEROS })),
  proof('an opening with another hash', 'dealt', opened({ hash: ZEROS })),
  proof('the opening of another game', 'dealt', opened({ game: OTHER_GAME })),
  proof('another place in the log', 'dealt', last((it) => it.replace(/^index \d+/m, 'index 1'))),
  proof('a place beyond the log', 'dealt', last((it) => it.replace(/^index \d+/m, 'index 99'))),
  proof('a place with a leading zero', 'dealt', last((it) => it.replace(/^index /m, 'index 0'))),
  proof('another sibling', 'dealt', last((it) => it.replace(SIBLING, `${'A'.repeat(43)}=`))),
  proof('a sibling left out', 'dealt', last((it) => it.replace(/^[A-Za-z0-9+/]{43}=\n/m, ''))),
  proof('a sibling too many', 'dealt', last((it) => it.replace(SIBLING, `$1\n${'A'.repeat(43)}=`))),
  proof('two siblings swapped', 'dealt', last((it) => it.replace(/^([A-Za-z0-9+/]{43}=)\n([A-Za-z0-9+/]{43}=)$/m, '$2\n$1'))),
  proof('another size of the tree', 'dealt', last((it) => it.replace(/(halfmove\.example\/log\n)5\n/, '$16\n'))),
  proof('another root of the tree', 'dealt', last((it) => it.replace(/(log\n\d+\n)\S+/, `$1${'A'.repeat(43)}=`))),
  proof('another tree, signed by the log', 'dealt', (entries, [, own]) => [`${own!.split('\n\n')[0]!}\n\n${proofsIn([entries[0]!, openingOfSeek])[0]!.split('\n\n').slice(1).join('\n\n')}`]),
  proof('another first line', 'dealt', last((it) => it.replace('@v1', '@v2'))),
  proof('an extra line', 'dealt', last((it) => it.replace('index', 'extra AAAA\nindex'))),
  proof('the checkpoint left out', 'dealt', last((it) => it.split('\n\n')[0]!)),
  proof('the checkpoint unsigned', 'dealt', last((it) => it.replace(/— .*\n/, ''))),
  proof('the checkpoint signed by a stranger under the name of the log', 'dealt', (entries) => proofsIn(entries, [signer(log.key.name)])),
  proof('the checkpoint signed by a stranger with the key id of the log', 'dealt', (entries) => proofsIn(entries, [{ key: log.key, secret: stranger.secret }])),
  proof('the checkpoint signed by the key of the receipts', 'dealt', (entries) => proofsIn(entries, [server])),
  proof('the checkpoint of a log named like the key of the receipts, signed by it', 'dealt', (entries) => proofsIn(entries, [server], server.key.name)),
  proof('the checkpoint of another log, signed by this one', 'dealt', (entries) => proofsIn(entries, [log], 'other.example/log')),
  proof('cut short', 'dealt', last((it) => it.slice(0, -30))),
  proof('a receipt instead of a proof', 'dealt', () => [signed(receiptText(receiptOfSeek), server)]),
  proof('the entry itself instead of a proof', 'dealt', (entries) => [printEntry(entries.at(-1)!)]),
  proof('an empty file', 'dealt', () => ['']),
  proof('two seeks that met, in the other order', 'met', (entries) => proofsIn([entries[1]!, entries[0]!, entries[2]!])),
  proof('two seeks that met, the opening of the joined one left out', 'met', (_, proofs) => [proofs[0]!, proofs[2]!]),
  proof('two seeks that met, the opening of the game left out', 'met', (_, proofs) => proofs.slice(1)),
  proof('two seeks that met, another opening of the joined one', 'met', (entries) => proofsIn([entries[0]!, { ...openingOfSeek, hash: ZEROS }, entries[2]!])),
];
