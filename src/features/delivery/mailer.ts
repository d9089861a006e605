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
  constructor(readonly responseCode: number) {
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

  /** Throws Undeliverable, and errors after which another try may succeed. */
  async send(address: string, letter: Letter): Promise<void> {
    const site: Site = { ...this.config, url: this.own.url() };
    const mail = {
      ...written(letter, site),
      // As an object, so that no sign in it is read as syntax of a list of addresses.
      to: { name: '', address },
      from: { name: 'Halfmove', address: this.from },
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    const { smtpUrl } = this.config;
    if (smtpUrl === null) return this.keep(mail);
    const smtp = await (this.smtp ??= smtpOf(smtpUrl));
    await smtp.sendMail(mail).catch((error: unknown) => {
      const { code, responseCode = 0 } = error as { code?: unknown; responseCode?: number };
      const isRefused = code === 'EENVELOPE' || code === 'EMESSAGE';
      throw isRefused && responseCode >= 500 ? new Undeliverable(responseCode) : error;
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
