import { clientSeedHash, commitment } from '../../src/fairness/commitment.js';
import { deal } from '../../src/fairness/deal.js';
import { bytesOfHex, hexOf, hmac, sha256 } from '../../src/fairness/digest.js';
import type { Row } from '../../src/fairness/record.js';
import { canonicalJson } from '../../src/fairness/json.js';
import { printEntry } from '../../src/fairness/log-entry.js';
import { printVerifierKey, type VerifierKey } from '../../src/fairness/note.js';
import { nodeHash, rootAt } from '../../src/fairness/tlog.js';
import { squareIndex } from '../../src/rules/board.js';
import { ACCEPTER_SEED, CREATOR_SEED, GAME_ID } from './made.js';
import { SERVER_SEED } from './made.js';
import {
  banqi,
  serverSeed,
  SQUARE,
  rows,
  row,
  start,
  end,
  signature,
  server,
  log,
  acceptedReceipt,
  openingReceipt,
  receipt,
  OPEN,
  END,
  PLACE,
  ENTRIES,
  leaves,
  tile,
  size,
  path,
  signedReceipt,
  logProof,
  FOLDER,
  ARGUMENTS,
} from './worked-example.js';

/** Builds docs/fairness-example.md, the worked example of docs/fairness.md. */

const block = (text: string, language = ''): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Lines of a name and a value, the values below each other. */
const values = (pairs: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return block(pairs.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n'));
};

const K = (message: readonly unknown[]): Uint8Array => hmac(serverSeed, canonicalJson(message));
const dealMessage = (at: number) => ['halfmove deal 2', GAME_ID, CREATOR_SEED, ACCEPTER_SEED, at];
const sidesMessage = ['halfmove sides 2', GAME_ID, CREATOR_SEED, ACCEPTER_SEED];
const saltMessage = ['halfmove salt 2', GAME_ID, SQUARE];
const stream = [0, 1, 2, 3].flatMap((at) => [...K(dealMessage(at))]);
const numbers = Array.from({ length: stream.length / 4 }, (_, at) =>
  Buffer.from(stream).readUInt32BE(4 * at),
);
const dealt = deal(banqi, {
  gameId: GAME_ID,
  serverSeed,
  creatorSeed: CREATOR_SEED,
  accepterSeed: ACCEPTER_SEED,
})!;

/** One line a draw: which number of the key stream, and what becomes of it. */
function draws(): string {
  const items = [...banqi.dealing[0]!];
  const lines: string[] = [];
  let used = 0;
  for (let k = items.length - 1; k > 0; k--) {
    const limit = Math.floor(2 ** 32 / (k + 1)) * (k + 1);
    let u = numbers[used++]!;
    while (u >= limit) u = numbers[used++]!;
    const j = u % (k + 1);
    [items[k], items[j]] = [items[j]!, items[k]!];
    if (k >= 27 || k === 1) lines.push(`k ${String(k).padStart(2)}  u ${String(u).padStart(10)}  limit ${limit}  j ${String(j).padStart(2)}  ${items.join('')}`); // prettier-ignore
    if (k === 27) lines.push('...');
  }
  if (items.join('') !== dealt) throw new Error('The draws give another deal.');
  return lines.join('\n');
}

const proof = row('ply').proof!;
const letter = row('ply').data['reveals'] as string;
const leafText = `leaf:${SQUARE}:${letter}:${proof.salt}`;

/** From the leaf to the root, one line a level. */
function climb(): readonly (readonly [string, string])[] {
  let at = squareIndex(banqi.board, SQUARE);
  let node = sha256(leafText);
  return proof.path.map((sibling, level) => {
    const other = bytesOfHex(sibling);
    const isLeft = at % 2 === 0;
    node = isLeft ? nodeHash(node, other) : nodeHash(other, node);
    at >>= 1;
    return [
      `level ${level + 1}, node ${at}`,
      `H(01 || ${isLeft ? 'own || sibling' : 'sibling || own'}) = ${hexOf(node)}`,
    ] as const;
  });
}

const hashed = ({ seq, type, player, data, at, previousHash }: Row): string =>
  canonicalJson({ game: GAME_ID, seq, type, player, data, at, previousHash });

const shownRow = (title: string, of: Row): string => `${title}\n\n${block(hashed(of))}\n\n\`${of.hash}\``;

const chainTable = rows
  .map(({ seq, type, player, data, hash }) => {
    const what = type === 'ply' ? `ply ${String(data['ply'])}: ${String(data['san'])}` : type;
    return `| ${seq} | ${what} | ${player ?? ''} | \`${hash.slice(0, 16)}...\` |`;
  })
  .join('\n');

const hex = (text: string | Uint8Array): string => Buffer.from(text).toString('hex');
const signedBytes = Buffer.from(receipt);
const keyIdHex = (key: VerifierKey): string => key.keyId.toString(16).padStart(8, '0');

/** The whole page; `verdict` is what the program prints. */
export const page = (verdict: readonly string[]): string => `# A game of Banqi, byte by byte

For programmers who write a verifier: a whole game of [fairness.md](fairness.md), from the seeds to the proof in the log.

The files are in [test/fairness/example](../${FOLDER}): [record.json](../${FOLDER}/record.json), [opening.txt](../${FOLDER}/opening.txt), [accepted.txt](../${FOLDER}/accepted.txt), [receipt.txt](../${FOLDER}/receipt.txt), [end.tlog-proof](../${FOLDER}/end.tlog-proof), [keys.txt](../${FOLDER}/keys.txt). The user ids are short here, \`u-1\` and \`u-2\`. A program writes this page: [worked-page.ts](../test/fairness/worked-page.ts).

## The seeds

${values([
  ['game', GAME_ID],
  ['server seed', SERVER_SEED],
  ["creator's seed", CREATOR_SEED],
  ["accepter's seed", ACCEPTER_SEED],
])}

The commitment is the hash of the 32 bytes of the server seed; the hash of a client seed is that of its 32 characters:

${values([
  ['commitment', commitment(serverSeed)],
  ['creator', clientSeedHash(CREATOR_SEED)],
  ['accepter', clientSeedHash(ACCEPTER_SEED)],
])}

## The deal

The message of block 0 of the key stream is ${canonicalJson(dealMessage(0)).length} bytes of ASCII. HMAC-SHA-256 gives 32 bytes for it, and 32 for block 1:

${block(canonicalJson(dealMessage(0)))}

${values([
  ['block 0', hexOf(K(dealMessage(0)))],
  ['block 1', hexOf(K(dealMessage(1)))],
])}

The first number is \`${hexOf(K(dealMessage(0))).slice(0, 8)}\` = ${numbers[0]}. The list \`${banqi.dealing[0]!}\` (items 0 to 31) is shuffled; each line shows the list after the swap:

${block(draws())}

The last line is the deal: a1 is \`${dealt[0]!}\`, b1 \`${dealt[1]!}\`, c1 \`${dealt[2]!}\`, d1 \`${dealt[3]!}\`, a2 \`${dealt[4]!}\`, b2 \`${dealt[5]!}\`, and d8 \`${dealt[31]!}\`.

## The sides

No player asked for a side, and both were first equally often before, so the seeds decide. The message is \`${canonicalJson(sidesMessage)}\`, the first byte of its HMAC is \`${hexOf(K(sidesMessage)).slice(0, 2)}\`, and its lowest bit is ${K(sidesMessage)[0]! & 1}: ${start['creator'] === 'first' ? 'the creator' : 'the accepter'} is first.

## The deal root

Square ${SQUARE} is leaf ${squareIndex(banqi.board, SQUARE)}, counted from 0. Its salt is the HMAC of \`${canonicalJson(saltMessage)}\`:

${values([
  ['salt', proof.salt],
  ['text', leafText],
  ['leaf', hexOf(sha256(leafText))],
])}

The proof of ply 1, which turned up the piece, has this salt and this path. It leads from the leaf to the root:

${values(proof.path.map((sibling, level) => [`path[${level}]`, sibling] as const))}

${values([...climb(), ['dealRoot', start['dealRoot'] as string]])}

## The chain

| seq | row | player | hash |
|---|---|---|---|
${chainTable}

These are the complete texts that are hashed for some of the rows, each with its hash.

${shownRow('`create` announces the hash of the creator’s seed. Its `previousHash` is null:', row('create'))}

${shownRow('`accept` has the accepter’s seed, and how often each player was first before. The game waits for the creator’s seed; until then the creator is called `first`:', row('accept'))}

${shownRow('`seed` is the creator’s:', row('seed'))}

${shownRow('`start` has the same version:', row('start'))}

${shownRow(`Ply 1 turns up ${SQUARE}. Its \`proof\` is beside the hash, not in it:`, row('ply'))}

Ply 3 is taken back; \`data.ply\` is the ply to which play returns. The row of the old ply 3 stays where it was, and the new ply 3 has a new version:

${shownRow('', row('acceptTakeback')).trimStart()}

${shownRow('`end` has the version of the resignation. Its hash is the newest and covers everything above:', end)}

## The receipts

\`opening.txt\` is the receipt of the opening. The accepter had it before accepting. It shows that the server had committed itself, and that the creator was bound to a seed, before the accepter's was known:

${block(openingReceipt)}

\`accepted.txt\` is the receipt of the acceptance. The creator had it before giving the seed. It also binds the accepter's seed:

${block(acceptedReceipt)}

\`receipt.txt\` is the receipt of the last version. The signature is over this text with the newline at its end, ${signedBytes.length} bytes:

${block(receipt)}

The secret keys of this example are the bytes \`01\` and \`02\`, each 32 times (RFC 8032). The key of receipts is named \`${server.key.name}\`:

${values([
  ['public key', hexOf(server.key.publicKey)],
  ['key id', `first 4 bytes of H(${hex(server.key.name)} 0a 01 || public key) = ${keyIdHex(server.key)}`],
  ['verifier key', printVerifierKey(server.key)],
  ['signature', hex(signature(server, receipt))],
])}

The note is the text, an empty line, and this line (\`—\` is U+2014, in UTF-8 \`e28094\`):

${block(signedReceipt.slice(receipt.length + 1))}

## The log

The log has seven entries. Those of this game are at places ${ENTRIES.indexOf(OPEN)} and ${PLACE}, counted from 0:

${block([OPEN, END].map(printEntry).join('\n'))}

${values([
  [`leaf ${ENTRIES.indexOf(OPEN)}`, hexOf(leaves[ENTRIES.indexOf(OPEN)]!)],
  [`leaf ${PLACE}`, hexOf(leaves[PLACE]!)],
])}

The tree over seven leaves is split after the largest power of two below seven: 0 to 3 on the left, 4 to 6 on the right. The right part is split into 4 to 5, and 6. The proof of place ${PLACE} therefore has three hashes, from below: leaf 4, leaf 6, and the root of 0 to 3.

${values([
  ['path[0]', hexOf(path[0]!)],
  ['path[1]', hexOf(path[1]!)],
  ['path[2]', hexOf(path[2]!)],
  ['4 to 5', `H(01 || path[0] || leaf 5) = ${hexOf(nodeHash(path[0]!, leaves[PLACE]!))}`],
  ['4 to 6', `H(01 || 4 to 5 || path[1]) = ${hexOf(nodeHash(nodeHash(path[0]!, leaves[PLACE]!), path[1]!))}`],
  ['root', `H(01 || path[2] || 4 to 6) = ${hexOf(rootAt(size, tile))}`],
])}

\`end.tlog-proof\` has these hashes in base 64 and, after an empty line, the checkpoint: origin, size, root in base 64, and the signature over these three lines by the key of the log, \`${printVerifierKey(log.key)}\`.

${block(logProof)}

## What a verifier says

${block(`npm run -s verify -- ${ARGUMENTS.slice(0, 4).join(' ')} \\\n  ${ARGUMENTS.slice(4).join(' ')}`, 'sh')}

${block(verdict.join('\n'))}
`;
