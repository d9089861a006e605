import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { askWell, Connection } from './connection.mjs';
import { recreate } from './database.mjs';
import { UCI } from './line.mjs';
import { PROTOTYPES_FOLDER } from './peers.mjs';
import { MOVE, TOKEN_SECRET } from './peers/prototypes/common.mjs';
import { freePort, startServer, temporaryFolder } from './servers.mjs';

/** The prototypes of peers/prototypes: servers with a single mutation, each implemented differently. */

const DATABASE = 'halfmove_whole_path_prototypes';
const FIRST_PLAYER = 1001;
/** Seconds since 1970, in the year 2096: no token expires during a run. */
const EXPIRES = 4_000_000_000;

async function makeDatabase() {
  const url = await recreate(DATABASE);
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(readFileSync(join(PROTOTYPES_FOLDER, 'schema.sql'), 'utf8'));
  await db.query('VACUUM ANALYZE game');
  await db.end();
  return url;
}

/** All prototypes share one database; each game is played by one client, once. */
let database;

export async function startPrototype(kind, through = (url) => url) {
  database ??= makeDatabase();
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: await through(await database),
    DATA_DIR: temporaryFolder(),
  };
  const args = ['--import', 'tsx', 'server.ts', kind, String(port)];
  const child = await startServer(args, { cwd: PROTOTYPES_FOLDER, env, ready: /ready/ });
  return { port, pid: child.pid };
}

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(client) {
  const claims = { sub: String(FIRST_PLAYER + client), role: 'player', exp: EXPIRES };
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${text}.${createHmac('sha256', TOKEN_SECRET).update(text).digest('base64url')}`;
}

const QUERY = JSON.stringify(MOVE);

const moveText = (gameId, ply) =>
  `{"query":${QUERY},"operationName":"M","variables":{"gameId":"${gameId}","uci":"${UCI[ply]}","ply":${ply},"clientId":"c","offerDraw":false,"note":"hi"}}`;

let games = 0;

export function prototypeMatch({ port }, client) {
  const connection = new Connection(port);
  const token = tokenOf(client);
  let gameId;
  return {
    prepare: () => undefined,
    fresh: () => {
      gameId = ++games;
    },
    act: (ply) => askWell(connection, 'POST', '/graphql', token, moveText(gameId, ply)),
    close: () => connection.close(),
  };
}
