import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { SendMailOptions } from 'nodemailer';
import type { Config } from '../../config.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { type Letter, type Site, written } from './letter.js';

type Settings = Pick<
  Config,
  'smtpUrl' | 'mailFrom' | 'production' | 'dataDir' | 'publicUrl' | 'contact' | 'termsUrl' | 'privacyUrl'
>;

/** So long may each step of a conversation with the mail server take. */
const STEP_MS = 20_000;
const OF_POLICY = /^5\d\d[ -]5\.7\./;

/** What nodemailer tells of a mail server's refusal. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** The most mails that are kept as files. */
const MOST_FILES = 100;

/** Loaded with the first mail: it takes a tenth of a second. */
async function smtpOf(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...{ url, disableFileAccess: true, disableUrlAccess: true },
    ...{ connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS, dnsTimeout: STEP_MS },
  });
}

/** A mail that its server refuses for good, as to an address that does not exist. */
export class Undeliverable extends Error {
  readonly code = 'UNDELIVERABLE';
  constructor(
    readonly responseCode: number,
    /** Whether there is no mailbox, rather than that the mail or its sender is not liked. */
    readonly isOfAddress: boolean,
  ) {
    super(`The mail server refused the mail with ${responseCode}.`);
  }
}

/**
 * Sends mails by SMTP_URL. Without it, outside of production, each becomes a file in DATA_DIR/mails, for whoever develops
 * a client; in production none is sent.
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger(Mailer.name);
  private smtp: ReturnType<typeof smtpOf> | undefined;
  private readonly from: string;

  constructor(
    @Inject(CONFIG) private readonly config: Settings,
    private readonly own: OwnAddress,
  ) {
    const { mailFrom, publicUrl } = config;
    this.from = mailFrom ?? `noreply@${publicUrl === null ? 'localhost' : new URL(publicUrl).hostname}`;
  }

  /** Whether mails reach people. */
  get reaches(): boolean {
    return this.config.smtpUrl !== null;
  }

  /** Whether mails are written at all, be it as files. */
  get sends(): boolean {
    return this.reaches || !this.config.production;
  }

  /** Each id names one mail, also if it is sent again. Throws Undeliverable, and errors after which another try may succeed. */
  async send(address: string, letter: Letter, id: string): Promise<void> {
    const site: Site = { ...this.config, url: this.own.url() };
    const { unsubscribeUrl } = letter;
    const mail = {
      ...written(letter, site),
      // As an object, so that no sign in it is read as syntax of a list of addresses.
      to: { name: '', address },
      from: { name: 'Halfmove', address: this.from },
      messageId: `<${id}@${this.from.slice(this.from.lastIndexOf('@') + 1)}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        // RFC 8058: the reader's program sends one request, which needs no page.
        ...(unsubscribeUrl && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    };
    const { smtpUrl } = this.config;
    if (smtpUrl === null) return this.keep(mail);
    const smtp = await (this.smtp ??= smtpOf(smtpUrl));
    await smtp.sendMail(mail).catch((error: unknown) => {
      const { code, command, responseCode = 0, response = '' } = error as SmtpError;
      const isRefused = code === 'EENVELOPE' || code === 'EMESSAGE';
      // RFC 3463: 5.7 is about the sender's rights, not about the mailbox.
      const isOfAddress = command === 'RCPT TO' && !OF_POLICY.test(response);
      throw isRefused && responseCode >= 500 ? new Undeliverable(responseCode, isOfAddress) : error;
    });
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.smtp)?.close();
  }

  private async keep(mail: SendMailOptions & { readonly subject: string }): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
    const folder = join(this.config.dataDir, 'mails');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // In the order of time by name.
    const file = join(folder, `${String(Date.now())}-${randomUUID().slice(0, 8)}.eml`);
    await writeFile(file, message as Buffer, { mode: 0o600 });
    this.logger.log(`A mail, “${mail.subject}”, is in ${file}, since SMTP_URL is not set.`);
    const files = (await readdir(folder)).sort();
    await Promise.all(files.slice(0, -MOST_FILES).map((old) => rm(join(folder, old), { force: true })));
  }
}
