import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
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

/** What scripts/build.mjs makes of src/pages/browser/. */
const BUILT = new URL('../../dist/pages/browser/', import.meta.url);

/** A built file as an asset of a page. */
export function own(folder: string, file: string, type: string): Asset {
  const content = readFileSync(new URL(file, BUILT));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { path: `${folder}/${hash}-${basename(file)}`, type, read: () => content };
}

/** A built HTML file with each {{name}} replaced by a value, which must be valid HTML. */
export function htmlOf(file: string, values: Readonly<Record<string, string>>): string {
  return readFileSync(new URL(file, BUILT), 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`${file} has a {{${name}}} without a value.`);
    return values[name];
  });
}

/** The addresses of assets, by the names that the HTML has for them. */
export const pathsOf = (assets: Readonly<Record<string, Asset>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(assets).map(([name, { path }]) => [name, path]));

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
