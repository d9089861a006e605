import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escaped } from '../boards/svg.js';
import { STOP_WORDS } from '../features/news/news-words.js';
import { UNSUBSCRIBE_PATH, Unsubscribing, type Unsubscription } from '../features/news/unsubscribing.js';

/** Where the links lead that end mails: a page without a script, and what its button or a mail program sends (RFC 8058). */

const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
/** `List-Unsubscribe=One-Click`, as a form of either kind. */
const MOST_BYTES = 4096;

type Asked = FastifyRequest<{ Querystring: { readonly token?: unknown } }>;

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${title} – Halfmove</title></head>
<body style="max-width:34em;margin:10vh auto;padding:0 24px;font:16px/1.5 system-ui,sans-serif">
<h1 style="font-size:24px">${title}</h1>
${body}
</body>
</html>
`;

const UNKNOWN = pageOf(
  'This link does not work',
  '<p>It is not complete, or not of this server. Copy the whole link from the mail, or sign in and choose what you are told.</p>',
);
const doneWith = (words: string): string =>
  pageOf(
    'Done',
    `<ul>${words}</ul><p>From now on. <a href="/news">Choose what you are told</a>, after a sign-in.</p>`,
  );

const wordsOf = ({ kinds }: Unsubscription): string =>
  kinds.map((kind) => `<li>${STOP_WORDS[kind]}</li>`).join('');

export function mountUnsubscribe(app: NestFastifyApplication): void {
  const unsubscribing = app.get(Unsubscribing);
  const send = (reply: FastifyReply, status: number, page: string) =>
    reply.code(status).header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page);
  // In a scope of its own, where a body may have any form: it says nothing that is not in the address.
  void app
    .getHttpAdapter()
    .getInstance()
    .register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        '*',
        { parseAs: 'string', bodyLimit: MOST_BYTES },
        (_request, _body, parsed) => parsed(null, null),
      );
      // Programs that look at links before people do ask with GET, which changes nothing.
      scope.get(UNSUBSCRIBE_PATH, (request: Asked, reply) => {
        const { token } = request.query;
        const asked = unsubscribing.read(token);
        if (asked === null) return send(reply, 404, UNKNOWN);
        const words = wordsOf(asked);
        const action = `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(String(token))}`;
        const form = `<ul>${words}</ul>
<form method="post" action="${escaped(action)}"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button style="font:inherit;padding:10px 18px">Stop these mails</button></form>`;
        return send(reply, 200, pageOf('Stop mails', form));
      });
      scope.post(UNSUBSCRIBE_PATH, async (request: Asked, reply) => {
        const asked = unsubscribing.read(request.query.token);
        if (asked === null) return send(reply, 404, UNKNOWN);
        await unsubscribing.end(asked);
        return send(reply, 200, doneWith(wordsOf(asked)));
      });
      done();
    });
}
