import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A mail as a mail server got it: to whom by its envelope, and parsed. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly mail: ParsedMail;
}

/** A mail server on this machine. */
export interface MailServer {
  /** For SMTP_URL. */
  readonly url: string;
  /** What came, the oldest first. */
  readonly mails: readonly ReceivedMail[];
  /** Takes the next mail to this address, within five seconds. */
  next(address: string): Promise<ParsedMail>;
  /** Refuses recipients with this code and these words from now on; null takes all. */
  refuse(code: number | null, words?: string): void;
  close(): Promise<void>;
}

const LOOK_MS = 20;
const PATIENCE_MS = 5000;

export async function openMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: number | null = null;
  let why = '';
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_, _session, done) {
      done(refusal === null ? null : Object.assign(new Error(why), { responseCode: refusal }));
    },
    onData(stream, { envelope }, done) {
      simpleParser(stream).then(
        (mail) => {
          mails.push({ to: envelope.rcptTo.map(({ address }) => address), mail });
          done();
        },
        (error: unknown) => done(error as Error),
      );
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async next(address) {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
        const at = mails.findIndex(({ to }) => to.includes(address));
        if (at >= 0) return mails.splice(at, 1)[0]!.mail;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      throw new Error(
        `No mail came to ${address}; there are mails to ${JSON.stringify(mails.map(({ to }) => to))}.`,
      );
    },
    refuse(code, words = 'Refused.') {
      [refusal, why] = [code, words];
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** The secrets of the links in a mail, behind their `#`. */
export const secretsIn = ({ text = '' }: ParsedMail): string[] =>
  [...text.matchAll(/#([\w-]{43})$/gm)].map(([, secret]) => secret!);
