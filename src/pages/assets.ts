import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** The files that pages load, each registered at its own path, so that no path traversal is possible. */

export const SCRIPT = 'text/javascript; charset=utf-8';
export const STYLE = 'text/css; charset=utf-8';

export interface Asset {
  /** Contains the version, so that browsers may cache the file for ever. */
  readonly path: string;
  readonly type: string;
  readonly read: () => Promise<Buffer> | Buffer;
}

/** A text of this project as an asset of a page. */
export function own(folder: string, name: string, text: string, type: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `${folder}/${hash}-${name}`, type, read: () => Buffer.from(text) };
}

export function mountAssets(fastify: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, read } of assets) {
    fastify.get(path, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type(type)
        .send(await read()),
    );
  }
}
