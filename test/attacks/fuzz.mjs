import { tmpdir } from 'node:os';
import { root } from '../../scripts/support.mjs';
import { oneOf, random } from '../support/random.mjs';
import { Api, bearer } from './api.mjs';
import { junkType, RAW } from './junk.mjs';
import { judgeServer, Report } from './report.mjs';
import { graphqlRequest, restRequest, socketRequest } from './requests.mjs';
import { startServer } from './server.mjs';
import { Pool } from './values.mjs';

/**
 * Random requests, most of them nearly valid. None may cause an internal error or reveal internals of the
 * server.
 */

const AT_ONCE = 8;
const NEW_GAME_EVERY = 250;
const SOCKET_WAIT_MS = 500;
/** Close codes that mean a fault: abnormal closure, internal error, and that of graphql-ws. */
const BAD_CLOSES = new Set([1006, 1011, 4500]);

/** Patterns that only internals of the server produce. Matches that repeat the request are allowed. */
const INSIDE = [/\n\s+at .+[:(]\d+/, /node_modules|node:internal|file:\/\/|\/dist\/[a-z]|\.[cm]?[jt]s:\d+/, /prisma|pglite|SQLSTATE/i, /\bselect\b.+\bfrom\b.+\bwhere\b|insert into|syntax error at or near|invalid input syntax|violates .* constraint|relation "/i]; // prettier-ignore
const PATHS = [root, tmpdir(), process.env.HOME].filter((path) => path && path.length > 3);

function insideOf(text, asked) {
  const found = INSIDE.map((pattern) => pattern.exec(text)?.[0]).filter(Boolean);
  const paths = PATHS.filter((path) => text.includes(`${path}/`));
  const sent = decoded(JSON.stringify(asked));
  return [...found, ...paths].filter((words) => !sent.includes(words.trim()));
}

function decoded(text) {
  try {
    return text + decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The users of the requests. A session that a random request has ended is replaced. */
class Actors {
  constructor(api) {
    this.api = api;
    this.people = [];
    this.games = 0;
  }

  async gather() {
    for (const name of ['first', 'second', 'stranger']) this.people.push(await this.api.register(name));
    await this.play();
  }

  /** Random requests also block, decline and resign, so the players change regularly. */
  async play() {
    this.games += 1;
    for (const at of [0, 1]) if (this.games % 8 === 0) this.people[at] = await this.api.register('player');
    const ruleset = oneOf((below) => this.games % below, ['chess', 'banqi-taiwan', 'xiangqi', 'half-chess']);
    const [first, second] = this.people;
    await this.api.rest(first, 'PATCH', '/v1/me', { challengesFrom: 'everybody' });
    const made = await this.api.rest(first, 'POST', '/v1/challenges', { ruleset, opponent: { username: second.username }, timeControl: { none: {} } }); // prettier-ignore
    if (made.status < 300)
      await this.api.rest(second, 'POST', `/v1/challenges/${made.json.challenge.id}/accept`, {});
  }

  one(pick) {
    return oneOf(pick, [null, ...this.people, this.people[0], this.people[1]]);
  }

  async renew(person) {
    const at = this.people.indexOf(person);
    if (at < 0 || person.renewing) return;
    person.renewing = true;
    this.people[at] = await this.api.login(person).catch(() => this.api.register('again'));
  }
}

/**
 * Status 5xx, or an internal error in a GraphQL answer of status 200, except in answers about the error codes
 * themselves.
 */
function isFault({ status, text }) {
  return status >= 500 || /"code":"(INTERNAL|INTERNAL_SERVER_ERROR|UNAVAILABLE|OVERLOADED|STORAGE_FULL)"(?!,"(status|description)")/.test(text); // prettier-ignore
}

function judge(report, name, asked, answer) {
  if (answer.failed !== undefined) return judgeFailure(report, name, asked, answer);
  report.add(`answers ${String(answer.status)[0]}xx`);
  if (isFault(answer)) {
    report.add('internal errors');
    report.found(`internal error: ${name}`, asked, `${answer.status} ${answer.text}`);
  }
  const inside = insideOf(answer.text, asked);
  if (inside.length > 0) {
    report.add('answers that reveal internals');
    report.found(`an answer reveals ${JSON.stringify(inside)}: ${name}`, asked, answer.text);
  }
}

function judgeFailure(report, name, asked, { failed, before }) {
  report.add('connections without an answer');
  report.found(
    `no answer (${failed}): ${name}`,
    asked,
    before ? { 'carried before': before } : 'a new connection',
  );
}

async function send({ pool, actors, api, report, slowest }, request) {
  const by = actors.one(pool.pick);
  const { name, ...asked } = request(pool);
  const all = { ...asked, headers: [...asked.headers, ...bearer(by)] };
  const answer = await api.client.send(all);
  judge(report, name, all, answer);
  if (answer.ms > slowest.ms) Object.assign(slowest, { ms: answer.ms, name });
  if (answer.status === 401 || answer.text?.includes('"UNAUTHENTICATED"')) await checkSession(actors, by);
  else learn(pool, answer);
}

async function checkSession(actors, by) {
  if (by && (await actors.api.rest(by, 'GET', '/v1/me')).status === 401) await actors.renew(by);
}

function learn(pool, { status, text }) {
  if (text === undefined || status >= 300 || text.length > 100_000) return;
  try {
    pool.learn(JSON.parse(text));
  } catch {
    // Game texts and event streams are not JSON.
  }
}

async function sendRaw({ pool, api, report }) {
  const bytes = oneOf(pool.pick, RAW);
  const answer = await api.client.raw(bytes);
  // The server may answer malformed bytes by closing the connection.
  if (answer.failed === undefined) judge(report, 'bytes', { bytes }, answer);
  else report.add(`malformed bytes:  ${answer.failed}`);
}

async function sendSocket({ pool, actors, api, report }) {
  const { name, ...asked } = socketRequest(pool, actors.one(pool.pick)?.token);
  const { came, code, left } = await api.client.socket({ ...asked, waitMs: SOCKET_WAIT_MS, enough: 1 });
  const text = came.join('\n');
  const wasOurs = left || asked.path !== '/graphql';
  report.add('sockets');
  if (BAD_CLOSES.has(code) && !wasOurs)
    report.found(`a socket was closed with ${code}: ${name}`, asked, text);
  if (isFault({ status: 200, text })) report.found(`internal error on a socket: ${name}`, asked, text);
  const inside = insideOf(text, asked);
  if (inside.length > 0) report.found(`a socket reveals ${JSON.stringify(inside)}: ${name}`, asked, text);
}

/** Valid content types with a body of another type, as a faulty client sends them. */
const otherType = (pool) => {
  const request = restRequest(pool);
  return {
    ...request,
    headers: [...request.headers.slice(2), 'Content-Type', junkType(pool.pick).replace('\u00e9', '')],
  };
};

async function one(at, number) {
  if (number % NEW_GAME_EVERY === 0) await at.actors.play();
  at.report.add('requests');
  const kind = at.pool.pick(100);
  if (kind < 2) return sendRaw(at);
  if (kind < 5) return sendSocket(at);
  if (kind < 8) return send(at, otherType);
  return send(at, kind < 55 ? restRequest : graphqlRequest);
}

async function sendRequests(at, requests) {
  let number = 0;
  const worker = async () => {
    while (number < requests && at.server.isAlive()) await one(at, ++number);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const ZEROES = ['requests', 'answers 2xx', 'answers 3xx', 'answers 4xx', 'answers 5xx', 'internal errors', 'connections without an answer', 'answers that reveal internals']; // prettier-ignore

export async function attackWithJunk({ requests, seed, postgres }) {
  const report = new Report('fuzz');
  for (const what of ZEROES) report.add(what, 0);
  const server = await startServer({ postgres });
  const api = new Api(server.port);
  const [actors, slowest] = [new Actors(api), { ms: 0, name: '' }];
  await actors.gather();
  await sendRequests({ pool: new Pool(random(seed)), actors, api, report, slowest, server }, requests);
  report.set('slowest answer (ms)', `${slowest.ms.toFixed(0)} (${slowest.name})`);
  if (!server.isAlive()) report.found('the server has exited', server.complaints().join('\n'));
  await judgeServer(report, server, api.client);
  return report;
}
