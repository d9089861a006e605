import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { clientSeedHash, commitment } from '../../src/fairness/commitment.js';
import { bytesOfHex, hexOf, sha256 } from '../../src/fairness/digest.js';
import type { Row } from '../../src/fairness/record.js';
import { type LogEntry, printEntry } from '../../src/fairness/log-entry.js';
import { printNote, printVerifierKey, type VerifierKey, verifierKey } from '../../src/fairness/note.js';
import { receiptText } from '../../src/fairness/receipt.js';
import { inclusionProof, leafHash, rootAt, type TileReader } from '../../src/fairness/tlog.js';
import { printCheckpoint, printLogProof } from '../../src/fairness/tlog-formats.js';
import { rulesetById } from '../../src/rules/registry.js';
import { ACCEPTER_SEED, CREATOR_SEED, GAME_ID, Made } from './made.js';
import { SERVER_SEED } from './made.js';

/** The worked example of docs/fairness-example.md: a short game of Banqi, every value of it computed here. worked-page.ts tells it. */

export const FOLDER = 'test/fairness/example';

export const banqi = rulesetById('banqi-hongkong')!;
export const serverSeed = bytesOfHex(SERVER_SEED);
/** The square that is followed up to the deal root: that of ply 1. */
export const SQUARE = 'b2';

const { record } = new Made(banqi, { announced: ['creator'] })
  .play('b2')
  .play('b1')
  .play('b2b1')
  .act('first', 'offerTakeback')
  .act('second', 'acceptTakeback')
  .play('b2b1', { after: 3600 })
  .play('a1')
  .act('second', 'resign');
export const { rows } = record;
export const row = (type: string, which = 0): Row => rows.filter((each) => each.type === type)[which]!;
export const start = row('start').data;
export const end = row('end');

const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

interface Signer {
  readonly key: VerifierKey;
  /** 32 bytes (RFC 8032), in hex. */
  readonly secret: string;
  readonly private: KeyObject;
}

/** The key pair from 32 bytes that are all the same. */
function signer(name: string, byte: number): Signer {
  const secret = Buffer.alloc(32, byte);
  const made = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, secret]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(made).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key: verifierKey(name, publicKey), secret: secret.toString('hex'), private: made };
}

export const signature = ({ private: key }: Signer, text: string): Buffer =>
  sign(null, Buffer.from(text), key);

const noteOf = (by: Signer, text: string): string =>
  printNote({ text, signatures: [{ ...by.key, bytes: signature(by, text) }] });

export const server = signer('halfmove.example', 1);
export const log = signer('halfmove.example/log', 2);

const beginning = {
  game: GAME_ID,
  commitment: commitment(serverSeed),
  creatorSeed: clientSeedHash(CREATOR_SEED),
  dealRoot: null,
  outcome: null,
};

/** What the accepter has before accepting: the creator's seed is announced in it. */
export const openingReceipt = receiptText({
  ...beginning,
  version: 0,
  accepterSeed: null,
  hash: row('create').hash,
});

/** What the creator has before giving the seed: the accepter has given the other one. */
export const acceptedReceipt = receiptText({
  ...beginning,
  version: 1,
  accepterSeed: clientSeedHash(ACCEPTER_SEED),
  hash: row('accept').hash,
});

export const receipt = receiptText({
  game: GAME_ID,
  version: end.seq,
  commitment: commitment(serverSeed),
  creatorSeed: clientSeedHash(CREATOR_SEED),
  accepterSeed: clientSeedHash(ACCEPTER_SEED),
  dealRoot: start['dealRoot'] as string,
  hash: end.hash,
  outcome: record.outcome,
});

const other = (last: number): string => `0198c0de-0000-7000-8000-${String(last).padStart(12, '0')}`;
const ofOthers = (text: string): string => hexOf(sha256(text));

export const OPEN: LogEntry = {
  type: 'open',
  game: GAME_ID,
  commitment: commitment(serverSeed),
  hash: row('create').hash,
};
export const END: LogEntry = {
  type: 'end',
  game: GAME_ID,
  end: 'finished',
  by: null,
  outcome: record.outcome,
  serverSeed: SERVER_SEED,
  hash: end.hash,
};

const opened = (last: number): LogEntry => ({
  type: 'open',
  game: other(last),
  commitment: ofOthers(`commitment ${last}`),
  hash: ofOthers(`create ${last}`),
});

export const ENTRIES: readonly LogEntry[] = [
  opened(11),
  OPEN,
  opened(12),
  {
    ...END,
    game: other(12),
    end: 'cancelled',
    outcome: null,
    serverSeed: ofOthers('seed 12'),
    hash: ofOthers('create 12'),
  },
  opened(13),
  END,
  opened(14),
];
export const PLACE = ENTRIES.indexOf(END);
export const leaves = ENTRIES.map((entry) => leafHash(printEntry(entry)));
export const tile: TileReader = () => Uint8Array.from(leaves.flatMap((leaf) => [...leaf]));
export const size = ENTRIES.length;
export const path = inclusionProof(PLACE, size, tile);
const checkpoint = printCheckpoint({ origin: log.key.name, size, root: rootAt(size, tile) });
export const signedReceipt = noteOf(server, receipt);
const signedCheckpoint = noteOf(log, checkpoint);
export const logProof = printLogProof({ index: PLACE, path, checkpoint: signedCheckpoint });

/** What is kept beside this file, by name. */
export const files: Readonly<Record<string, string>> = {
  'record.json': `${JSON.stringify(record, null, 2)}\n`,
  'opening.txt': noteOf(server, openingReceipt),
  'accepted.txt': noteOf(server, acceptedReceipt),
  'receipt.txt': signedReceipt,
  'end.tlog-proof': logProof,
  'keys.txt': `${printVerifierKey(server.key)}\n${printVerifierKey(log.key)}\n`,
};

/** What `npm run verify` is called with. */
export const ARGUMENTS: readonly string[] = [
  '--receipt', `${FOLDER}/opening.txt`,
  '--receipt', `${FOLDER}/accepted.txt`,
  '--receipt', `${FOLDER}/receipt.txt`,
  '--proof', `${FOLDER}/end.tlog-proof`,
  '--key', `${FOLDER}/keys.txt`,
  `${FOLDER}/record.json`,
]; // prettier-ignore
