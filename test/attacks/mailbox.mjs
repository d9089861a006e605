import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A mail server on this machine, which keeps what it gets, parsed, with the time at which it came. */
export async function openMailbox() {
  const mails = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, { envelope }, done) {
      const mail = await simpleParser(stream);
      mails.push({ to: envelope.rcptTo[0].address, at: Date.now(), mail });
      done();
    },
  });
  // A server that is killed while it sends breaks its connection.
  server.on('error', () => undefined);
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `smtp://127.0.0.1:${server.server.address().port}`;
  return { url, mails, close: () => new Promise((closed) => server.close(closed)) };
}

/** The secret behind the `#` of the link in a mail. */
export const secretIn = ({ text }) => /#([\w-]{43})$/m.exec(text)[1];
