import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import type { GameRecord } from '../../src/fairness/record.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { printEntry, type LogEntry } from '../../src/fairness/log-entry.js';
import { printNote, printVerifierKey, verifierKey, type VerifierKey } from '../../src/fairness/note.js';
import { receiptText, type Receipt } from '../../src/fairness/receipt.js';
import { leafHash, nodeHash } from '../../src/fairness/tlog.js';
import { printCheckpoint, printLogProof } from '../../src/fairness/tlog-formats.js';
import { rulesetById } from '../../src/rules/registry.js';
import { rounds } from '../support/scale.js';
import { ACCEPTER_SEED, CREATOR_SEED, GAME_ID, Made, rechained, SEEK_ID } from './made.js';
import { differences, drawn, python, statusesIn, withPython } from './python.js';

/** What a player was shown, given to the program: receipts, log proofs, keys. */

const folder = mkdtempSync(join(tmpdir(), 'halfmove-shown-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Signer {
  readonly key: VerifierKey;
  readonly secret: KeyObject;
}

function signer(name: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return { key: verifierKey(name, Uint8Array.from(raw)), secret: privateKey };
}

const server = signer('halfmove.example');
const log = signer('halfmove.example/log');
const stranger = signer('halfmove.example');

const noteOf = (text: string, { key, secret }: Signer): string =>
  printNote({
    text,
    signatures: [{ ...key, bytes: Uint8Array.from(sign(null, Buffer.from(text), secret)) }],
  });

let files = 0;
function fileOf(content: string): string {
  const path = join(folder, String(files++));
  writeFileSync(path, content);
  return path;
}

interface Ran {
  readonly code: number;
  readonly text: string;
}

/** The arguments of the program in these tests, and its output. */
const called: (readonly [readonly string[], Ran])[] = [];

async function verified(...args: readonly string[]): Promise<Ran> {
  const lines: string[] = [];
  const code = await run(args, (line) => lines.push(line));
  const ran = { code, text: lines.join('\n') };
  called.push([args, ran]);
  return ran;
}

const record = new Made(rulesetById('banqi-taiwan')!, {
  kind: 'seek',
  seek: SEEK_ID,
  announced: ['creator', 'accepter'],
})
  .wander(6)
  .act('second', 'resign').record;
const file = fileOf(JSON.stringify(record));
const [create, accept] = record.rows;
const last = record.rows.at(-1)!;
const key = ['--key', printVerifierKey(server.key)];
const logKey = ['--key', printVerifierKey(log.key)];

const receiptAt = (version: number, more: Partial<Receipt> = {}): Receipt => ({
  game: GAME_ID,
  version,
  commitment: create!.data['commitment'] as string,
  creatorSeed: clientSeedHash(CREATOR_SEED),
  accepterSeed: version < 1 ? null : clientSeedHash(ACCEPTER_SEED),
  dealRoot:
    version < 3 ? null : (record.rows.find(({ type }) => type === 'start')!.data['dealRoot'] as string),
  hash: record.rows.findLast(({ seq }) => seq <= version)!.hash,
  outcome: version < last.seq ? null : record.outcome,
  ...more,
});

const receipt = (version: number, more: Partial<Receipt> = {}, by = server): string =>
  fileOf(noteOf(receiptText(receiptAt(version, more)), by));

/** Two entries in a log of two, and the proof of each. */
function proofs(
  first: LogEntry,
  second: LogEntry,
  by = log,
  origin = log.key.name,
): readonly [string, string] {
  const [a, b] = [first, second].map((entry) => leafHash(printEntry(entry))) as [Uint8Array, Uint8Array];
  const checkpoint = noteOf(printCheckpoint({ origin, size: 2, root: nodeHash(a, b) }), by);
  return [
    fileOf(printLogProof({ index: 0, path: [b], checkpoint })),
    fileOf(printLogProof({ index: 1, path: [a], checkpoint })),
  ];
}

const opening: LogEntry = {
  type: 'open',
  game: GAME_ID,
  commitment: receiptAt(0).commitment,
  hash: create!.hash,
};
const seek = { commitment: 'ab'.repeat(32), hash: 'cd'.repeat(32) };
const openingOfSeek: LogEntry = { type: 'open', game: SEEK_ID, ...seek };
const end: LogEntry = {
  type: 'end',
  game: GAME_ID,
  end: 'finished',
  by: null,
  outcome: record.outcome,
  serverSeed: record.serverSeed,
  hash: last.hash,
};
const ofSeek = receipt(0, { game: SEEK_ID, ...seek, creatorSeed: null, accepterSeed: null });

describe('a receipt', () => {
  it.each(record.rows.map(({ seq }) => seq))('of version %d agrees with the record', async (version) => {
    const { code, text } = await verified('--receipt', receipt(version), ...key, file);
    expect(text).toMatch(/^ok {6}receipt {6}version/m);
    // Two paired seeks, and the log is not shown.
    expect(code).toBe(3);
  });

  it.each([
    ['another commitment', { commitment: '0'.repeat(64) }],
    ['another seed', { creatorSeed: '0'.repeat(64) }],
    ['no seed', { accepterSeed: null }],
    ['another deal root', { dealRoot: '0'.repeat(64) }],
    ['another hash', { hash: '0'.repeat(64) }],
    ['another outcome', { outcome: { winner: null, reason: 'agreement' as const } }],
    ['another game', { game: '0198c0de-0000-7000-8000-000000000009' }],
    ['a later version', { version: 99 }],
  ])('with %s shows that the record differs', async (_, more) => {
    const { code, text } = await verified('--receipt', receipt(6, more), ...key, file);
    expect([code, /^FAILED {2}receipt/m.test(text)]).toEqual([1, true]);
  });

  it('exposes a game that was made up afterwards', async () => {
    const later = record.rows.map((row) =>
      row.type === 'resign' ? { ...row, at: '2026-01-31T10:00:00.000Z' } : row,
    );
    const forged: GameRecord = rechained(record, later.map((row) => (row.type === 'end' ? { ...row, at: '2026-01-31T10:00:00.000Z' } : row))); // prettier-ignore
    const path = fileOf(JSON.stringify(forged));
    expect((await verified(path)).code).toBe(3);
    expect((await verified('--receipt', receipt(last.seq), ...key, path)).code).toBe(1);
    expect((await verified('--receipt', receipt(last.seq - 1), ...key, path)).code).toBe(3);
  });

  it('may have another newline at its end, as shells add it', async () => {
    const added = fileOf(`${readFileSync(receipt(6), 'utf8')}\n`);
    expect((await verified('--receipt', added, ...key, file)).text).toMatch(/^ok {6}receipt {6}version/m);
  });

  it('of the joined seek contains the seed of the game', async () => {
    const [right, wrong] = [ACCEPTER_SEED, CREATOR_SEED].map((seed) =>
      receipt(0, { game: SEEK_ID, ...seek, creatorSeed: clientSeedHash(seed), accepterSeed: null }),
    ) as [string, string];
    expect((await verified('--receipt', right, ...key, file)).code).toBe(3);
    const { code, text } = await verified('--receipt', wrong, ...key, file);
    expect([code, /^FAILED {2}receipt {6}of the seek .* another seed/m.test(text)]).toEqual([1, true]);
  });

  it('without a key leaves the signer open; with a wrong signature it fails', async () => {
    expect((await verified('--receipt', receipt(4), file)).text).toMatch(/^open {4}receipt {6}.*give --key/m);
    const known = { key: server.key, secret: stranger.secret };
    const { code, text } = await verified('--receipt', receipt(4, {}, known), ...key, file);
    expect([code, /the signature of halfmove\.example is wrong/.test(text)]).toEqual([1, true]);
  });

  it('may be given with the document of the keys', async () => {
    const document = fileOf(
      JSON.stringify({ name: 'x', keys: [{ key: printVerifierKey(server.key), use: 'receipts' }] }),
    );
    const { text } = await verified('--receipt', receipt(4), '--key', document, file);
    expect(text).not.toContain('give --key');
    const none = await verified('--receipt', receipt(4), '--key', fileOf('{}'), file);
    expect([none.code, none.text]).toEqual([2, expect.stringMatching(/^not verified: .* no verifier key$/)]);
  });
});

describe('the log', () => {
  it('contains the opening and the end, in this order for two paired seeks', async () => {
    const [own, other] = proofs(opening, openingOfSeek);
    const [, over] = proofs(openingOfSeek, end);
    const args = [
      '--receipt',
      receipt(1),
      '--receipt',
      receipt(last.seq),
      '--receipt',
      ofSeek,
      ...key,
      ...logKey,
    ];
    const { code, text } = await verified(...args, '--proof', own, '--proof', other, '--proof', over, file);
    expect(text).toMatch(/^ok {6}log {10}the end is at index 1 of 2/m);
    expect(text).toMatch(/^ok {6}log {10}of the two seeks that met, the earlier one is the game/m);
    expect(code).toBe(0);
    const [first, second] = proofs(openingOfSeek, opening);
    expect((await verified(...args, '--proof', first, '--proof', second, file)).text).toMatch(/^FAILED {2}log {10}of the two seeks that met, the later/m); // prettier-ignore
  });

  it('is one log for two paired seeks', async () => {
    const [own] = proofs(opening, end);
    const [, other] = proofs(end, openingOfSeek, log, 'elsewhere.example/log');
    const { text } = await verified('--receipt', ofSeek, '--proof', own, '--proof', other, file);
    expect(text).toMatch(/^FAILED {2}log {10}the two openings are in different logs/m);
  });

  it('contradicts the record, or has another signer', async () => {
    const [other] = proofs({ ...opening, hash: '0'.repeat(64) }, end);
    // Without its receipt it might belong to the joined seek, which the server could have made up.
    expect((await verified('--proof', other, ...logKey, file)).text).toMatch(
      /^FAILED {2}log {10}the proof is of an entry that does not follow from this record\. If it is of the seek/m,
    );
    const [, turned] = proofs(opening, { ...end, outcome: { winner: 'second', reason: 'resignation' } });
    expect((await verified('--proof', turned, ...logKey, '--receipt', receipt(6), ...key, file)).code).toBe(
      1,
    );
    const known = ['--receipt', ofSeek, '--proof', other, ...logKey, file];
    expect((await verified(...known)).text).toMatch(
      /^FAILED {2}log {10}the proof is of an entry that does not follow from this record$/m,
    );
    const [own] = proofs(opening, end, server);
    expect((await verified('--proof', own, ...key, file)).text).toMatch(/^FAILED {2}log {10}it is signed by halfmove\.example, /m); // prettier-ignore
    expect((await verified('--proof', fileOf('x'), file)).text).toMatch(/^FAILED {2}log/m);
    const [unsigned] = proofs(opening, end);
    expect((await verified('--proof', unsigned, file)).text).toMatch(/^open {4}log {10}.*give --key/m);
  });
});

describe('the end', () => {
  const { record: played } = new Made(rulesetById('chess')!, { side: 'first' })
    .play('e2e4')
    .act('second', 'resign');
  const path = fileOf(JSON.stringify(played));
  const [, over] = proofs(openingOfSeek, { ...end, outcome: played.outcome, serverSeed: played.serverSeed, hash: played.rows.at(-1)!.hash }); // prettier-ignore

  it('is shown by its proof alone, of a log that a trusted key and each witness signed', async () => {
    const { code, text } = await verified('--proof', over, ...logKey, path);
    expect(text).toMatch(
      /^ok {6}shown {8}the end: shown by the proof of the end\. .*: all rows rest on it$/m,
    );
    expect(text).not.toMatch(/^open/m);
    expect(code).toBe(0);
    const unknown = await verified('--proof', over, path);
    expect([unknown.code, unknown.text]).toEqual([3, expect.stringMatching(/^open {4}shown/m)]);
    const witness = printVerifierKey(verifierKey('witness.example', stranger.key.publicKey, 'witness'));
    const alone = await verified('--proof', over, ...logKey, '--witness', witness, path);
    expect([alone.code, alone.text]).toEqual([3, expect.stringMatching(/^open {4}shown/m)]);
  });

  it('is told to be shown by what may be from the same moment as the record', async () => {
    // The server turned the end round: what is older than the end does not contradict it.
    const turned = rechained(record, record.rows.map((row) => (row.type === 'resign' ? { ...row, player: 'first' as const } : row.type === 'end' ? { ...row, data: { ...row.data, winner: 'second' } } : row))); // prettier-ignore
    const forged = { ...turned, outcome: { winner: 'second' as const, reason: 'resignation' as const } };
    const now = receipt(last.seq, { hash: forged.rows.at(-1)!.hash, outcome: forged.outcome });
    const { text } = await verified('--receipt', receipt(6), '--receipt', now, ...key, fileOf(JSON.stringify(forged))); // prettier-ignore
    const behind = record.rows.filter(({ seq }) => seq > 6).length;
    expect(text).not.toMatch(/^FAILED/m);
    expect(text).toMatch(new RegExp(`^ok {6}shown {8}the end: shown by the receipt of version ${last.seq}\\. This may be from the same moment as the record, .*: the last ${behind} rows rest on it$`, 'm')); // prettier-ignore
    const kept = await verified('--receipt', receipt(last.seq), ...key, fileOf(JSON.stringify(forged)));
    expect([kept.code, kept.text]).toEqual([1, expect.stringMatching(/^FAILED {2}receipt/m)]);
  });

  it('counts the rows that an older hash covers', async () => {
    const { text } = await verified('--hash', record.rows[4]!.hash, '--receipt', receipt(last.seq), ...key, file); // prettier-ignore
    expect(text).toMatch(new RegExp(`the last ${record.rows.length - 5} rows rest on it$`, 'm'));
    const newest = await verified('--hash', last.hash, '--receipt', receipt(last.seq), ...key, file);
    expect(newest.text).toMatch(new RegExp(`shown by the newest hash and the receipt of version ${last.seq}\\. .*all rows`)); // prettier-ignore
  });
});

describe('a record in a file', () => {
  it('has no name twice', async () => {
    const twice = fileOf(JSON.stringify(record).replace('{', '{"format":1,'));
    expect((await verified(twice)).code).toBe(1);
    expect(accept!.type).toBe('accept');
  });

  it('says so if nothing was shown of it', async () => {
    expect((await verified(file)).text).toMatch(
      /^open {4}shown {8}you have given nothing that you were shown/m,
    );
  });
});

withPython('the verifier in Python', () => {
  it('has the same results for everything in these tests', () => {
    expect(called.length).toBeGreaterThan(25);
    for (const [args, { code, text }] of drawn(called, rounds(called.length, 12))) {
      const theirs = python(args);
      expect([args, theirs.code, differences(statusesIn(text), statusesIn(theirs.text))]).toEqual([args, code, []]); // prettier-ignore
    }
  });
});
