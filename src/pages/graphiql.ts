import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Asset, htmlOf, mountAssets, own, pathsOf, SCRIPT, STYLE } from './assets.js';
import { readExamples } from './examples.js';

/** Serves GraphiQL from its package. Nothing is loaded from other hosts, so the page works offline. */

export const GRAPHIQL_PATH = '/graphiql';

const ASSETS = `${GRAPHIQL_PATH}/assets`;

const require = createRequire(import.meta.url);

/** A file of an installed package, located by its manifest, as React does not export the files for browsers. */
function packaged(manifest: string, file: string, type: string): Asset {
  const { name, version } = require(manifest) as { name: string; version: string };
  const read = () => readFile(join(dirname(manifest), file));
  return { path: `${ASSETS}/${name}-${version}${extname(file)}`, type, read };
}

/** The files that the page loads, by their names in its HTML. */
const assetsOf = (): Readonly<Record<string, Asset>> => ({
  react: packaged(require.resolve('react/package.json'), 'umd/react.production.min.js', SCRIPT),
  reactDom: packaged(require.resolve('react-dom/package.json'), 'umd/react-dom.production.min.js', SCRIPT),
  graphiql: packaged(require.resolve('graphiql/package.json'), 'graphiql.min.js', SCRIPT),
  start: own(ASSETS, 'graphiql/start.js', SCRIPT),
  graphiqlStyle: packaged(require.resolve('graphiql/package.json'), 'graphiql.min.css', STYLE),
  style: own(ASSETS, 'graphiql/page.css', STYLE),
});

/**
 * The content security policy of a page: it may load and connect to this server only. GraphiQL and Swagger UI need inline
 * styles. Not every browser applies 'self' to WebSockets, so these are listed.
 */
export function pagePolicy(host: string): string {
  // A host that a policy cannot express, such as an IPv6 address, gets 'self' only.
  const sockets = /^[\w.-]+(:\d+)?$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function mountGraphiql(fastify: FastifyInstance): void {
  const assets = assetsOf();
  // A "<" in a text could close the element.
  const examples = JSON.stringify(readExamples()).replaceAll('<', '\\u003c');
  const html = htmlOf('graphiql/page.html', { ...pathsOf(assets), examples });
  fastify.get(GRAPHIQL_PATH, (request, reply) =>
    reply
      .header('content-security-policy', pagePolicy(request.host))
      .type('text/html; charset=utf-8')
      .send(html),
  );
  mountAssets(fastify, Object.values(assets));
}
