import { hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { NONCE_BYTES, seal, unseal } from '../../platform/process/sealing.js';
import type { WebhookRow } from './webhook.row.js';

const SECRET_BYTES = 32;
/** How Standard Webhooks writes a secret. */
const PREFIX = 'whsec_';

/** The secrets that sign messages: encrypted as seeds are, since they cannot be hashed, under a key of their own. */
@Injectable()
export class WebhookSecrets {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) { seedSecret }: Pick<Config, 'seedSecret'>) {
    this.key = Buffer.from(hkdfSync('sha256', seedSecret, '', 'halfmove webhook secrets', 32));
  }

  /** A new secret as it is shown, once, and as it is stored. */
  make(webhookId: string): { readonly shown: string; readonly sealed: Uint8Array<ArrayBuffer> } {
    const secret = randomBytes(SECRET_BYTES);
    const sealed = seal(this.key, Buffer.from(webhookId), randomBytes(NONCE_BYTES), secret);
    return { shown: `${PREFIX}${secret.toString('base64')}`, sealed: new Uint8Array(sealed) };
  }

  /** Those that sign at a moment, the new one first; null if that was sealed under another SEED_SECRET. */
  of(
    {
      id,
      secret,
      oldSecret,
      oldSecretUntil,
    }: Pick<WebhookRow, 'id' | 'secret' | 'oldSecret' | 'oldSecretUntil'>,
    now: Date,
  ): readonly Buffer[] | null {
    const isOldValid = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now;
    const newest = this.opened(id, secret);
    const old = isOldValid ? this.opened(id, oldSecret) : null;
    return newest && [newest, ...(old === null ? [] : [old])];
  }

  private opened(webhookId: string, sealed: Uint8Array): Buffer | null {
    try {
      return unseal(this.key, Buffer.from(webhookId), Buffer.from(sealed));
    } catch {
      return null;
    }
  }
}
