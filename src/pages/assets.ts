import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import serveFiles from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { CURRENT, PUBLIC } from '../platform/http/etag.js';

/** The files that the build has compressed, sent as streams. Nothing else in their folder has an address. */

const BUILT = new URL('../../dist/pages/', import.meta.url);
const SERVED = new URL('served/', BUILT);

/** The addresses of the files that pages load, by their names in scripts/build.mjs. */
const ASSETS = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(new URL('served.json', BUILT), 'utf8')) as object).map(
    ([name, file]) => [name, `/${file}`],
  ),
);

const SCRIPT = 'text/javascript; charset=utf-8';
/** Files with an address of their own, and their types. */
const FILES = {
  '/verify.js': SCRIPT,
  '/embed/halfmove.js': SCRIPT,
  '/openapi.json': 'application/json; charset=utf-8',
  '/schema.graphql': 'application/graphql; charset=utf-8',
};

const FOR_EVER = 'public, max-age=31536000, immutable';

const elements = readFileSync(new URL('halfmove.js', SERVED));
const digestOf = (algorithm: string) => createHash(algorithm).update(elements);

/** The elements under an address that never means another file, and its digest for the attribute `integrity`. */
export const EMBED = {
  src: `/embed/${digestOf('sha256').digest('hex').slice(0, 12)}/halfmove.js`,
  integrity: `sha384-${digestOf('sha384').digest('base64')}`,
};

/** A built HTML file with each {{name}} replaced by the address of an asset, or by a value, which must be valid HTML. */
export function htmlOf(file: string, more: Readonly<Record<string, string>> = {}): string {
  const values: Readonly<Record<string, string>> = { ...ASSETS, ...more };
  return readFileSync(new URL(`browser/${file}`, BUILT), 'utf8').replaceAll(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => {
      if (values[name] === undefined) throw new Error(`${file} has a {{${name}}} without a value.`);
      return values[name];
    },
  );
}

export async function mountAssets(app: NestFastifyApplication): Promise<void> {
  // Addresses of assets hold a digest.
  await app.register(serveFiles, {
    root: fileURLToPath(new URL('assets/', SERVED)),
    prefix: '/assets/',
    wildcard: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  });
  const fastify = app.getHttpAdapter().getInstance();
  for (const [address, type] of Object.entries(FILES)) mountFile(fastify, address, type, PUBLIC);
  mountFile(fastify, EMBED.src, SCRIPT, FOR_EVER);
  // Of web/worker. It serves the pages below its own address.
  mountFile(fastify, '/push-worker.js', SCRIPT, CURRENT);
}

function mountFile(fastify: FastifyInstance, address: string, type: string, caching: string): void {
  fastify.get(address, { onSend: typed(type) }, (_request, reply) =>
    reply
      .header('cache-control', caching)
      .sendFile(basename(address), fileURLToPath(SERVED), { cacheControl: false }),
  );
}

/** The plugin chooses types by the ends of names. */
const typed =
  (type: string): onSendHookHandler =>
  (_request, reply, payload, done) => {
    void reply.type(type);
    done(null, payload);
  };
