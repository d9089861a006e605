import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { parseOptions } from '../../dist/rules/options.js';
import { begin, legalMoves, play } from '../../dist/rules/play.js';
import { rulesetById } from '../../dist/rules/registry.js';
import { oneOf, random } from '../support/random.mjs';
import { Api } from './api.mjs';
import { openMailbox, secretIn } from './mailbox.mjs';
import { AT_ONCE, judgeLeft, judgeNews, judgeShown, keepPosted, leftIn, silentIn, staleIn, toldByMails, toldByPushes, turnsOf } from './news.mjs'; // prettier-ignore
import { openPushService } from './push-service.mjs';
import { judgeServer, Report } from './report.mjs';
import { killAndStart, startServer } from './server.mjs';
import { OPEN_HOST, hook, keyOf, lines, serverSent, socket } from './subscribers.mjs';

/**
 * Plays many games of one person on two servers with one database, each of which is killed in turn, right after it has
 * answered an act and before it can have told it, and started again. The person hears of it by a socket, by server-sent
 * events, by lines, by a webhook, by mail and by push. In the end each of the first four must have brought what is in the
 * log of the games: all of it, nothing else, in the order of each game, and what came again under the same id. Mails and
 * pushes tell only what is still so when they are sent: they must have told the turns that are left in the end, each once,
 * and nothing that was not so.
 */

const ADMIN = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const RULESETS = ['chess', 'xiangqi'];
const OPPONENTS = 10;
const ACTS_OF_A_GAME = 50;
const ACTS_OF_A_KILL = 500;
/** Games that are played at a time, while the others rest long enough for a mail. */
const PLAYED_AT_ONCE = 20;
const LANES = 8;
/** A round takes this long at least: a mail gathers for a minute, and should find turns that are still so. */
const ROUND_MS = 9000;
/** What hung on a killed server: a lease of webhooks for one minute, a mail for two. */
const PATIENCE_MS = 240_000;
const LOOK_MS = 500;
const KEPT = { SEED_SECRET: 'the secret of the attack "delivery", of 32 bytes or more' };

/** A database of its own; null without a server. */
async function openDatabase(postgres) {
  const admin = new pg.Client(postgres ?? ADMIN);
  const isThere = await admin.connect().then(
    () => true,
    () => postgres !== null,
  );
  if (!isThere) return null;
  const name = `halfmove_delivery_${randomBytes(4).toString('hex')}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(postgres ?? ADMIN), { pathname: `/${name}` }).href;
  const client = new pg.Client(url);
  const drop = async () => {
    await client.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  };
  return { url, client, drop };
}

/** The two servers, of which one at a time may be down. */
class Servers {
  constructor(report, servers) {
    Object.assign(this, { report, servers, asked: 0, starting: null });
    this.apis = servers.map(({ port }) => new Api(port));
  }

  /** Of a server that is up, another one each time. */
  next() {
    const up = this.servers.flatMap((server, i) => (server === null ? [] : [i]));
    return up[(this.asked += 1) % up.length];
  }

  port() {
    return this.servers[this.next()].port;
  }

  api() {
    return this.apis[this.next()];
  }

  /** At once, and without waiting for the start of the next one. */
  kill(which) {
    const server = this.servers[which];
    server.child.kill('SIGKILL');
    this.report.add('kills');
    for (const line of server.complaints()) this.report.found('an error in the log', line);
    this.servers[which] = null;
    this.starting = killAndStart(server).then((next) => {
      this.servers[which] = next;
      this.apis[which] = new Api(next.port);
      this.starting = null;
    });
  }
}

async function startServers(report, url, mailbox) {
  const env = { ...KEPT, OUTGOING_NETWORKS: `${OPEN_HOST}/32`, SMTP_URL: mailbox.url };
  const first = await startServer({ postgres: url, env });
  const second = await startServer({ postgres: url, env: { ...env, TOKEN_SECRET: first.tokenSecret } });
  return new Servers(report, [first, second]);
}

/** A person whom mails of all news reach at once. */
async function reachable(api, mailbox) {
  const person = await api.register('reader');
  const email = `${person.username}@example.org`;
  await api.well(person, 'PUT', '/v1/me/email', { email });
  while (mailbox.mails.length === 0) await pause(LOOK_MS);
  await api.well(null, 'POST', '/v1/email-verifications', { token: secretIn(mailbox.mails.pop().mail) });
  await api.well(person, 'PATCH', '/v1/me/news', { mail: AT_ONCE, push: AT_ONCE });
  return { ...person, email };
}

/** The acts of a player before a ply, by turns; those of the opponent of the player to move are marked. */
const OFFERS = [
  { every: 40, at: 4, acts: [{ path: 'draw-offer', type: 'offerDraw' }] },
  { every: 40, at: 25, acts: [{ path: 'draw-offer', type: 'offerDraw' }, { path: 'draw-offer/decline', type: 'declineDraw', other: true }] }, // prettier-ignore
  { every: 10, at: 3, acts: [{ path: 'time', type: 'giveTime', other: true, body: (ply) => ({ ply }) }] },
  { every: 20, at: 7, acts: [{ path: 'time-request', type: 'requestTime' }, { path: 'time-request/decline', type: 'declineTimeRequest', other: true }] }, // prettier-ignore
  { every: 20, at: 17, acts: [{ path: 'time-request', type: 'requestTime' }, { path: 'time-request/accept', type: 'acceptTimeRequest', other: true }] }, // prettier-ignore
];

/** A game as its players know it. */
class Match {
  constructor(id, players, ruleset) {
    Object.assign(this, { id, players, plies: 0, queue: null, isAsking: false });
    this.start = this.state = begin(ruleset, parseOptions(ruleset, {}).value);
  }

  get isOver() {
    return this.state.outcome !== null;
  }

  /** The next act: what is offered and answered before a ply, then the move. */
  next(pick) {
    this.queue ??= OFFERS.filter(({ every, at }) => this.plies % every === at).flatMap(({ acts }) => acts);
    const ply = this.plies + 1;
    const mover = this.plies % 2;
    const act = this.queue.shift();
    if (act !== undefined) return { ...act, by: this.players[act.other ? 1 - mover : mover], body: act.body?.(ply) ?? {} }; // prettier-ignore
    const move = oneOf(pick, legalMoves(this.state));
    return { path: 'moves', type: 'ply', by: this.players[mover], body: { ply, move }, move };
  }

  done({ move }) {
    if (move === undefined) return;
    this.state = play(this.state, move, null).value.game;
    this.plies += 1;
    this.queue = null;
  }
}

async function beginGames(servers, person, count) {
  const others = [];
  for (let i = 0; i < Math.min(OPPONENTS, count); i++) others.push(await servers.api().register('other'));
  const matches = [];
  await inLanes([...Array(count).keys()], async (i) => {
    const players = [person, others[i % others.length]];
    if (i % 2 === 1) players.reverse();
    const ruleset = RULESETS[i % RULESETS.length];
    const { id } = await servers.api().game(players[0], players[1], { ruleset, rated: false });
    matches.push(new Match(id, players, rulesetById(ruleset)));
  });
  return matches;
}

async function inLanes(items, work) {
  const waiting = [...items];
  const lane = async () => {
    for (let next; (next = waiting.shift()) !== undefined;) await work(next);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Plays, and kills each server in turn. */
class Play {
  constructor({ report, servers, matches, acts, pick, subscribers }) {
    const kills = Math.max(2, Math.floor(acts / ACTS_OF_A_KILL));
    Object.assign(this, { report, servers, matches, acts, pick, subscribers, answered: 0, acknowledged: [] });
    this.kills = Array.from({ length: kills }, (_, i) => Math.floor(((i + 0.5) * acts) / kills));
    this.victim = 0;
  }

  async run() {
    const groups = Math.ceil(this.matches.length / PLAYED_AT_ONCE);
    const rounds = Math.max(groups, Math.min(2 * groups, Math.floor(this.acts / (2 * PLAYED_AT_ONCE))));
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      const group = this.matches.filter((_, i) => i % groups === round % groups);
      await this.playOn(group, Math.floor(((round + 1) * this.acts) / rounds));
      if (round < rounds - 1) await pause(Math.max(0, ROUND_MS - (performance.now() - began)));
    }
    await this.servers.starting;
    if (this.kills.length > 0)
      this.report.found('there was no time for all kills', String(this.kills.length));
  }

  /** Until so many acts were answered in all. */
  async playOn(group, until) {
    const lane = async () => {
      while (this.answered < until) {
        const free = group.filter((match) => !match.isAsking && !match.isOver);
        if (free.length === 0) return;
        const match = oneOf(this.pick, free);
        match.isAsking = true;
        await this.act(match);
        match.isAsking = false;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  async act(match) {
    const act = match.next(this.pick);
    for (let tries = 0; ; tries++) {
      const which = this.servers.next();
      const answer = await this.servers.apis[which].rest(act.by, 'POST', `/v1/games/${match.id}/${act.path}`, act.body); // prettier-ignore
      if (answer.status < 300) return this.isAnswered(match, act, answer.json.game, which);
      if (answer.failed !== undefined) this.report.add('acts that were cut by a kill, and sent again');
      // An offer that was committed before the kill is refused the second time.
      else if (tries > 0 && act.move === undefined) return match.done(act);
      else throw new Error(`An act was refused: ${JSON.stringify(answer.asked)} ${answer.text}`);
    }
  }

  isAnswered(match, act, { version }, which) {
    this.answered += 1;
    const entry = { gameId: match.id, version, type: act.type };
    if (this.answered >= this.kills[0] && which === this.victim && this.servers.starting === null) {
      this.servers.kill(which);
      this.kills.shift();
      this.victim = 1 - which;
      for (const subscriber of this.subscribers) {
        this.report.add(`kills before the act had come by ${subscriber.name}`, subscriber.has(entry) ? 0 : 1);
      }
    }
    this.acknowledged.push({ ...entry, move: act.move });
    match.done(act);
  }
}

/** The opening of a challenge, before version 1, is told as one of the challenge. */
const LOG = `
  SELECT game_id::text AS "gameId", seq AS version, 'ply' AS type, ply, move, position, played_at AS at FROM plies
  UNION ALL SELECT game_id::text, seq, type, NULL, NULL, NULL, at FROM game_events WHERE seq > 0 ORDER BY 1, 2`;

/** The set that came is the log, in the order of each game, and what came again has its id. */
function judgeEvents(report, { name, came, breaks }, log) {
  const wanted = new Set(log.map(keyOf));
  const ids = new Map();
  const newest = new Map();
  const counts = { missing: 0, extra: 0, 'out of order': 0, 'again, with the same id': 0, 'again, with another id': 0 }; // prettier-ignore
  const owners = new Map();
  for (const event of came) {
    const key = keyOf(event);
    if (!wanted.has(key)) counts.extra += 1;
    if (ids.has(key))
      counts[ids.get(key) === event.id ? 'again, with the same id' : 'again, with another id'] += 1;
    else {
      if (event.version < (newest.get(event.gameId) ?? 0)) counts['out of order'] += 1;
      newest.set(event.gameId, event.version);
      if (owners.has(event.id)) report.found(`${name}: two events have one id`, owners.get(event.id), key);
      owners.set(event.id, key);
      ids.set(key, event.id);
    }
  }
  const missing = [...wanted].filter((key) => !ids.has(key));
  counts.missing = missing.length;
  report.set(`${name}: came`, ids.size);
  if (breaks !== undefined) report.set(`${name}: taken up again`, breaks);
  for (const [what, count] of Object.entries(counts)) report.set(`${name}: ${what}`, count);
  for (const what of ['missing', 'extra', 'out of order', 'again, with another id'])
    if (counts[what] > 0) report.found(`${name}: ${counts[what]} ${what}`, missing.slice(0, 5));
}

/** What was answered is in the log. */
function judgeAcknowledged(report, acknowledged, log) {
  const entries = new Map(log.map((entry) => [keyOf(entry), entry]));
  const lost = acknowledged.filter((act) => {
    const entry = entries.get(keyOf(act));
    return entry === undefined || (act.move ?? null) !== entry.move;
  });
  report.set('acts that were answered', acknowledged.length);
  report.set('of these not in the log', lost.length);
  if (lost.length > 0) report.found('acts that were answered are not in the log', lost.slice(0, 5));
}

async function until(isSo) {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end && !(await isSo());)
    await pause(LOOK_MS);
}

export async function deliver({ postgres, seed, acts }) {
  const report = new Report('delivery');
  const database = await openDatabase(postgres);
  if (database === null) {
    report.set('left out, without a PostgreSQL server (TEST_DATABASE_URL)', 1);
    return report;
  }
  const mailbox = await openMailbox();
  const browser = await openPushService(OPEN_HOST, (...fault) => report.found(...fault));
  try {
    await attack(report, { database: database.client, url: database.url, mailbox, browser, seed, acts });
  } finally {
    await browser.close();
    await mailbox.close();
    await database.drop();
  }
  return report;
}

async function subscribe(report, servers, person) {
  const portOf = () => servers.port();
  const { next: from } = await servers.api().well(person, 'GET', '/v1/me/events?fromNow=true');
  const subscribers = [
    await hook(report, servers.api(), person),
    socket(report, person, portOf, from),
    serverSent(report, person, portOf),
    lines(report, person, portOf),
  ];
  await Promise.all(subscribers.map(({ ready }) => ready));
  return subscribers;
}

async function attack(report, { database, url, mailbox, browser, seed, acts }) {
  const servers = await startServers(report, url, mailbox);
  await database.connect();
  await keepPosted(database);
  const person = await reachable(servers.api(), mailbox);
  await servers.api().well(person, 'POST', '/v1/me/push-subscriptions', browser.subscribe());
  const subscribers = await subscribe(report, servers, person);
  const matches = await beginGames(servers, person, Math.ceil(acts / ACTS_OF_A_GAME));
  const play = new Play({ report, servers, matches, acts, pick: random(seed), subscribers });
  await play.run();
  const { rows: log } = await database.query(LOG);
  const turns = turnsOf(log, matches, person);
  const { rows: ended } = await database.query('SELECT id::text FROM games WHERE ended_at IS NOT NULL');
  const left = leftIn(turns, new Set(ended.map(({ id }) => id)));
  const mailed = () => toldByMails(mailbox.mails, database);
  const pushed = () => toldByPushes(browser.pushes, database);
  await until(() => subscribers.every((subscriber) => log.every((entry) => subscriber.has(entry))));
  await until(async () => silentIn(await pushed(), left).length === 0);
  await until(async () => staleIn(await pushed(), left).length === 0);
  await until(async () => silentIn(await mailed(), left).length === 0);
  report.set('entries in the log of the games', log.length);
  judgeAcknowledged(report, play.acknowledged, log);
  for (const subscriber of subscribers) judgeEvents(report, subscriber, log);
  judgeNews(report, 'mail', await mailed(), turns, log);
  judgeLeft(report, 'mail', await mailed(), left);
  judgeNews(report, 'push', await pushed(), turns, log);
  judgeLeft(report, 'push', await pushed(), left);
  judgeShown(report, await pushed(), left);
  if (browser.senders.size !== 1) report.found('push: the servers have not one key', [...browser.senders]);
  await Promise.all(subscribers.map((subscriber) => subscriber.close()));
  for (const [i, server] of servers.servers.entries())
    await judgeServer(report, server, servers.apis[i].client);
}
