import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import commonJs from 'canonicalize';
import type { Config } from '../config.js';
import { CONFIG } from './config.module.js';
import { DomainError } from './errors.js';
import { isMoment, isUuid } from './page.js';

/** Where a list in the order of moments goes on: behind the row with these sort keys. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

// The package exports the function itself (CommonJS) while its types promise a `default` member.
const canonicalJson = commonJs as unknown as (value: unknown) => string;

const TAG_BYTES = 12;

/** Signed cursors, each of the one query that it was made for. */
@Injectable()
export class Cursors {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) { tokenSecret }: Config) {
    this.key = createHmac('sha256', tokenSecret).update('halfmove cursors').digest();
  }

  /** A cursor that stands at `place` in the answer to `query`, any plain value; opaque to clients. */
  make(query: unknown, { at, id }: Place): string {
    const text = Buffer.from(JSON.stringify([at.getTime(), id]));
    return Buffer.concat([this.tag(query, text), text]).toString('base64url');
  }

  /** Where a cursor of this query stands; throws INVALID_CURSOR for any other text. */
  read(query: unknown, cursor: string, field: string): Place {
    const bytes = Buffer.from(cursor, 'base64url');
    const [tag, text] = [bytes.subarray(0, TAG_BYTES), bytes.subarray(TAG_BYTES)];
    if (tag.length === TAG_BYTES && timingSafeEqual(tag, this.tag(query, text))) {
      const [at, id] = JSON.parse(text.toString()) as unknown[];
      if (isMoment(at) && isUuid(id) && cursor === bytes.toString('base64url'))
        return { at: new Date(at), id };
    }
    throw new DomainError(
      'INVALID_CURSOR',
      'This is no cursor of this query. Take one from its own pages, with the same filter and order.',
      { field },
    );
  }

  private tag(query: unknown, text: Buffer): Buffer {
    const bound = createHash('sha256').update(canonicalJson(query)).digest();
    return createHmac('sha256', this.key).update(bound).update(text).digest().subarray(0, TAG_BYTES);
  }
}
