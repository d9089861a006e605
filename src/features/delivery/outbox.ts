import { Injectable, Logger } from '@nestjs/common';
import type { Sql, Transaction } from '../../platform/database/prisma.service.js';
import { Background } from '../../platform/process/background.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import type { Letter } from './letter.js';
import type { SwitchedOff } from './mails/webhook-off.js';
import { Mailer, Undeliverable } from './mailer.js';
import { type MailRow, OutboxStore } from './outbox.store.js';

/** What each kind of mail is to tell. No secret is in it: a link is made when its mail is sent. */
export interface MailKinds {
  readonly verification: Readonly<Record<never, never>>;
  /** What somebody typed who has forgotten the password. */
  readonly recovery: { readonly asked: string };
  readonly passwordChanged: { readonly at: string };
  readonly emailChanged: { readonly at: string; readonly isRemoved: boolean };
  readonly newSignIn: { readonly at: string; readonly device: string };
  readonly tokenMade: { readonly at: string; readonly name: string; readonly scopes: string };
  readonly webhookOff: SwitchedOff;
  /** What was news then; what still is, is found out when it is sent. */
  readonly news: { readonly items: readonly NewsOfMail[] };
}
/** A notification, and of a turn the plies before it; of a reminder the deadline, and how long before it. */
export interface NewsOfMail {
  readonly gameId: string;
  readonly type: string;
  readonly before: number;
  readonly ply: number | null;
  /** In milliseconds since 1970. */
  readonly at: number;
}
export type MailKind = keyof MailKinds;

/** A mail that is to be written: whom it concerns, and the address that was theirs when it was posted. */
export interface Posted<K extends MailKind = MailKind> {
  readonly userId: string | null;
  readonly email: string | null;
  readonly about: MailKinds[K];
}

/** A mail that is being sent, perhaps not for the first time. */
export interface Sending<K extends MailKind> extends Posted<K> {
  readonly id: string;
  readonly isRetry: boolean;
}

/** The letter and where it goes; null if there is nothing to send any more. */
export type Writer<K extends MailKind> = (
  sending: Sending<K>,
) => Promise<{ readonly to: string; readonly letter: Letter } | null>;

interface Manner {
  /** Whether there may be thousands at once: those are sent beside the others, which are waited for. */
  readonly isBulk?: boolean;
  /** What to do if the mail server knows of no mailbox at the address. */
  readonly bounced?: (userId: string, email: string) => Promise<void>;
}

const LOOK_MS = 1000;
const AT_ONCE = 10;
const PAUSE_SECONDS = 120;

/**
 * Mails on their way. They are stored beside what they tell, in the same transaction, and sent afterwards by any process:
 * none is lost, and no request waits for a mail server, nor tells by its time whether a mail went out. One whose sending
 * ended in the dark may come twice.
 */
@Injectable()
export class Outbox {
  private readonly logger = new Logger(Outbox.name);
  private readonly writers = new Map<string, Manner & { readonly write: Writer<MailKind> }>();
  private readonly rounds = { bulk: Promise.resolve(), others: Promise.resolve() };

  constructor(
    private readonly store: OutboxStore,
    private readonly mailer: Mailer,
    private readonly time: Time,
    background: Background,
  ) {
    if (!mailer.sends) return;
    background.every('Mails', LOOK_MS, () => this.round('others'));
    background.every('BulkMails', LOOK_MS, () => this.round('bulk'));
  }

  /** For constructors: how mails of this kind are written. */
  write<K extends MailKind>(kind: K, writer: Writer<K>, manner: Manner = {}): void {
    this.writers.set(kind, { ...manner, write: writer as unknown as Writer<MailKind> });
  }

  /** Posts a mail to be sent, if the server sends any. */
  async post<K extends MailKind>(kind: K, posted: Posted<K>, tx?: Transaction): Promise<void> {
    if (this.mailer.sends) await this.store.add({ kind, ...posted, createdAt: this.time.now() }, tx);
  }

  /** Posts a mail to the address that a user has at this moment, if they have one. */
  async tell<K extends MailKind>(
    userId: string,
    kind: K,
    about: MailKinds[K],
    tx?: Transaction,
  ): Promise<void> {
    if (this.mailer.sends) await this.store.addTo(userId, kind, about, this.time.now(), tx);
  }

  /** For statements of other stores: their end that posts a mail for each row of `source` ("userId", email, about). */
  posting(kind: MailKind, source: Sql): Sql {
    return this.store.posting(kind, source, this.time.now());
  }

  /** Sends what is due; resolves when nothing is being sent by this process. */
  async send(): Promise<void> {
    await Promise.all([this.round('others'), this.round('bulk')]);
  }

  /** One round after the other, so that what an earlier one has taken is sent when a later one ends. */
  private round(which: 'bulk' | 'others'): Promise<void> {
    const round = this.rounds[which].then(() => this.sendSome(which === 'bulk'));
    this.rounds[which] = round.catch(() => undefined);
    return round;
  }

  private async sendSome(isBulk: boolean): Promise<void> {
    // Those of a newer version of the server are left to it.
    const kinds = [...this.writers]
      .filter(([, manner]) => (manner.isBulk ?? false) === isBulk)
      .map(([kind]) => kind);
    if (kinds.length === 0) return;
    while (await this.store.isDue(kinds, this.time.now())) {
      const rows = await this.store.take(kinds, AT_ONCE, this.time.now(), PAUSE_SECONDS);
      await Promise.all(rows.map((row) => this.sendOne(row)));
    }
  }

  private async sendOne(row: MailRow): Promise<void> {
    const { write, bounced } = this.writers.get(row.kind)!;
    let to: string | null = null;
    try {
      const sending = { ...row, isRetry: row.tries > 1 } as unknown as Sending<MailKind>;
      const mail = await write(sending);
      to = mail?.to ?? null;
      if (mail !== null) await this.mailer.send(mail.to, mail.letter, row.id);
    } catch (error) {
      if (error instanceof Undeliverable && error.isOfAddress && to !== null && row.userId !== null)
        await bounced?.(row.userId, to);
      const isHopeless = error instanceof Undeliverable || this.isOld(row);
      // Without the address, which is nobody's business.
      this.logger.warn(
        `A mail (${row.kind}) could not be sent${isHopeless ? '; it is given up' : ''}: ${faultOf(error)}`,
      );
      if (!isHopeless) return;
    }
    await this.store.remove(row.id);
  }

  private isOld({ createdAt }: MailRow): boolean {
    return createdAt.getTime() < this.time.now().getTime() - DAY_MS;
  }
}

/** What went wrong, in words of the mail server that name no address. */
function faultOf(error: unknown): string {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  const named = [code, command, responseCode].filter((part) => part !== undefined);
  return named.length > 0 ? named.join(' ') : error instanceof Error ? error.name : 'unknown';
}
