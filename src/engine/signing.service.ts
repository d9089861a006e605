import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import { printNote, printVerifierKey, type VerifierKey, verifierKey } from '../fairness/note.js';
import { CONFIG } from '../platform/process/config.module.js';
import { cacheBytes } from '../platform/process/cache-sizes.js';

/** What a key signs. */
export const KEY_USES = ['receipts', 'log'] as const;
export type KeyUse = (typeof KEY_USES)[number];

interface SigningKey extends VerifierKey {
  readonly secret: KeyObject;
}

/** Signs texts with the keys of all configured secrets, so that knowing any of them is enough to check a text. */
@Injectable()
export class SigningService {
  /** The address of the server as the name of its keys. */
  readonly name: string;
  /** The name of the keys of the log, which is the first line of its checkpoints. */
  readonly origin: string;
  private readonly keys: Readonly<Record<KeyUse, readonly SigningKey[]>>;
  private readonly printed: Readonly<Record<KeyUse, readonly string[]>>;
  /** The newest receipts by their text: they are read far more often than made, and signing one takes long. */
  private readonly receipts: LRUCache<string, string>;

  constructor(
    @Inject(CONFIG)
    { cacheMb, publicUrl, signingSecrets }: Pick<Config, 'cacheMb' | 'publicUrl' | 'signingSecrets'>,
  ) {
    this.receipts = new LRUCache({
      maxSize: cacheBytes({ cacheMb }, 'receipts'),
      sizeCalculation: (signed, text) => signed.length + text.length,
      // Ed25519 is deterministic: the same text has the same signature.
      memoMethod: (text) => signedBy(this.keys.receipts, text),
    });
    this.name = nameOf(publicUrl);
    this.origin = `${this.name}/log`;
    this.keys = {
      receipts: signingSecrets.map((secret) => signingKey(this.name, secret, 'halfmove receipts')),
      log: signingSecrets.map((secret) => signingKey(this.origin, secret, 'halfmove log')),
    };
    const { receipts, log } = this.keys;
    this.printed = { receipts: receipts.map(printVerifierKey), log: log.map(printVerifierKey) };
  }

  /** The text of a receipt as a signed note. */
  receipt(text: string): string {
    return this.receipts.memo(text);
  }

  /** The text of a checkpoint of the log as a signed note. */
  checkpoint(text: string): string {
    return signedBy(this.keys.log, text);
  }

  /** The verifier keys as texts. */
  verifierKeys(use: KeyUse): readonly string[] {
    return this.printed[use];
  }
}

/** The address without what a key name must not contain: scheme, spaces and `+`. */
function nameOf(publicUrl: string | null): string {
  if (publicUrl === null) return 'localhost';
  const { host, pathname } = new URL(publicUrl);
  return `${host}${pathname.replace(/\/+$/, '')}`.replaceAll('+', '%2B');
}

/** The PKCS #8 prefix of the 32 bytes of an Ed25519 private key (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

function signingKey(name: string, secret: string, purpose: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return { ...verifierKey(name, publicKey), secret: key };
}

function signedBy(keys: readonly SigningKey[], text: string): string {
  const message = Buffer.from(text);
  const signatures = keys.map(({ name, keyId, secret }) => ({
    name,
    keyId,
    bytes: sign(null, message, secret),
  }));
  return printNote({ text, signatures });
}
