import type { FastifyInstance } from 'fastify';
import { isUuid } from '../platform/contract/page.js';
import { EMBED } from './assets.js';
import { policyOf } from './web.js';

/** A game in a frame, for sites that may not run scripts of others: to watch, never to act. */

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

interface Framed {
  Params: { readonly id: string };
  Querystring: { readonly lang?: unknown; readonly theme?: unknown };
}

/** All values have been checked; none can end an attribute. */
const pageOf = (id: string, lang: string, theme: string | null): string => `<!doctype html>
<html lang="${lang}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="${theme ?? 'light dark'}" />
    <title>Halfmove</title>
    <script type="module" src="${EMBED.src}" integrity="${EMBED.integrity}"></script>
  </head>
  <body>
    <main><halfmove-game game="${id}"></halfmove-game></main>
    <noscript><img src="/v1/games/${id}/board.svg" alt="The board" width="360" /></noscript>
  </body>
</html>
`;

export function mountEmbed(fastify: FastifyInstance, frameAncestors: string): void {
  const policy = policyOf(frameAncestors);
  fastify.get<Framed>('/embed/games/:id', (request, reply) => {
    const { id } = request.params;
    if (!isUuid(id)) return reply.callNotFound();
    const { lang, theme } = request.query;
    const language = typeof lang === 'string' && LANGUAGE.test(lang) ? lang : 'en';
    const chosen = theme === 'light' || theme === 'dark' ? theme : null;
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(pageOf(id, language, chosen));
  });
  fastify.get('/embed/integrity.json', (_request, reply) => reply.send(EMBED));
}
