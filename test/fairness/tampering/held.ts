import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { GameRecord, Row } from '../../../src/fairness/record.js';
import type { Shown } from '../../../src/fairness/verification/shown.js';
import type { Signed } from '../../../src/fairness/signed.js';
import { printEntry, type Aborter, type LogEntry } from '../../../src/fairness/log-entry.js';
import { printNote, verifierKey, verifyNote, type VerifierKey } from '../../../src/fairness/note.js';
import { receiptText, type Receipt } from '../../../src/fairness/receipt.js';
import { grown, inclusionProof, leafHash, rootOf, type Tile } from '../../../src/fairness/tlog.js';
import { parseLogProof, printCheckpoint, printLogProof } from '../../../src/fairness/tlog-formats.js';
import { SEEK_ID } from '../made.js';

/** What players and strangers hold of a game: receipts, and proofs from the log of all games. */

export interface Signer {
  readonly key: VerifierKey;
  readonly secret: KeyObject;
}

export function signer(name: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return { key: verifierKey(name, Uint8Array.from(raw)), secret: privateKey };
}

export const server = signer('halfmove.example');
export const log = signer('halfmove.example/log');
/** Has the server's name and another key. */
export const stranger = signer('halfmove.example');
const trusted = [server.key, log.key];

/** A text signed by some. */
export const signed = (text: string, ...by: readonly Signer[]): string =>
  printNote({
    text,
    signatures: by.map(({ key, secret }) => ({
      ...key,
      bytes: Uint8Array.from(sign(null, Buffer.from(text), secret)),
    })),
  });

/** What the server signs at a version, worked out from the rows as docs/fairness.md says. */
export function receiptOf({ id, rows }: GameRecord, version: number): Receipt {
  const until = rows.filter(({ seq }) => seq <= version);
  const of = (type: string): Row['data'] => until.find((row) => row.type === type)?.data ?? {};
  const given = (role: string): unknown =>
    until.find(({ type, data }) => type === 'seed' && data['by'] === role)?.data['clientSeedHash'];
  const hash = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    game: id,
    version,
    commitment: of('create')['commitment'] as string,
    creatorSeed: hash(of('create')['clientSeedHash'] ?? given('creator')),
    accepterSeed: hash(of('accept')['clientSeedHash'] ?? given('accepter')),
    dealRoot: hash(of('start')['dealRoot']),
    hash: until.at(-1)!.hash,
    outcome: until.some(({ type }) => type === 'end') ? (of('end') as unknown as Receipt['outcome']) : null,
  };
}

const SEEK = { commitment: 'ab'.repeat(32), hash: 'cd'.repeat(32) };
export const opening = ({ id, rows }: GameRecord): LogEntry => ({
  ...{ type: 'open', game: id, hash: rows[0]!.hash },
  commitment: rows[0]!.data['commitment'] as string,
});
export const openingOfSeek: LogEntry = { type: 'open', game: SEEK_ID, ...SEEK };
export const receiptOfSeek: Receipt = {
  ...{ game: SEEK_ID, version: 0, ...SEEK, creatorSeed: null },
  ...{ accepterSeed: null, dealRoot: null, outcome: null },
};
const elsewhere = (n: number): LogEntry => ({ ...openingOfSeek, game: `0198c0de-0000-7000-8000-0000000000f${n}` }); // prettier-ignore

/** Null where the game goes on. */
export function ending({ id, rows, outcome, serverSeed }: GameRecord, by: Aborter | null): LogEntry | null {
  if (outcome === null) return null;
  const end = outcome.reason === 'aborted' ? 'aborted' : 'finished';
  return { type: 'end', game: id, end, by, outcome, serverSeed, hash: rows.at(-1)!.hash };
}

/** A log with these entries among others, and the proof of each of them. */
export function proofsIn(
  entries: readonly LogEntry[],
  by: readonly Signer[] = [log],
  origin = log.key.name,
): readonly string[] {
  const all = [elsewhere(0), ...entries.flatMap((entry, at) => [entry, elsewhere(at + 1)])];
  const leaves = all.map((entry) => leafHash(printEntry(entry)));
  const nodes = grown(0, leaves, () => new Uint8Array());
  const read = ({ level, index, width }: Tile): Uint8Array =>
    Buffer.concat(
      nodes
        .filter((node) => node.level === level)
        .slice(index * 256, index * 256 + width)
        .map(({ hash }) => hash),
    );
  const checkpoint = signed(printCheckpoint({ origin, size: all.length, root: rootOf(leaves) }), ...by);
  return entries.map((_, at) => {
    const index = 2 * at + 1;
    return printLogProof({ index, path: inclusionProof(index, all.length, read), checkpoint });
  });
}

/** A receipt with the verdict on its signatures. */
export const asReceipt = async (written: string): Promise<Signed> => ({
  written,
  verdict: await verifyNote(written, trusted),
});

/** A proof with the verdict on its checkpoint. */
export async function asProof(written: string): Promise<Signed> {
  const proof = parseLogProof(written);
  return proof.ok
    ? { written, verdict: await verifyNote(proof.value.checkpoint, trusted) }
    : { written, verdict: { outcome: 'malformed', why: proof.why } };
}

/** What is held of a game that was played so. */
export interface Held {
  /** The newest receipt that a player got before the end. */
  readonly before: Shown;
  /** That of the end; null where the game goes on. */
  readonly end: Shown | null;
  /** What a stranger has from the log; where two seeks met, with the receipt of the one that was joined. */
  readonly log: Shown;
}

export async function heldOf(record: GameRecord, by: Aborter | null): Promise<Held> {
  const last = record.rows.at(-1)!;
  const version = record.outcome === null ? last.seq : record.rows.findLast(({ seq }) => seq < last.seq)!.seq;
  const at = async (each: number): Promise<Shown> => ({
    receipts: [await asReceipt(signed(receiptText(receiptOf(record, each)), server))],
  });
  const met = record.rows.some(({ type, data }) => type === 'accept' && data['seek'] !== null);
  const end = ending(record, by);
  const entries = [opening(record), ...(met ? [openingOfSeek] : []), ...(end === null ? [] : [end])];
  const ofSeek = await asReceipt(signed(receiptText(receiptOfSeek), server));
  return {
    before: await at(version),
    end: end === null ? null : await at(last.seq),
    log: {
      proofs: await Promise.all(proofsIn(entries).map(asProof)),
      ...(met ? { receipts: [ofSeek] } : {}),
    },
  };
}
