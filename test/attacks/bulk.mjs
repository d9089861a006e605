import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { holds, verify } from '../../dist/fairness/verify.js';
import { oneOf, random } from '../support/random.mjs';
import { Api } from './api.mjs';
import { judgeServer, Report } from './report.mjs';
import { killAndStart, startServer } from './server.mjs';
import { newGame, newSite, playerOf, walk } from './sites.mjs';

/**
 * An application makes players and begins games between them in bulk, while its connections are cut at random moments
 * and the server is killed in the middle of requests. Each request that was cut is sent again as it is. On PostgreSQL two
 * servers take the requests, so that one may still work on what was cut while the other gets it again. In the end each
 * player and each game must be there once, with its events, and its record must verify.
 */

const PLAYERS_AT_ONCE = 200;
const GAMES_AT_ONCE = 100;
const LANES = 2;
const RULESETS = ['chess', 'banqi-hongkong', 'xiangqi'];
const SETTLED_MS = 1000;
const SAMPLE = 60;
const KEPT = {
  SEED_SECRET: 'the secret of the attack "bulk", of 32 bytes or more',
  MAX_RUNNING_GAMES_OF_APPLICATION: '1000000',
  MAX_PLAYERS_OF_APPLICATION: '1000000',
};

const chunks = (items, size) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

/** The body of the answer. Without one it was cut: by us `after` milliseconds or `bytes`, or by the end of the server. */
function attempt(port, { method, path, body, token }, { after = null, bytes = null }) {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), authorization: `Bearer ${token}` }; // prettier-ignore
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, async (answer) => {
      try {
        const parts = await answer.toArray();
        resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() });
      } catch {
        resolve(null);
      }
    });
    sent.on('error', () => resolve(null));
    if (bytes === null) return afterwards(sent.end(text), after);
    sent.write(text.slice(0, bytes), () => sent.destroy());
  });
}

const afterwards = (sent, after) => after !== null && setTimeout(() => sent.destroy(), after).unref();

class Site {
  constructor(report, servers, site, pick) {
    Object.assign(this, { report, site, pick, servers, kills: new Set(), begun: 0 });
    this.ready = servers.map(() => Promise.resolve());
    this.typical = new Map();
  }

  /** Sends a request until it is answered. */
  async deliver(asked) {
    const number = (this.begun += 1);
    const path = asked.path;
    for (let tries = 0; ; tries++) {
      const which = this.pick(this.servers.length);
      await this.ready[which];
      const isKilled = this.kills.delete(number);
      // Early enough to be in the middle, however long this one takes.
      if (isKilled) void this.kill(which, this.moment(path) / 2);
      const cut = !isKilled && this.pick(2) === 0 ? this.cutOf(asked) : {};
      const began = performance.now();
      const answer = await attempt(this.servers[which].port, { ...asked, token: this.site.token }, cut);
      this.report.add('requests');
      if (answer === null) {
        this.report.add('bytes' in cut ? 'cut while the body was sent' : 'after' in cut ? 'cut while it was worked on' : 'cut by a kill'); // prettier-ignore
        continue;
      }
      // The longest: what is there already takes less.
      this.typical.set(path, Math.max(performance.now() - began, this.typical.get(path) ?? 0));
      if (answer.status < 300) return;
      this.report.found(`a request that was sent again was refused, try ${tries}`, asked, answer.text);
      return;
    }
  }

  /** A random moment of a request, in milliseconds. */
  moment(path) {
    return (this.typical.get(path) ?? 100) * (this.pick(1000) / 1000);
  }

  cutOf({ path, body }) {
    if (this.pick(4) === 0) return { bytes: this.pick(JSON.stringify(body).length) };
    return { after: this.moment(path) };
  }

  kill(which, after) {
    const restart = async () => {
      await pause(after);
      this.report.add('kills');
      this.servers[which] = await killAndStart(this.servers[which]);
    };
    return (this.ready[which] = this.ready[which].then(restart));
  }

  /** Sends all requests, some at once, and kills the server during `kills` of them. */
  async deliverAll(requests, kills) {
    for (let i = 0; i < kills; i++) {
      this.kills.add(this.begun + 1 + Math.floor(((i + 0.5) * requests.length) / kills));
    }
    const waiting = [...requests];
    const lane = async () => {
      for (let next; (next = waiting.shift()) !== undefined;) await this.deliver(next);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await Promise.all(this.ready);
  }
}

const playersOf = (count) =>
  Array.from({ length: count }, (_, i) => ({ externalId: `m${i}`, displayName: `Member ${i}` }));

const gamesOf = (count, players, pick) =>
  Array.from({ length: count }, (_, i) =>
    newGame(`g${i}`, `m${(2 * i) % players}`, `m${(2 * i + 1) % players}`, {
      ruleset: oneOf(pick, RULESETS),
    }),
  );

/** What there is twice, and what is not there at all. */
function compare(report, what, wanted, there) {
  const names = there.map(({ externalId }) => externalId);
  const found = new Set(names);
  const missing = wanted.filter(({ externalId }) => !found.has(externalId)).length;
  report.set(`${what} in the list of the API`, names.length);
  report.set(`${what} doubled`, names.length - found.size);
  report.set(`${what} missing`, missing);
  if (names.length !== wanted.length || found.size !== names.length || missing > 0) report.found(`not each of the ${what} is there once`, `${wanted.length} wanted, ${names.length} there`); // prettier-ignore
}

/** Each game has the players, and the rule set, that it was asked for. */
function compareGames(report, wanted, players, games) {
  const externalIdOf = new Map(players.map(({ id, externalId }) => [id, externalId]));
  const byName = new Map(games.map((own) => [own.externalId, own.game]));
  for (const { externalId, first, second, ruleset } of wanted) {
    const game = byName.get(externalId);
    const seats = game?.players.map(({ player }) => externalIdOf.get(player.id));
    if (game?.ruleset.id === ruleset && `${seats}` === `${[first.externalId, second.externalId]}`) continue;
    report.found(`the game ${externalId} is not what was asked for`, game ?? 'none');
  }
}

/** Each game has been accepted and started once, by the events of the application. */
function compareEvents(report, games, events) {
  const counts = new Map();
  for (const { type, gameId } of events) {
    const key = `${type} ${gameId}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  report.set('events read by pages', events.length);
  for (const type of ['accept', 'start']) {
    const times = games.map(({ game }) => counts.get(`${type} ${game.id}`) ?? 0);
    report.set(`${type} missing`, times.filter((count) => count === 0).length);
    report.set(`${type} doubled`, times.filter((count) => count > 1).length);
    if (times.some((count) => count !== 1)) report.found(`not each game has one event ${type}`);
  }
  if (events.length !== 2 * games.length) report.found('there are other events than those of the games', String(events.length)); // prettier-ignore
  const ids = new Set(events.map(({ id }) => id));
  if (ids.size !== events.length) report.found('an event was told twice', String(events.length - ids.size));
}

/** Verifies some games, half of which are resigned before, so that their deal is opened. */
async function verifySome(report, api, site, games, pick) {
  for (let i = 0; i < Math.min(SAMPLE, games.length); i++) {
    const own = games[Math.floor((i * games.length) / Math.min(SAMPLE, games.length))];
    const { id, players } = own.game;
    if (i % 2 === 0) {
      const { externalId } = await ownPlayer(api, site, players[pick(2)].player.id);
      await api.well(await playerOf(api, site, externalId), 'POST', `/v1/games/${id}/resign`);
    }
    const findings = verify(await api.well(null, 'GET', `/v1/games/${id}/record`));
    report.add('records verified');
    if (!holds(findings)) report.found(`the record of ${id} does not hold`, findings);
  }
}

let known = null;
async function ownPlayer(api, site, id) {
  known ??= new Map((await walk(api, site, '/v1/application/players')).map((player) => [player.id, player]));
  return known.get(id);
}

const COUNTED = {
  players: 'SELECT count(*)::integer AS all, count(DISTINCT external_id)::integer AS different FROM users WHERE application_id = $1',
  games: 'SELECT count(*)::integer AS all, count(DISTINCT external_id)::integer AS different FROM games WHERE application_id = $1',
}; // prettier-ignore

class Database {
  constructor(url) {
    this.client = new pg.Client(url);
  }

  /** Waits until what was cut has ended, too. */
  async settled(siteId) {
    for (let before = ''; ; await pause(SETTLED_MS)) {
      const now = JSON.stringify([await this.count('players', siteId), await this.count('games', siteId)]);
      if (now === before) return;
      before = now;
    }
  }

  async count(what, siteId) {
    return (await this.client.query(COUNTED[what], [siteId])).rows[0];
  }

  async compare(report, what, wanted, siteId) {
    const { all, different } = await this.count(what, siteId);
    report.set(`${what} in the database`, all);
    if (all !== wanted || different !== wanted) report.found(`the database has other ${what}`, { wanted, all, different }); // prettier-ignore
  }

  async transactions() {
    const { rows } = await this.client.query('SELECT xact_commit::float8 AS committed, xact_rollback::float8 AS undone, tup_inserted::float8 AS inserted FROM pg_stat_database WHERE datname = current_database()'); // prettier-ignore
    return rows[0];
  }
}

async function connectTo(postgres) {
  if (postgres === null) return null;
  const database = new Database(postgres);
  await database.client.connect();
  return database;
}

async function timed(report, what, count, work) {
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  report.set(`${what} wanted`, count);
  report.set(`${what} a second, with cuts and starts`, Math.round(count / seconds));
}

export async function sendInBulk({ postgres, seed, players, games, kills }) {
  const report = new Report('bulk');
  for (const what of ['requests', 'cut while the body was sent', 'cut while it was worked on', 'cut by a kill', 'kills']) report.add(what, 0); // prettier-ignore
  const pick = random(seed);
  const first = await startServer({ postgres, env: KEPT });
  const servers = [first];
  if (postgres !== null) servers.push(await startServer({ postgres, env: { ...KEPT, TOKEN_SECRET: first.tokenSecret } })); // prettier-ignore
  report.set('servers', servers.length);
  const database = await connectTo(postgres);
  const site = await newSite(new Api(first.port));
  const sender = new Site(report, servers, site, pick);
  const before = await database?.transactions();
  const members = playersOf(players);
  const wanted = gamesOf(games, players, pick);
  const [early, late] = [Math.floor(kills / 2), Math.ceil(kills / 2)];
  await timed(report, 'players', players, () =>
    sender.deliverAll(
      chunks(members, PLAYERS_AT_ONCE).map((part) => ({ method: 'PUT', path: '/v1/application/players', body: { players: part } })), // prettier-ignore
      early,
    ),
  );
  await timed(report, 'games', games, () =>
    sender.deliverAll(
      chunks(wanted, GAMES_AT_ONCE).map((part) => ({ method: 'POST', path: '/v1/application/games', body: { games: part } })), // prettier-ignore
      late,
    ),
  );
  await (database?.settled(site.id) ?? pause(SETTLED_MS));
  const api = new Api(sender.servers[0].port);
  await judge(report, { api, site, database, members, wanted, before, pick });
  for (const server of sender.servers) await judgeServer(report, server, new Api(server.port).client);
  return report;
}

async function judge(report, { api, site, database, members, wanted, before, pick }) {
  const saved = await walk(api, site, '/v1/application/players');
  const begun = await walk(api, site, '/v1/application/games');
  compare(report, 'players', members, saved);
  compare(report, 'games', wanted, begun);
  compareGames(report, wanted, saved, begun);
  compareEvents(report, begun, await walk(api, site, '/v1/application/events'));
  if (database !== null) {
    await database.compare(report, 'players', members.length, site.id);
    await database.compare(report, 'games', wanted.length, site.id);
    const after = await database.transactions();
    for (const [what, count] of Object.entries(after)) report.set(`transactions or rows ${what}`, count - before[what]); // prettier-ignore
    await database.client.end();
  }
  await verifySome(report, api, site, begun, pick);
}
