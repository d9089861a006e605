import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { htmlOf, mountAssets, own, pathsOf, SCRIPT, STYLE } from './assets.js';

/** The page that verifies a game in the browser, and the library that it uses. */

const PAGE_PATH = '/verify';
const ASSETS = `${PAGE_PATH}/assets`;
const LIBRARY_PATH = '/verify.js';
const LIBRARY = new URL('../../dist/verify.js', import.meta.url);
const NOT_BUILT = 'The verifier is not built. Run npm run build to create dist/verify.js.\n';

/** The page may not connect to anything, so that what is entered cannot leave the browser. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function mountVerify(fastify: FastifyInstance): void {
  const assets = {
    script: own(ASSETS, 'verify/page.js', SCRIPT),
    style: own(ASSETS, 'verify/page.css', STYLE),
  };
  const html = htmlOf('verify/page.html', pathsOf(assets));
  fastify.get(PAGE_PATH, (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(html),
  );
  fastify.get(LIBRARY_PATH, async (_request, reply) => {
    const library = await readFile(LIBRARY).catch(() => null);
    return library === null
      ? reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT)
      : reply.type(SCRIPT).send(library);
  });
  mountAssets(fastify, Object.values(assets));
}
