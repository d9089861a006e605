import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { getIntrospectionQuery } from 'graphql';
import { WebSocket } from 'ws';

/**
 * One address at full power: `node attacker.mjs PORT FLOOD`, until it is killed. Counts its answers to stdout. With the
 * flood `nothing` it asks a server of its own: this tells what it costs others that it takes a core of this machine.
 */

const [, , victim, flood] = process.argv;
const CONNECTIONS = 40;
const SOCKETS = 20;
const REFUSED = 60;
const PIPELINED = 300;

const post = (body) =>
  `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const get = (path) => `GET ${path} HTTP/1.1\r\nhost: a\r\naccept-encoding: br\r\n\r\n`;
const query = (text) => post(JSON.stringify({ query: text }));

let number = 0;
/** The usual words with an alias that nobody has sent before. */
const unusual = () => getIntrospectionQuery().replace('queryType {', `a${number++}: queryType {`);
const GAME =
  'id ruleset { id name } status position plyCount turn version rated createdAt endedAt deadlineAt fairness { headHash } players { player { id username } } outcome { winner reason }';
const invalid = () => `{ ${`game(id: "x") { nothing${number++} } `.repeat(200)} }`;

const REQUESTS = {
  nothing: () => get('/'),
  introspection: () => query(getIntrospectionQuery()),
  'unusual introspection': () => query(unusual()),
  'refused documents': () => query(invalid()),
  'pages of games': () => get('/v1/me/games?first=100'),
  'costly queries': () => query(`{ games(first: 100) { edges { node { ${GAME} } } } }`),
};

async function ownPort() {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

const port = flood === 'nothing' ? await ownPort() : Number(victim);
let answers = 0;
setInterval(() => process.stdout.write(`${answers}\n`), 500);

/** Sends the next request when something of the last answer has come. */
function ask() {
  const socket = connect({ port, host: '127.0.0.1' });
  let rest = '';
  socket.on('connect', () => socket.write(REQUESTS[flood]()));
  socket.on('data', (data) => {
    rest = (rest + data.toString('latin1')).slice(-8);
    // An answer ends in a brace, a line, or an empty chunk.
    if (!/(?:\}\n?|0\r\n\r\n)$/.test(rest)) return;
    answers += 1;
    rest = '';
    socket.write(REQUESTS[flood]());
  });
  socket.on('error', () => undefined).on('close', () => setTimeout(ask, 20));
}

/** Many requests in one write, of which no answer is read. */
function pipeline() {
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  socket.on('connect', () => socket.write(get('/openapi.json').repeat(PIPELINED)));
  socket.on('error', () => undefined);
  setTimeout(() => {
    socket.destroy();
    pipeline();
  }, 1000);
}

/** Subscriptions that are refused, in one write. */
function subscribe() {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
  socket.on('open', () => socket.send('{"type":"connection_init"}'));
  socket.on('message', (text) => {
    if (!String(text).includes('connection_ack')) return void (answers += 1);
    socket._socket.cork();
    for (let id = 0; id < REFUSED; id += 1)
      socket.send(JSON.stringify({ id: `${id}`, type: 'subscribe', payload: { query: invalid() } }));
    socket._socket.uncork();
    setTimeout(() => socket.close(), 500);
  });
  socket.on('error', () => undefined).on('close', () => setTimeout(subscribe, 20));
}

const begin = { 'unread answers': pipeline, 'refused subscriptions': subscribe }[flood] ?? ask;
const many = begin === subscribe ? SOCKETS : CONNECTIONS;
for (let i = 0; i < many; i += 1) begin();
