/** Reads receipts, and checks what the server has signed and hashed. Source: docs/fairness.md, "Receipts", "The chain". */

export interface Receipt {
  /** With its signatures. */
  readonly written: string;
  /** What is signed. */
  readonly text: string;
  readonly game: string;
  readonly version: number;
  /** The hashes of the client seeds, announced or given; null for none. */
  readonly creatorSeed: string | null;
  readonly accepterSeed: string | null;
  /** The newest hash of the chain at this version. */
  readonly hash: string;
  readonly isEnd: boolean;
  readonly signatures: readonly { readonly key: string; readonly bytes: Uint8Array }[];
}

/** A row of a record. */
export interface Row {
  readonly seq: number;
  readonly type: string;
  readonly player: string | null;
  readonly data: unknown;
  readonly at: string;
  readonly previousHash: string | null;
  readonly hash: string;
}

const HASH = '[0-9a-f]{64}';
const FORM = new RegExp(
  `^(halfmove receipt v1\\ngame ([0-9a-f-]{36})\\nversion (\\d{1,15})\\ncommitment ${HASH}\\n` +
    `creator-seed (${HASH}|none)\\naccepter-seed (${HASH}|none)\\ndeal-root (?:${HASH}|none)\\n` +
    `hash (${HASH})\\noutcome ([A-Za-z ]+)\\n)\\n((?:— [^\\s+]+ [A-Za-z0-9+/]+={0,2}\\n)+)$`,
);
const ID_BYTES = 4;

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const orNull = (value: string): string | null => (value === 'none' ? null : value);

/** Pages on plain http have no WebCrypto, and older browsers none with Ed25519: the verifier has both. */
const verifier = () => import('../generated/verify.js');

/** SHA-256 in hex of a text as UTF-8. */
export async function hashOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const { subtle } = crypto as Partial<typeof crypto>;
  return hexOf(
    subtle === undefined
      ? (await verifier()).sha256(bytes)
      : new Uint8Array(await subtle.digest('SHA-256', bytes)),
  );
}

/** Null for any other text. */
export function receiptOf(written: string): Receipt | null {
  const found = FORM.exec(written);
  if (found === null) return null;
  const [, text, game, version, creatorSeed, accepterSeed, hash, outcome, lines] = found as unknown as string[]; // prettier-ignore
  return {
    ...{ written, text: text!, game: game!, version: Number(version), hash: hash! },
    creatorSeed: orNull(creatorSeed!),
    accepterSeed: orNull(accepterSeed!),
    isEnd: outcome !== 'none',
    signatures: lines!
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, name, base64] = line.split(' ');
        const bytes = bytesOf(base64!);
        return { key: `${name}+${hexOf(bytes.slice(0, ID_BYTES))}+`, bytes: bytes.slice(ID_BYTES) };
      }),
  };
}

/** By these verifier keys, written NAME+HEX(key id)+BASE64(0x01, public key): valid needs one signature, and no wrong one. */
export async function signedBy(
  { text, signatures }: Receipt,
  keys: readonly string[],
): Promise<'valid' | 'wrong' | 'unknown'> {
  let verdict: 'valid' | 'unknown' = 'unknown';
  for (const { key: name, bytes } of signatures) {
    const key = keys.find((each) => each.startsWith(name));
    if (key === undefined) continue;
    if (!(await isSigned(bytesOf(key.slice(name.length)).slice(1), bytes, text))) return 'wrong';
    verdict = 'valid';
  }
  return verdict;
}

async function isSigned(key: Uint8Array<ArrayBuffer>, signature: Uint8Array, text: string): Promise<boolean> {
  const [message, bytes] = [new TextEncoder().encode(text), Uint8Array.from(signature)];
  try {
    const { subtle } = crypto;
    const imported = await subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', imported, bytes, message);
  } catch {
    return (await verifier()).isEd25519(bytes, message, key);
  }
}

/** RFC 8785, for rows: their numbers are whole. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}

/** Whether the rows above the version of a receipt go on from its hash, and lead to the one of a newer receipt. */
export async function leadsTo(newer: Receipt, from: Receipt, rows: readonly Row[]): Promise<boolean> {
  let [hash, reached] = [from.hash, from.hash];
  for (const { seq, type, player, data, at, previousHash, hash: own } of rows) {
    const hashed = canonical({ game: newer.game, seq, type, player, data, at, previousHash });
    if (previousHash !== hash || (await hashOf(hashed)) !== own) return false;
    hash = own;
    if (seq <= newer.version) reached = own;
  }
  return reached === newer.hash;
}
