import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/config.module.js';
import type { ChangePosition } from './change.row.js';

/** A position in one of the histories that the changes may have had, and when somebody set out from there. */
export interface Stand {
  readonly epoch: string;
  readonly position: ChangePosition;
  readonly at: Date;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * Cursors as clients have them: encrypted and bound to their owner (AES-256-GCM). The numbers of transactions in them
 * would tell what goes on in the server between two changes of one's own, such as conditional moves of the opponent.
 */
@Injectable()
export class ChangeCursors {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) { tokenSecret }: Config) {
    this.key = Buffer.from(hkdfSync('sha256', tokenSecret, '', 'halfmove change cursors', 32));
  }

  make(userId: string, { epoch, position: { xid, kind, id }, at }: Stand): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(userId));
    const text = JSON.stringify([epoch, xid, kind, id, at.getTime()]);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** Null for a text that `make` has not made for this user. */
  read(userId: string, cursor: string): Stand | null {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length <= HEAD_BYTES || bytes.toString('base64url') !== cursor) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(userId)).setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString();
      const [epoch, xid, kind, id, at] = JSON.parse(text) as [string, string, string, string, number];
      return { epoch, position: { xid, kind, id }, at: new Date(at) };
    } catch {
      return null;
    }
  }
}
