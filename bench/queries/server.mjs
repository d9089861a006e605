import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { essenceOf, explain, isQuery, together } from './plans.mjs';
import { parseConfig } from '../../dist/config.js';

/** The built server on a database, queried over HTTP, and the statements that it sends to the database. */

const PROGRAM = new URL('../../dist/main.js', import.meta.url).pathname;
const LISTENER = new URL('record-statements.mjs', import.meta.url).href;
const TRIES = 4;

/** The address of the server that is being started. */
export async function urlOf(child) {
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  for (;;) {
    const port = /http:\/\/localhost:(\d+)\/graphiql/.exec(said)?.[1];
    if (port !== undefined) return `http://127.0.0.1:${port}/graphql`;
    if (child.exitCode !== null) throw new Error(`The server exited: ${said}`);
    await pause(50);
  }
}

export async function startServer(databaseUrl) {
  const dataDir = mkdtempSync(join(tmpdir(), 'halfmove-queries-'));
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', SWEEP_SECONDS: '3600', DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SEED_SECRET: parseConfig(process.env).seedSecret }; // prettier-ignore
  const child = spawn(process.execPath, ['--import', LISTENER, PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }); // prettier-ignore
  const url = await urlOf(child);
  const close = async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    rmSync(dataDir, { recursive: true });
  };
  return { ask: asker(url), sent: () => taken(child), close };
}

const asker =
  (url) =>
  async ({ query, variables }, token) => {
    const began = performance.now();
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const { data, errors } = await answer.json();
    if (errors !== undefined) throw new Error(`${query}\n${JSON.stringify(errors)}`);
    return { data, ms: performance.now() - began };
  };

/** The statements sent since the last call. */
async function taken(child) {
  const answered = once(child, 'message');
  child.send('take');
  const [statements] = await answered;
  return statements;
}

/**
 * The statements of one request: the fewest of several tries, because background work of the server adds
 * others.
 */
export async function statementsOf({ ask, sent }, asked, token) {
  let fewest = null;
  for (let i = 0; i < TRIES; i++) {
    await sent();
    await ask(asked, token);
    const statements = (await sent()).filter(isQuery);
    if (fewest === null || statements.length < fewest.length) fewest = statements;
  }
  return fewest;
}

/** The database work of one request. */
export async function workOf(server, db, asked, token) {
  const essences = [];
  for (const statement of await statementsOf(server, asked, token)) {
    essences.push(essenceOf(await explain(db, statement)));
  }
  return together(essences);
}
