import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { validate } from 'uuid';
import type { Config } from '../../config.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { isNewsKind, type NewsKind } from './news-kinds.js';
import { NewsService } from './news.service.js';

export const UNSUBSCRIBE_PATH = '/unsubscribe';
const KEY_BYTES = 32;
/** 128 bits. */
const MAC_DIGITS = 32;

/** Whose mails of which kinds a link ends. */
export interface Unsubscription {
  readonly userId: string;
  readonly kinds: readonly NewsKind[];
}

/**
 * The links that end mails without a sign-in (RFC 8058). They are signed and stored nowhere, work as long as TOKEN_SECRET
 * stays, and can do nothing but switch kinds of mail off.
 */
@Injectable()
export class Unsubscribing {
  private readonly key: Buffer;

  constructor(
    @Inject(CONFIG) { tokenSecret }: Pick<Config, 'tokenSecret'>,
    private readonly own: OwnAddress,
    private readonly news: NewsService,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', tokenSecret, '', 'halfmove unsubscribe', KEY_BYTES));
  }

  url({ userId, kinds }: Unsubscription): string {
    const named = `${userId}.mail.${kinds.join('-')}`;
    return this.own.url(`${UNSUBSCRIBE_PATH}?token=${named}.${this.macOf(named)}`);
  }

  /** What a link says; null if this server did not make it. */
  read(token: unknown): Unsubscription | null {
    if (typeof token !== 'string') return null;
    const [userId = '', channel = '', words = '', mac = '', ...more] = token.split('.');
    const kinds = words.split('-').filter(isNewsKind);
    const isWhole =
      more.length === 0 && validate(userId) && /^[0-9a-f]+$/.test(mac) && mac.length === MAC_DIGITS;
    if (!isWhole || kinds.length === 0) return null;
    const right = this.macOf(`${userId}.${channel}.${words}`);
    const isOurs = timingSafeEqual(Buffer.from(right), Buffer.from(mac));
    return isOurs ? { userId, kinds } : null;
  }

  /** Ends these mails; of a closed account there are none, and nothing tells. */
  end({ userId, kinds }: Unsubscription): Promise<void> {
    return this.news.stopMails(userId, kinds);
  }

  private macOf(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex').slice(0, MAC_DIGITS);
  }
}
