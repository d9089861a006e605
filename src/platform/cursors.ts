import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { Inject, Injectable } from '@nestjs/common';
import commonJs from 'canonicalize';
import type { Config } from '../config.js';
import { CONFIG } from './config.module.js';
import { demand, DomainError } from './errors.js';
import { NONCE_BYTES, seal, unseal } from './sealing.js';

/** Where a list in the order of moments goes on: behind the row with these sort keys. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

// The package exports the function itself (CommonJS) while its types promise a `default` member.
const canonicalJson = commonJs as unknown as (value: unknown) => string;

const KEY_BYTES = 32;

/** The cursors of all lists: sealed, so that a client can neither read them nor make its own. */
@Injectable()
export class Cursors {
  private readonly keys: SealingKeys;

  constructor(@Inject(CONFIG) { tokenSecret }: Config) {
    const bytes = Buffer.from(hkdfSync('sha256', tokenSecret, '', 'halfmove cursors', 2 * KEY_BYTES));
    this.keys = { cipher: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
  }

  /**
   * The cursors of one list: those of another name, filter, order or owner are none of them. `Key` is what the list is
   * sorted by, any plain value, with dates; a list whose `Key` changes needs another name.
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

  /** The cursor that stands at `key`, the same one each time: the nonce follows from what is sealed. */
  make(key: Key): string {
    // V8 writes a value by how it came about, and what it has read in one way.
    const text = serialize(deserialize(serialize(key)));
    const mac = createHmac('sha256', this.keys.nonce).update(this.list).update(text).digest();
    return seal(this.keys.cipher, this.list, mac.subarray(0, NONCE_BYTES), text).toString('base64url');
  }

  /** Where a cursor stands; null for a text that is no cursor of this list. */
  open(cursor: string): Key | null {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.toString('base64url') !== cursor) return null;
    try {
      return deserialize(unseal(this.keys.cipher, this.list, bytes)) as Key;
    } catch {
      return null;
    }
  }

  /** Where a cursor that came in as `field` stands; null for none. Throws INVALID_CURSOR. */
  read(cursor: string | null | undefined, field: string): Key | null {
    if (cursor == null) return null;
    const message =
      'This cursor does not belong to this list. Use one from a page of the same list, with the same filter and order.';
    return demand(this.open(cursor), () => new DomainError('INVALID_CURSOR', message, { field }));
  }
}
