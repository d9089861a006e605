import { base64Of, bytesOfBase64 } from './base64.js';
import { sha256 } from './digest.js';
import { isEd25519 } from './ed25519.js';
import { read, type Reading, unreadable } from './reading.js';

/**
 * Signed notes with Ed25519 (C2SP signed-note): a text, an empty line, and a line for each signature. This runs in
 * browsers as well: WebCrypto checks the signatures, where there is one.
 */

/** The longest note in characters, and the most signatures in one. */
const MAX_LENGTH = 1_000_000;
const MAX_SIGNATURES = 100;

/** The types of keys: for notes, or for cosignatures of witnesses (C2SP tlog-cosignature). */
const TYPES = { note: 0x01, witness: 0x04 } as const;
export type KeyType = keyof typeof TYPES;

const ID_BYTES = 4;
const KEY_BYTES = 32;
const TIME_BYTES = 8;

const NAME = '[^\\p{White_Space}\\x00-\\x1f+]+';
const BASE64 = '[A-Za-z0-9+/]+={0,2}';
const SIGNATURE_LINE = new RegExp(`^— (${NAME}) (${BASE64})$`, 'u');
const VERIFIER_KEY = new RegExp(`^(${NAME})\\+([0-9a-f]{8})\\+(${BASE64})$`, 'u');
const CONTROL = /[\x00-\x09\x0b-\x1f]/;
const HALF_OF_PAIR = /\p{Surrogate}/u;

/** A key by its name and the id derived from name and key. */
export interface KeyName {
  readonly name: string;
  readonly keyId: number;
}

/** A signature of any type, by a key that need not be known. */
export interface Signature extends KeyName {
  readonly bytes: Uint8Array;
}

export interface VerifierKey extends KeyName {
  readonly type: KeyType;
  /** 32 bytes (RFC 8032). */
  readonly publicKey: Uint8Array;
}

export interface Note {
  /** With the newline at its end. */
  readonly text: string;
  readonly signatures: readonly Signature[];
}

/** The verdict on the signatures of a note, given trusted keys. */
export type Verdict =
  | { readonly outcome: 'valid'; readonly note: Note; readonly by: readonly VerifierKey[] }
  /** A signature in the name of a known key is invalid, so the note must not be trusted. */
  | { readonly outcome: 'wrong'; readonly by: VerifierKey }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'malformed'; readonly why: string };

/** Parses a note strictly, so that it prints back to the same text. Signatures are not checked. */
export function parseNote(written: string): Reading<Note> {
  const fault = faultOf(written);
  if (fault !== null) return unreadable(fault);
  const end = written.lastIndexOf('\n\n') + 1;
  if (end === 0) return unreadable('A note must have an empty line before its signatures.');
  const lines = written.slice(end + 1, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) {
    return unreadable(`A note must have at most ${MAX_SIGNATURES} signatures; this one has ${lines.length}.`);
  }
  const signatures = lines.map(signature).filter((each) => each !== null);
  if (signatures.length < lines.length) {
    return unreadable(
      'Each line behind the last empty one must be a signature: — NAME BASE64(key id, signature).',
    );
  }
  return read({ text: written.slice(0, end), signatures });
}

function faultOf(written: string): string | null {
  if (written.length > MAX_LENGTH) return `A note must have at most ${MAX_LENGTH} characters.`;
  if (CONTROL.test(written)) return 'A note must have no control characters but newlines.';
  if (HALF_OF_PAIR.test(written)) return 'A note must be valid UTF-8.';
  return written.endsWith('\n') ? null : 'A note must end with a newline.';
}

function signature(line: string): Signature | null {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = encoded === undefined ? null : bytesOfBase64(encoded);
  if (name === undefined || bytes === null || bytes.length <= ID_BYTES) return null;
  return { name, keyId: numberOf(bytes), bytes: bytes.slice(ID_BYTES) };
}

/** A text that ends with a newline and has no other control characters, with its signatures. */
export function printNote({ text, signatures }: Note): string {
  const lines = signatures.map(
    ({ name, keyId, bytes }) => `— ${name} ${base64Of(Uint8Array.from([...idBytes(keyId), ...bytes]))}\n`,
  );
  return `${text}\n${lines.join('')}`;
}

/** The key of 32 bytes under a name that has neither spaces nor `+`. */
export function verifierKey(name: string, publicKey: Uint8Array, type: KeyType = 'note'): VerifierKey {
  const keyId = numberOf(sha256(name, '\n', Uint8Array.of(TYPES[type]), publicKey));
  return { name, keyId, publicKey, type };
}

/** As `NAME+HEX(key id)+BASE64(type, public key)`; the type is 0x01, or 0x04 of a witness. */
export const printVerifierKey = ({ name, keyId, publicKey, type }: VerifierKey): string =>
  `${name}+${hexOf(keyId)}+${base64Of(Uint8Array.from([TYPES[type], ...publicKey]))}`;

/** Parses what `printVerifierKey` prints; refuses other types and wrong key ids. */
export function parseVerifierKey(written: string, type: KeyType = 'note'): Reading<VerifierKey> {
  const [, name, id, encoded] = VERIFIER_KEY.exec(written) ?? [];
  const byte = `0x0${TYPES[type]}`;
  if (name === undefined)
    return unreadable(`A verifier key must be NAME+HEX(key id)+BASE64(${byte}, public key).`);
  const bytes = bytesOfBase64(encoded!);
  if (bytes?.length !== 1 + KEY_BYTES || bytes[0] !== TYPES[type]) {
    return unreadable(`The key of a ${type} must have ${byte} and a public key of 32 bytes.`);
  }
  const key = verifierKey(name, bytes.slice(1), type);
  if (hexOf(key.keyId) !== id) {
    return unreadable(`The key id must be ${hexOf(key.keyId)}, which follows from the name and the key.`);
  }
  return read(key);
}

/**
 * Checks the signatures by these keys and ignores others. The note is valid if there is at least one and all are
 * right.
 */
export async function verifyNote(written: string, keys: readonly VerifierKey[]): Promise<Verdict> {
  const parsed = parseNote(written);
  if (!parsed.ok) return { outcome: 'malformed', why: parsed.why };
  const { text, signatures } = parsed.value;
  const by = new Set<VerifierKey>();
  for (const { name, keyId, bytes } of signatures) {
    const key = keys.find((each) => each.name === name && each.keyId === keyId);
    if (key === undefined) continue;
    if (!(await isSignedBy(key, bytes, text))) return { outcome: 'wrong', by: key };
    by.add(key);
  }
  return by.size === 0 ? { outcome: 'unknown' } : { outcome: 'valid', note: parsed.value, by: [...by] };
}

async function isSignedBy(
  { publicKey, type }: VerifierKey,
  bytes: Uint8Array,
  text: string,
): Promise<boolean> {
  const [signed, said] = type === 'note' ? [bytes, text] : [bytes.slice(TIME_BYTES), cosigned(bytes, text)];
  const [signature, message] = [Uint8Array.from(signed), new TextEncoder().encode(said)];
  try {
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey('raw', Uint8Array.from(publicKey), 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', key, signature, message);
  } catch {
    // Pages on plain http have no WebCrypto, older browsers none with Ed25519, and some bytes are no point of the curve.
    return isEd25519(signature, message, publicKey);
  }
}

/** The text that a witness signs; its time, in seconds since 1970, precedes the signature. */
function cosigned(bytes: Uint8Array, text: string): string {
  const time = bytes.slice(0, TIME_BYTES).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return `cosignature/v1\ntime ${time}\n${text}`;
}

/** The first four bytes as a big-endian number. */
const numberOf = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, ID_BYTES).getUint32(0);

function idBytes(keyId: number): Uint8Array {
  const bytes = new Uint8Array(ID_BYTES);
  new DataView(bytes.buffer).setUint32(0, keyId);
  return bytes;
}

const hexOf = (keyId: number): string => keyId.toString(16).padStart(2 * ID_BYTES, '0');
