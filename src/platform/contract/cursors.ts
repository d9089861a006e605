import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { canonicalJson } from '../../fairness/json.js';
import { CONFIG } from '../process/config.module.js';
import { orThrow, DomainError } from '../errors/errors.js';
import { NONCE_BYTES, seal, unseal } from '../process/sealing.js';
import { printKey, readKey } from './cursor-text.js';

/** The sort keys of the row after which a list sorted by time continues. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

const KEY_BYTES = 32;

/** The cursors of all lists, encrypted so that a client can neither read nor forge them. */
@Injectable()
export class Cursors {
  private readonly keys: SealingKeys;

  constructor(@Inject(CONFIG) { tokenSecret }: Config) {
    const bytes = Buffer.from(hkdfSync('sha256', tokenSecret, '', 'halfmove cursors', 2 * KEY_BYTES));
    this.keys = { cipher: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
  }

  /**
   * The cursors of one list, bound to its name, filter, order and owner. `Key` is any plain value, with dates and bigints,
   * by which the list is sorted; a list whose `Key` changes needs a new name.
   */
  of<Key>(name: string, ...filter: readonly unknown[]): ListCursors<Key> {
    const list = createHash('sha256')
      .update(canonicalJson([name, ...filter]))
      .digest();
    return new ListCursors(this.keys, list);
  }
}

interface SealingKeys {
  readonly cipher: Buffer;
  readonly nonce: Buffer;
}

export class ListCursors<Key> {
  constructor(
    private readonly keys: SealingKeys,
    private readonly list: Buffer,
  ) {}

  /** The cursor of a row. It is deterministic, because the nonce is derived from the content. */
  make(key: Key): string {
    const text = Buffer.from(printKey(key));
    const mac = createHmac('sha256', this.keys.nonce).update(this.list).update(text).digest();
    return seal(this.keys.cipher, this.list, mac.subarray(0, NONCE_BYTES), text).toString('base64url');
  }

  /** The key of a cursor; null if it does not belong to this list. */
  open(cursor: string): Key | null {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.toString('base64url') !== cursor) return null;
    try {
      return readKey(unseal(this.keys.cipher, this.list, bytes).toString()) as Key;
    } catch {
      return null;
    }
  }

  /** The key of the cursor in `field`; null if there is none. Throws INVALID_CURSOR. */
  read(cursor: string | null | undefined, field: string): Key | null {
    if (cursor == null) return null;
    const message =
      'This cursor does not belong to this list. Use endCursor (in REST: next) from a page of the same list, with the same filter and order.';
    return orThrow(this.open(cursor), () => new DomainError('INVALID_CURSOR', message, { field }));
  }
}
