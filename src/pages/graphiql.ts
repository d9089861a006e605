import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { mountAssets, own, SCRIPT, STYLE, type Asset } from './assets.js';
import { readExamples } from './examples.js';
import { startScript } from './graphiql.script.js';

/** GraphiQL from its package: nothing is fetched from another host, so the page works without a network. */

export const GRAPHIQL_PATH = '/graphiql';

const ASSETS = `${GRAPHIQL_PATH}/assets`;

const require = createRequire(import.meta.url);

/** A file of an installed package, found from its manifest: React's exports hide the files that browsers need. */
function packaged(manifest: string, file: string, type: string): Asset {
  const { name, version } = require(manifest) as { name: string; version: string };
  const read = () => readFile(join(dirname(manifest), file));
  return { path: `${ASSETS}/${name}-${version}${extname(file)}`, type, read };
}

// GraphiQL lets tabs run out of sight; here they stand in rows.
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

// In the order in which the browser has to run them.
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
 * What a page of ours may do: run and load what this server serves, talk to this server, and nothing else. The
 * widgets of GraphiQL and of Swagger UI set styles of their own. Not every browser takes 'self' for sockets too.
 */
export function pagePolicy(host: string): string {
  // An address that a policy cannot express, as that of IPv6, has 'self' alone.
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

/** Serves the page and its assets. */
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
  // A "<" in a text could end the element early.
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
<noscript>This page needs JavaScript. The REST reference is at <a href="/docs">/docs</a>, as OpenAPI at <a href="/openapi.json">/openapi.json</a>, the schema of GraphQL at <a href="/schema.graphql">/schema.graphql</a>, the verifier of games at <a href="/verify">/verify</a>.</noscript>
<script type="application/json" id="examples">${examples}</script>
${scripts.map(({ path }) => `<script src="${path}"></script>`).join('\n')}
</body>
</html>
`;
}
