import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getIntrospectionQuery } from 'graphql';
import { Client } from './client.mjs';
import { Report, judgeServer } from './report.mjs';
import { startServer } from './server.mjs';

/** Asks for large answers and reads none: many on one connection, then one on each of many. */

const PIPELINED = 900;
const CONNECTIONS = 200;
const WATCHED_MS = 6_000;
const SHARE_MS = 200;
const MOST_MB = 150;

const MEGABYTE = 1024;
const rssOf = ({ pid }) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / MEGABYTE;

const get = (path, encoding) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
const post = (query) => {
  const body = JSON.stringify({ query });
  return `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

async function requestsOf(client) {
  const { text } = await client.send({ method: 'GET', path: '/graphiql' });
  const script = /"(\/assets\/graphiql-[^"]+\.js)"/.exec(text)[1];
  return {
    'the largest script': get(script, 'identity'),
    'the OpenAPI document': get('/openapi.json', 'br'),
    'the GraphQL schema': get('/schema.graphql', 'identity'),
    introspection: post(getIntrospectionQuery()),
    'a page of rule sets': get('/v1/rulesets', 'identity'),
  };
}

async function silent(port, text) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause().write(text);
  return socket;
}

/** The most memory that the server takes meanwhile, in MB above that before. */
async function grown({ child }, sockets) {
  const before = rssOf(child);
  const open = await Promise.all(sockets());
  let most = before;
  for (let waited = 0; waited < WATCHED_MS; waited += SHARE_MS) {
    await pause(SHARE_MS);
    most = Math.max(most, rssOf(child));
  }
  for (const socket of open) socket.destroy();
  await pause(SHARE_MS);
  return Math.round(most - before);
}

export async function readNothing({ postgres }) {
  const report = new Report('unread');
  const server = await startServer({ postgres });
  const client = new Client(server.port);
  for (const [name, request] of Object.entries(await requestsOf(client))) {
    const attempts = {
      [`${PIPELINED} times on one connection`]: () => [silent(server.port, request.repeat(PIPELINED))],
      [`on ${CONNECTIONS} connections`]: () =>
        Array.from({ length: CONNECTIONS }, () => silent(server.port, request)),
    };
    for (const [how, sockets] of Object.entries(attempts)) {
      const megabytes = await grown(server, sockets);
      report.set(`MB for ${name} ${how}`, megabytes);
      if (megabytes > MOST_MB) report.found(`${name} ${how} takes ${megabytes} MB`);
    }
  }
  await judgeServer(report, server, client);
  return report;
}
