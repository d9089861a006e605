import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../scripts/support.mjs';
import { askWell, Connection, graphql } from './connection.mjs';
import { recreate, urlOf } from './database.mjs';
import { UCI } from './line.mjs';
import { freePort, startServer, temporaryFolder } from './servers.mjs';
import { CHECKOUT, FURTHER_ENV, NODE_ARGS } from './settings.mjs';

/** The server of the measured checkout, the accounts and games of its clients, and how they play. */

/** Kept after the run for inspection. */
const DATABASE = process.env.BENCH_DATABASE || 'halfmove_whole_path';
const PROGRAM = join(CHECKOUT, 'dist/main.js');
/** Connections used to register accounts; each password hash occupies a core. */
const REGISTRARS = 4;
const TYPENAME = '{"query":"{__typename}"}';

const ownOperations = join(CHECKOUT, 'bench/operations.mjs');

/** The requests, in the API of the measured checkout. */
export const operations = await import(
  existsSync(ownOperations) ? pathToFileURL(ownOperations).href : '../operations.mjs'
);

const MOVE_QUERY = JSON.stringify(operations.move.query);

const secret = () => randomBytes(32).toString('hex');

const databaseEnv = async (through) =>
  through
    ? { NODE_ENV: 'production', DATABASE_URL: await through(await recreate(DATABASE)) }
    : // In production the server requires a DATABASE_URL.
      { NODE_ENV: 'development', DATABASE_URL: '' };

async function start(through, { args = [], env: own = {} } = {}) {
  if (!existsSync(PROGRAM)) {
    throw new UserError(`The server in ${CHECKOUT} is not built. Run npm ci && npm run build there.`);
  }
  const port = await freePort();
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    ...operations.settings,
    DATA_DIR: temporaryFolder(),
    TOKEN_SECRET: secret(),
    SEED_SECRET: secret(),
    SIGNING_SECRET: secret(),
    ...(await databaseEnv(through)),
    ...FURTHER_ENV,
    ...own,
  };
  const ready = /Halfmove is running/;
  const child = await startServer([...NODE_ARGS, ...args, PROGRAM], { cwd: CHECKOUT, env, ready });
  return { port, pid: child.pid, accounts: [], unplayed: [], late: 0 };
}

const directly = (url) => url;

/** `through` may give another URL for the database, such as that of a proxy; `further` arguments of Node and settings. */
export const startOnPostgres = (through = directly, further = {}) => start(through, further);
/** The database of the server that was started last. */
export const databaseUrl = urlOf(DATABASE);

/** A further server on it; both need the same secrets, among `env`. */
export const startBeside = async (through = directly, { args, env }) =>
  start(null, {
    args,
    env: { NODE_ENV: 'production', DATABASE_URL: await through(databaseUrl), ...env },
  });
export const startEmbedded = (further = {}) => start(null, further);

async function registerOne(connection, number) {
  const { method, path, body, token } = operations.register;
  const username = `bench-${number}-${randomBytes(3).toString('hex')}`;
  const password = randomBytes(18).toString('base64url');
  const answer = await askWell(connection, method, path, null, JSON.stringify(body(username, password)));
  return { username, token: token(JSON.parse(answer)) };
}

/** Registers two accounts for each client, unless they exist. */
export async function registerClients({ port, accounts }, clients) {
  let next = accounts.length;
  const registrar = async () => {
    const connection = new Connection(port);
    while (next < 2 * clients) {
      const number = next++;
      accounts[number] = await registerOne(connection, number);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: REGISTRARS }, registrar));
}

/** The two accounts of a client, which play its games. */
export const playersOf = ({ accounts }, client) => accounts.slice(2 * client, 2 * client + 2);

async function newGame(connection, [first, second]) {
  const { challenge, accept } = operations;
  const challenged = await graphql(
    connection,
    first.token,
    challenge.query,
    challenge.variables(second.username),
  );
  const id = challenge.id(challenged);
  return accept.id(await graphql(connection, second.token, accept.query, accept.variables(id)));
}

const moveText = (gameId, ply) =>
  `{"query":${MOVE_QUERY},"variables":${JSON.stringify(operations.move.variables(gameId, ply + 1, UCI[ply]))}}`;

/**
 * A client that plays the line in its own games. Games are created before the measured time; unused ones are
 * kept for the next match of the same client.
 */
export function playingMatch(server, client, connection = new Connection(server.port)) {
  const players = playersOf(server, client);
  const unplayed = (server.unplayed[client] ??= []);
  let gameId;
  return {
    prepare: async (games) => {
      while (unplayed.length < games) unplayed.push(await newGame(connection, players));
    },
    fresh: async () => {
      if (unplayed.length === 0) {
        server.late++;
        unplayed.push(await newGame(connection, players));
      }
      gameId = unplayed.pop();
      return gameId;
    },
    act: (ply) => askWell(connection, 'POST', '/graphql', players[ply % 2].token, moveText(gameId, ply)),
    close: () => connection.close(),
  };
}

/** A client that reads no games, over the same connections and with the same tokens. */
const idleMatch = (ask) => (server, client) => {
  const connection = new Connection(server.port);
  const players = playersOf(server, client);
  return {
    prepare: () => undefined,
    fresh: () => undefined,
    act: (ply) => ask(connection, players[ply % 2].token),
    close: () => connection.close(),
  };
};

export const typenameMatch = idleMatch((connection, token) =>
  askWell(connection, 'POST', '/graphql', token, TYPENAME),
);
export const livezMatch = idleMatch((connection, token) => askWell(connection, 'GET', '/livez', token));
