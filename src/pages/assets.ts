import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** What pages load, each at a path of its own: there is no folder to climb out of. */

export const SCRIPT = 'text/javascript; charset=utf-8';
export const STYLE = 'text/css; charset=utf-8';

export interface Asset {
  /** Names the version too, so that a browser may keep it for ever. */
  readonly path: string;
  readonly type: string;
  readonly read: () => Promise<Buffer> | Buffer;
}

/** A text of ours, in the folder of a page. */
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
