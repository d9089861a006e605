import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../platform/config.module.js';
import type { ChangePosition } from './change.row.js';

/** Whose cursor, and of which history of the changes. */
export interface Owner {
  readonly userId: string;
  readonly epoch: string;
}

/** A position, and when somebody stood there. */
export interface Stand {
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

  make(owner: Owner, { position: { xid, kind, id }, at }: Stand): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(boundTo(owner));
    const text = JSON.stringify([xid, kind, id, at.getTime()]);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** Null for a text that `make` has not made for this owner. */
  read(owner: Owner, cursor: string): Stand | null {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length <= HEAD_BYTES || bytes.toString('base64url') !== cursor) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo(owner)).setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString();
      const [xid, kind, id, at] = JSON.parse(text) as [string, string, string, number];
      return { position: { xid, kind, id }, at: new Date(at) };
    } catch {
      return null;
    }
  }
}

const boundTo = ({ userId, epoch }: Owner): Buffer => Buffer.from(`${epoch} ${userId}`);
