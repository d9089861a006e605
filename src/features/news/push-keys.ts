import { createECDH, hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/process/config.module.js';

const CURVE = 'prime256v1';
const PRIVATE_BYTES = 32;

/**
 * The keys by which push services know this server (VAPID, RFC 8292), made from SEED_SECRET: a subscription is bound to
 * them, and no other secret stays for as long.
 */
@Injectable()
export class PushKeys {
  /** As web-push takes them. */
  readonly pair: { readonly publicKey: string; readonly privateKey: string };

  constructor(@Inject(CONFIG) { seedSecret }: Pick<Config, 'seedSecret'>) {
    const secret = Buffer.from(hkdfSync('sha256', seedSecret, '', 'halfmove push', PRIVATE_BYTES));
    const ecdh = createECDH(CURVE);
    // Of 2^32 secrets one would give a number that is no key; the start fails then, and says so.
    ecdh.setPrivateKey(secret);
    this.pair = { publicKey: ecdh.getPublicKey('base64url'), privateKey: secret.toString('base64url') };
  }
}
