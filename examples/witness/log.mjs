/**
 * Reads a log as specified by C2SP, given only its address: tree (RFC 6962), tiles (tlog-tiles), checkpoints
 * (signed-note, tlog-checkpoint), proofs (tlog-proof) and cosignatures (tlog-cosignature).
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

const WIDTH = 256;
const HASH = 32;
/** NAME+HEX(key id)+BASE64(type, public key). */
export const VERIFIER_KEY = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/;

// ------------------------------------------------------------------------------------------------ Hashes (RFC 6962)

export const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
export const leafHash = (entry) => sha256(Uint8Array.of(0), entry);
const nodeHash = (left, right) => sha256(Uint8Array.of(1), left, right);

/** The largest power of two below a size of at least 2: the size of the left subtree. */
function split(size) {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** The root over a list of hashes. */
export function rootOf(hashes) {
  if (hashes.length === 0) return sha256();
  if (hashes.length === 1) return hashes[0];
  const left = split(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)));
}

/** The root computed from a leaf at an index and its inclusion path. */
export function climbed(leaf, index, size, path) {
  let [hash, at, width] = [leaf, index, size];
  const siblings = [...path];
  for (; width > 1; at = Math.floor(at / 2), width = Math.ceil(width / 2)) {
    // A node without a sibling moves up unchanged.
    if (at % 2 === 1) hash = nodeHash(siblings.shift() ?? '', hash);
    else if (at + 1 < width) hash = nodeHash(hash, siblings.shift() ?? '');
  }
  return hash;
}

// --------------------------------------------------------------------------------------------- Tiles (C2SP tlog-tiles)

export async function fetched(server, path) {
  const answer = await fetch(`${server}${path}`, { signal: AbortSignal.timeout(30_000) });
  if (!answer.ok) throw new Error(`The server answered ${path} with status ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Writes 1234067 as x001/x234/067. */
const numbered = (index) => {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g);
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
};

/** A tile or an entry bundle; `count` is the number of nodes on that level. */
function tile(server, level, index, count) {
  const width = Math.min(WIDTH, count - index * WIDTH);
  return fetched(server, `/log/tile/${level}/${numbered(index)}${width < WIDTH ? `.p/${width}` : ''}`);
}

async function hashTile(server, level, index, count) {
  const bytes = await tile(server, level, index, count);
  if (bytes.length === HASH * Math.min(WIDTH, count - index * WIDTH)) return bytes;
  throw new Error(`Tile ${index} of level ${level} has the wrong size: ${bytes.length} bytes.`);
}

/** Computes roots of parts of a tree of this size from its tiles, fetching each tile once. */
export function treeOf(server, size) {
  const tiles = new Map();
  const read = (level, index) => {
    const key = `${level}/${index}`;
    if (!tiles.has(key)) tiles.set(key, hashTile(server, level, index, Math.floor(size / WIDTH ** level)));
    return tiles.get(key);
  };
  /** The root of a full subtree: its nodes are adjacent in one tile. */
  async function perfect(start, width) {
    let level = 0;
    while (WIDTH ** (level + 1) <= width) level++;
    const first = start / WIDTH ** level;
    const bytes = await read(level, Math.floor(first / WIDTH));
    const hashes = Array.from({ length: width / WIDTH ** level }, (_, at) =>
      bytes.subarray(((first % WIDTH) + at) * HASH, ((first % WIDTH) + at + 1) * HASH),
    );
    return rootOf(hashes);
  }
  const isPerfect = (width) => width === 1 || width === 2 * split(width);
  async function root(start, end) {
    if (start === end) return sha256();
    if (isPerfect(end - start)) return perfect(start, end - start);
    const middle = start + split(end - start);
    return nodeHash(await root(start, middle), await root(middle, end));
  }
  /** The roots of the first `old` entries and of all, from the same hashes, so that one tree is a prefix of the other. */
  async function roots(old, start = 0, end = size) {
    if (end <= old || start >= old) {
      const whole = await root(start, end);
      return [end <= old ? whole : null, whole];
    }
    const middle = start + split(end - start);
    const [was, is] = await roots(old, start, middle);
    const [wasBehind, isBehind] = await roots(old, middle, end);
    return [wasBehind === null ? was : nodeHash(was, wasBehind), nodeHash(is, isBehind)];
  }
  /** The inclusion path, from the sibling of the leaf upwards. */
  async function path(index, start = 0, end = size) {
    if (end - start === 1) return [];
    const middle = start + split(end - start);
    return index < middle
      ? [...(await path(index, start, middle)), await root(middle, end)]
      : [...(await path(index, middle, end)), await root(start, middle)];
  }
  return { roots, path };
}

/** The entries of one bundle: 256, or fewer in the last one. */
async function bundle(server, index, size) {
  const bytes = await tile(server, 'entries', index, size);
  const entries = [];
  for (let at = 0; at < bytes.length; at += 2 + bytes.readUInt16BE(at)) {
    entries.push(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)));
  }
  return entries;
}

/** All entries. */
export async function bundles(server, size) {
  const entries = [];
  for (let index = 0; index * WIDTH < size; index++) entries.push(...(await bundle(server, index, size)));
  return entries;
}

export const entryAt = async (server, place, size) => (await bundle(server, Math.floor(place / WIDTH), size))[place % WIDTH];

// ------------------------------------------------------------------------- Notes and keys (C2SP signed-note, checkpoint)

const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const keyOf = (raw) => createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
const keyId = (name, type, raw) => sha256(name, '\n', Uint8Array.of(type), raw).subarray(0, 4);

function keyIn(written) {
  const [, name, id, encoded] = VERIFIER_KEY.exec(written) ?? [];
  const raw = Buffer.from(encoded ?? '', 'base64').subarray(1);
  if (raw.length === HASH && keyId(name, 1, raw).toString('hex') === id) return { name, id, raw };
  throw new Error(`The key of a log must be NAME+ID+BASE64; got ${written}`);
}

/** True if the key has signed the checkpoint. Throws if its signature is wrong. */
export function hasSigned(key, { text, origin, signatures }) {
  const { name, id, raw } = keyIn(key);
  const own = name === origin ? signatures.filter((bytes) => bytes.subarray(0, 4).toString('hex') === id) : [];
  if (own.every((bytes) => verify(null, Buffer.from(text), keyOf(raw), bytes.subarray(4)))) return own.length > 0;
  throw new Error(`The signature of the checkpoint by the key ${key} is wrong.`);
}

/** The checkpoint in a note. Throws unless at least one of these keys has signed it. */
export function opened(note, keys) {
  const end = note.lastIndexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const [, origin, size, root] = /^([^\n]+)\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\n$/.exec(text) ?? [];
  if (origin === undefined) throw new Error(`The server's checkpoint is malformed:\n${note.slice(0, 300)}`);
  const lines = note.slice(end + 1).split('\n').map((line) => /^— (\S+) (\S+)$/.exec(line));
  const signatures = lines.filter((line) => line?.[1] === origin).map(([, , base64]) => Buffer.from(base64, 'base64'));
  const checkpoint = { note, text, origin, size: Number(size), root: Buffer.from(root, 'base64'), signatures };
  const signedBy = keys.filter((key) => hasSigned(key, checkpoint));
  if (signedBy.length > 0) return { ...checkpoint, signedBy };
  throw new Error(`The checkpoint is not signed by the key ${keys.join(' or ')}. If the log has a new key, ask its operator why, then start with a new --state and --key. If the key is that of a proof, fetch the proof again.`);
}

/** Parses a .tlog-proof (C2SP tlog-proof); the checkpoint in it remains a note. */
export function parsedProof(written) {
  const [, index, path, note] = /^c2sp\.org\/tlog-proof@v1\nindex (0|[1-9]\d{0,14})\n((?:[A-Za-z0-9+/]{43}=\n)*)\n([^]*)$/.exec(written) ?? [];
  if (index === undefined) throw new Error('The file is not a .tlog-proof.');
  return { index: Number(index), path: path.split('\n').slice(0, -1).map((line) => Buffer.from(line, 'base64')), note };
}

export const printProof = ({ index, path, note }) =>
  `${['c2sp.org/tlog-proof@v1', `index ${index}`, ...path.map((hash) => hash.toString('base64'))].join('\n')}\n\n${note}`;

/** The line by which a witness states that it saw this checkpoint now, consistent with all earlier ones. */
export function cosignature(text, { name, secret }) {
  const key = createPrivateKey(secret);
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const time = Math.floor(Date.now() / 1000);
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(time));
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key);
  return `— ${name} ${Buffer.concat([keyId(name, 4, raw), stamp, signature]).toString('base64')}\n`;
}

/** The public key for verifying the cosignatures. */
export function witnessKey({ name, secret }) {
  const raw = createPublicKey(createPrivateKey(secret)).export({ format: 'der', type: 'spki' }).subarray(-32);
  return `${name}+${keyId(name, 4, raw).toString('hex')}+${Buffer.concat([Uint8Array.of(4), raw]).toString('base64')}`;
}
