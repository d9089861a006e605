import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { mountAssets, own, SCRIPT, STYLE, type Asset } from './assets.js';
import { readExamples } from './examples.js';
import { startScript } from './graphiql.script.js';

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

// GraphiQL hides tabs that do not fit; show them in rows instead.
const pageStyle = `html, body, #graphiql { height: 100%; margin: 0; }
.graphiql-container .graphiql-session-header { height: auto; }
.graphiql-tabs { flex-wrap: wrap; gap: 4px 12px; margin: 0; max-height: 28vh; overflow-y: auto; }
.graphiql-tabs > :not(:first-child) { margin-left: 0; }
.examples h2 { margin: 0 0 12px; }
.examples summary { cursor: pointer; font-weight: 500; padding: 4px 0; }
.examples ul { list-style: none; margin: 0 0 8px; padding-left: 17px; }
.graphiql-container .examples button { line-height: 1.3; padding: 4px 0; text-align: left; }
.examples button:hover { text-decoration: underline; }
`;

// The browser runs them in this order.
const scripts = [
  packaged(require.resolve('react/package.json'), 'umd/react.production.min.js', SCRIPT),
  packaged(require.resolve('react-dom/package.json'), 'umd/react-dom.production.min.js', SCRIPT),
  packaged(require.resolve('graphiql/package.json'), 'graphiql.min.js', SCRIPT),
  own(ASSETS, 'start.js', startScript, SCRIPT),
];
const styles = [
  packaged(require.resolve('graphiql/package.json'), 'graphiql.min.css', STYLE),
  own(ASSETS, 'page.css', pageStyle, STYLE),
];

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
  const html = page();
  fastify.get(GRAPHIQL_PATH, (request, reply) =>
    reply
      .header('content-security-policy', pagePolicy(request.host))
      .type('text/html; charset=utf-8')
      .send(html),
  );
  mountAssets(fastify, [...styles, ...scripts]);
}

function page(): string {
  // A "<" in a text could close the element.
  const examples = JSON.stringify(readExamples()).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Halfmove</title>
<link rel="icon" href="data:,">
<link rel="service-desc" href="/openapi.json" type="application/json">
<link rel="service-desc" href="/schema.graphql" type="application/graphql">
<link rel="service-doc" href="/docs">
${styles.map(({ path }) => `<link rel="stylesheet" href="${path}">`).join('\n')}
</head>
<body>
<div id="graphiql">Loading ...</div>
<noscript>This page needs JavaScript. See also the REST reference at <a href="/docs">/docs</a>, its OpenAPI document at <a href="/openapi.json">/openapi.json</a>, the GraphQL schema at <a href="/schema.graphql">/schema.graphql</a>, and the verifier at <a href="/verify">/verify</a>.</noscript>
<script type="application/json" id="examples">${examples}</script>
${scripts.map(({ path }) => `<script src="${path}"></script>`).join('\n')}
</body>
</html>
`;
}
