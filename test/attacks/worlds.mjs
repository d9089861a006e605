import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { deal } from '../../dist/fairness/deal.js';
import { identity } from '../../dist/rules/deal.js';
import { rulesetById } from '../../dist/rules/registry.js';
import { oneOf, random } from '../support/random.mjs';
import { Api } from './api.mjs';
import { openMailbox, secretIn } from './mailbox.mjs';
import { DAILY } from './news.mjs';
import { documentOf, fieldNamed } from './operations.mjs';
import { openPushService } from './push-service.mjs';
import { judgeServer, Report } from './report.mjs';
import { startServer } from './server.mjs';

/**
 * Compares two servers, run one after the other with the same users, ids, timestamps and moves. Every piece
 * that gets turned up is the same in both; the pieces that stay face-down differ. Everything that anybody can
 * see is compared.
 *
 * In the second world Ben picks a client seed that gives such a deal, which only this program can do, because
 * it knows the server seed (deterministic.mjs). The following values depend on the seed by design and are ignored:
 * the seed itself, the root of the deal and its proofs, the hash chain, the signatures of receipts, and ETags
 * made from the chain.
 */

const STILL = new URL('deterministic.mjs', import.meta.url).href;
const MOST_REVEALED = 4;
const PLIES = 14;
const MOST_SEEDS = 5_000_000;
const PROBES = 30;

const GAMES = [
  ['banqi-taiwan', {}],
  ['banqi-taiwan', { darkCaptures: true }],
  ['banqi-taiwan', { darkCaptures: true, multipleCaptures: true }],
  ['banqi-hongkong', {}],
  ['half-chess', {}],
];
const ROUNDS = 3;
/** An address of this machine that the server takes for the internet. */
const OPEN_HOST = '127.0.0.2';
/** After so long without a message there is none more. */
const QUIET_MS = 3000;
const MOST_LOOKS = 10;
/** As deterministic.mjs has it. */
const START = Date.UTC(2030, 0, 1);
/** Of the first day; all requests are made before. */
const DIGEST_HOUR = 23;
const LOOK_MS = 50;

const hex = (number, digits) => number.toString(16).padStart(digits, '0');

/** A client seed can be used only once, so each game has its own. */
const seedText = (place, number) => `${'5eed'.repeat(5)}${hex(place, 4)}${hex(number, 8)}`;

/** Replaces everything that may differ. */
const alike = (text) =>
  text
    .replace(/http(:\/\/|%3A%2F%2F)localhost(:|%3A)\d+/g, 'SERVER')
    .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replace(/(5eed){5}[0-9a-f]{12}/g, 'SEED')
    .replace(/— \S+ [\w+/]+=*/g, 'SIGNATURE')
    // Sealed: they hold the marks of events, which the database draws.
    .replace(/(": ?"|id: |after=)[\w-]{40,}/gm, '$1CURSOR')
    // By the clock of the database, which goes on.
    .replace(/"(at|timestamp)":"(?!2030)[^"]*"/g, '"$1":"NOW"')
    .replace(/127\.0\.0\.2:\d+/g, 'RECEIVER')
    // Written a moment later, by the clock of the machine.
    .replace(/"lastUsedAt":(?:null|"[^"]*")/g, '"lastUsedAt":"NOW"')
    // The bodies are compared themselves.
    .replace(/^content-length: \d+$/gim, '')
    .replace(/^(ETag: W\/"v\d+)[.-][^"]*/gim, '$1-TAG');

/** One of the two servers, with the requests and answers. */
class World {
  constructor(server) {
    this.server = server;
    this.api = new Api(server.port);
    this.step = 0;
    this.drawn = [];
    this.asked = [];
  }

  /**
   * Advances time by one step with its own random numbers, so that background tasks of the server cannot
   * shift later ones.
   */
  async tick(seconds = 1) {
    const answered = once(this.server.child, 'message');
    this.server.child.send((this.step += seconds));
    const [drawn] = await answered;
    this.drawn.push(...drawn);
  }

  /** Its address has the port of the server, which differs. */
  async preview(by, id) {
    await this.tick();
    const url = encodeURIComponent(`http://localhost:${this.server.port}/games/${id}`);
    this.note('GET /oembed', by, await this.api.rest(by, 'GET', `/oembed?url=${url}`));
  }

  async rest(by, method, path, body) {
    await this.tick();
    const answer = await this.api.rest(by, method, path, body);
    this.note(`${method} ${path} ${JSON.stringify(body) ?? ''}`, by, answer);
    return answer;
  }

  async graphql(by, query, variables) {
    await this.tick();
    const answer = await this.api.graphql(by, query, variables);
    this.note(`${query} ${JSON.stringify(variables)}`, by, answer);
    return answer;
  }

  /** Headers are compared too, except the date that Node adds. */
  note(what, by, { status, rawHeaders, text, failed }) {
    const pairs = (rawHeaders ?? []).flatMap((name, at, all) => (at % 2 === 0 && name !== 'Date' ? [`${name}: ${all[at + 1]}`] : [])); // prettier-ignore
    this.asked.push({ what: `${by?.username ?? 'nobody'}: ${what}`, said: [failed ?? status, ...pairs, text].join('\n') }); // prettier-ignore
  }

  async socket(by, query) {
    await this.tick();
    const subscribe = JSON.stringify({ id: '1', type: 'subscribe', payload: { query } });
    const parameters = by ? { authorization: `Bearer ${by.token}` } : {};
    const { came } = await this.api.client.socket({ parameters, messages: [subscribe] });
    this.note(`${query} over a socket`, by, { status: 'socket', text: came.join('\n') });
  }

  /** The server seed of a game: the drawn bytes that its commitment is the hash of. */
  async secretOf({ commitment }) {
    await this.tick();
    const hashOf = (hex) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
    const found = this.drawn.find((hex) => hashOf(hex) === commitment);
    if (found === undefined) throw new Error('The seed of the deal was not drawn as expected.');
    return Buffer.from(found, 'hex');
  }
}

async function register(world, username) {
  const { json } = await world.rest(null, 'POST', '/v1/users', { username, password: 'a password of two worlds' }); // prettier-ignore
  return { username, token: json.session.accessToken };
}

/**
 * The first client seed of Ben, from `seedText(place, 0)` on, whose deal has these pieces on these squares.
 */
function fittingSeed(ruleset, seeds, place, shown) {
  for (let number = 1; number <= MOST_SEEDS; number++) {
    const accepterSeed = seedText(place, number);
    const text = deal(ruleset, { ...seeds, accepterSeed });
    if (shown.every(([square, letter]) => identity(ruleset, text, square) === letter)) return accepterSeed;
  }
  throw new Error('No client seed gives this deal.');
}

/** The same terms and the same seed of Ann in both worlds. `shown`: what was turned up in the first one. */
async function begin(world, place, shown) {
  const [id, options] = GAMES[place % GAMES.length];
  const ruleset = rulesetById(id);
  const timeControl = { perMove: { seconds: 259_200 } };
  const opponent = { username: world.ben.username };
  const terms = { ruleset: id, options, seat: 'first', opponent, timeControl };
  const { challenge } = (await world.rest(world.ann, 'POST', '/v1/challenges', terms)).json;
  const { id: gameId } = challenge;
  const creatorSeed = hex(place, 32);
  await world.rest(world.ann, 'POST', `/v1/challenges/${gameId}/client-seed`, { clientSeed: creatorSeed });
  const serverSeed = await world.secretOf(challenge);
  const seeds = { gameId, serverSeed, creatorSeed };
  const clientSeed = shown === null ? seedText(place, 0) : fittingSeed(ruleset, seeds, place, shown);
  await world.tick();
  const path = `/v1/challenges/${gameId}/accept`;
  // The only request that differs between the worlds.
  const answer = await world.api.rest(world.ben, 'POST', path, { clientSeed });
  world.note(path, world.ben, answer);
  return { id: gameId, ruleset, text: deal(ruleset, { ...seeds, accepterSeed: clientSeed }) };
}

const SQUARE = /[a-h][1-8]/g;

/** Plays legal moves and turns up a few pieces; returns the moves and the squares that are known. */
async function explore(world, game, pick) {
  const moves = [];
  const known = new Map();
  while (moves.length < PLIES) {
    const by = [world.ann, world.ben][moves.length % 2];
    const legal = (await world.rest(by, 'GET', `/v1/games/${game.id}/legal-moves`)).json.items;
    const move = choose(pick, legal, known);
    if (move === null) break;
    const turn = (await world.rest(null, 'GET', `/v1/games/${game.id}`)).json.turn;
    const player = turn === 'first' ? world.ann : world.ben;
    await world.rest(player, 'POST', `/v1/games/${game.id}/moves`, { ply: moves.length + 1, move });
    for (const square of move.match(SQUARE) ?? [])
      known.set(square, identity(game.ruleset, game.text, square));
    moves.push({ move, turn });
  }
  return { moves, shown: [...known] };
}

/** Once enough pieces are turned up, only moves between known squares are played. */
function choose(pick, legal, known) {
  const quiet = legal.map(({ move }) => move).filter((move) => (move.match(SQUARE) ?? []).every((square) => known.has(square))); // prettier-ignore
  const bold = legal.map(({ move }) => move).filter((move) => new Set([...known.keys(), ...(move.match(SQUARE) ?? [])]).size <= MOST_REVEALED); // prettier-ignore
  const from = known.size < MOST_REVEALED ? bold : quiet;
  return from.length === 0 ? null : oneOf(pick, from);
}

/** Repeats the requests of the first world, including the last request for legal moves. */
async function replay(world, game, moves) {
  for (const [at, { move, turn }] of moves.entries()) {
    const by = [world.ann, world.ben][at % 2];
    await world.rest(by, 'GET', `/v1/games/${game.id}/legal-moves`);
    await world.rest(null, 'GET', `/v1/games/${game.id}`);
    const player = turn === 'first' ? world.ann : world.ben;
    await world.rest(player, 'POST', `/v1/games/${game.id}/moves`, { ply: at + 1, move });
  }
  const next = [world.ann, world.ben][moves.length % 2];
  if (moves.length < PLIES) await world.rest(next, 'GET', `/v1/games/${game.id}/legal-moves`);
}

const PARTS = ['', '/moves', '/moves?takenBack=true', '/legal-moves', '/claimable', '/log', '/record', '/export', '/export?format=json', '/export?format=text', '/export?format=pgn', '/conditional-moves', '/note', '/messages', '/rematch', '/events', '/board.svg', '/board.svg?ply=3', '/board.png']; // prettier-ignore
const LISTS = ['/v1/me/games?list=running', '/v1/me/games?list=all', '/v1/notifications', '/v1/inbox', '/v1/changes', '/v1/me/events', '/v1/events', '/v1/challenges?box=outgoing', '/v1/me/export', '/v1/games', '/v1/exports/games', '/v1/users/ann/games', '/v1/users/ann/statistics', '/v1/rulesets/half-chess/explorer']; // prettier-ignore

async function readAll(world, { id }) {
  const game = documentOf(fieldNamed('game'), { id }, 3);
  const changed = documentOf(fieldNamed('gameChanged'), {}, 2).replace('gameChanged', `gameChanged(gameId: "${id}")`); // prettier-ignore
  for (const by of [world.ann, world.ben, world.cid, null]) {
    for (const part of PARTS) await world.rest(by, 'GET', `/v1/games/${id}${part}`);
    await world.rest(by, 'GET', `/games/${id}`);
    await world.preview(by, id);
    await world.graphql(by, game, { id });
    await world.socket(by, changed);
  }
}

const squares = ({ ruleset: { board } }) => Array.from({ length: board.files * board.ranks }, (_, at) => `${'abcdefgh'[at % board.files]}${1 + Math.floor(at / board.files)}`); // prettier-ignore

/** Illegal moves and conditional moves, whose answers must not depend on face-down pieces. */
async function probe(world, game, pick, ply) {
  const legal = new Set();
  for (const by of [world.ann, world.ben]) {
    const { json } = await world.rest(by, 'GET', `/v1/games/${game.id}/legal-moves`);
    for (const { move } of json.items) legal.add(move);
  }
  const all = squares(game);
  for (let n = 0; n < PROBES; n++) {
    const move = `${oneOf(pick, all)}${oneOf(pick, [oneOf(pick, all), oneOf(pick, all), '', 'q'])}`;
    for (const by of [world.ann, world.ben, world.cid])
      if (!legal.has(move)) await world.rest(by, 'POST', `/v1/games/${game.id}/moves`, { ply, move });
  }
  for (let n = 0; n < PROBES / 4; n++) await probePlan(world, game, [oneOf(pick, all), oneOf(pick, all)], oneOf(pick, [...game.ruleset.dealing[0]])); // prettier-ignore
}

async function probePlan(world, { id }, [when, reply], reveals) {
  for (const by of [world.ann, world.ben])
    for (const tree of [[{ when, reply }], [{ when, reveals, reply }]])
      await world.rest(by, 'PUT', `/v1/games/${id}/conditional-moves`, { tree });
  for (const by of [world.ann, world.ben]) await world.rest(by, 'DELETE', `/v1/games/${id}/conditional-moves`); // prettier-ignore
}

/**
 * Webhooks of both players, which are off until everything has happened: what the server draws while it sends would shift
 * what it draws for requests.
 */
async function openHooks(world) {
  world.hooks = [];
  world.receiver = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      response.end();
      world.hooks.push({ path: request.url, body: Buffer.concat(parts).toString() });
    });
  });
  await new Promise((resolve) => world.receiver.listen(0, OPEN_HOST, resolve));
  const url = `http://${OPEN_HOST}:${world.receiver.address().port}`;
  world.opened = [];
  for (const by of [world.ann, world.ben]) {
    await world.tick();
    const { json } = await world.api.rest(by, 'POST', '/v1/webhooks', { url: `${url}/${by.username}` });
    await world.rest(by, 'PATCH', `/v1/webhooks/${json.webhook.id}`, { on: false });
    world.opened.push({ by, id: json.webhook.id });
  }
}

/** What the webhooks send, in order, since different games may pass each other. */
async function hearHooks(world) {
  for (const { by, id } of world.opened) await world.rest(by, 'PATCH', `/v1/webhooks/${id}`, { on: true });
  for (
    let heard = -1, looks = 0;
    heard < world.hooks.length || (heard === 0 && looks < MOST_LOOKS);
    looks++
  ) {
    heard = world.hooks.length;
    await pause(QUIET_MS);
  }
  world.receiver.close();
  const lines = world.hooks.map(({ path, body }) => `${path} ${body}`).sort();
  world.note('what webhooks send', null, { status: lines.length, text: lines.join('\n') });
}

async function people(world) {
  for (const name of ['ann', 'ben', 'cid']) world[name] = await register(world, name);
  for (const by of [world.ann, world.ben]) await tellDaily(world, by);
}

/** Both players are told by mail and by push when everything has happened, for the same reason. */
async function tellDaily(world, by) {
  const { mails } = world.mailbox;
  await world.rest(by, 'PUT', '/v1/me/email', { email: `${by.username}@example.org` });
  await come(mails, 1);
  await world.rest(null, 'POST', '/v1/email-verifications', { token: secretIn(mails.pop().mail) });
  await world.tick();
  await world.api.well(by, 'POST', '/v1/me/push-subscriptions', world.browser.subscribe(by.username));
  await world.tick();
  const wishes = { mail: DAILY, push: DAILY, digestHour: DIGEST_HOUR };
  await world.api.well(by, 'PATCH', '/v1/me/news', wishes);
}

/** Waits until there are so many. */
async function come(messages, count) {
  for (let left = MOST_LOOKS * QUIET_MS; left > 0 && messages.length < count; left -= LOOK_MS)
    await pause(LOOK_MS);
}

const NAMED = /^(Message-ID|Date): [^]*|boundary=[^]*/;

/** The digests, each part of them as it was sent. */
async function readNews(world) {
  const { mails } = world.mailbox;
  const { pushes } = world.browser;
  await world.tick(DIGEST_HOUR * 3600 - world.step);
  await come(mails, 2);
  await come(pushes, 2);
  await pause(QUIET_MS);
  for (const { to, mail } of mails.sort((a, b) => (a.to < b.to ? -1 : 1))) {
    const { subject, text, html, attachments } = mail;
    const pictures = attachments.map(({ cid, content }) => `${cid} ${content.toString('base64url')}`);
    const headers = mail.headerLines.map(({ line }) => line.replace(NAMED, '$1'));
    const parts = [...headers, text, html, ...pictures];
    world.note(`the mail to ${to}: ${subject}`, null, { status: 'mail', text: parts.join('\n') });
  }
  const told = pushes.map(({ path, headers, text }) => [path, headers.ttl, headers.topic, { ...JSON.parse(text), id: null }]); // prettier-ignore
  for (const push of told.map((each) => JSON.stringify(each)).sort())
    world.note('a push', null, { status: 'push', text: push });
  world.told = { mails: mails.length, boards: mails.flatMap(({ mail }) => mail.attachments).length, pushes: pushes.length }; // prettier-ignore
}

/** Runs all requests; in the second world with the recorded moves of the first. */
async function live(world, courses = null) {
  await people(world);
  await openHooks(world);
  const told = [];
  for (let at = 0; at < GAMES.length * ROUNDS; at++) {
    const game = await begin(world, at, courses && courses[at].shown);
    const course = courses ? courses[at] : await explore(world, game, random(100 + at));
    if (courses) await replay(world, game, course.moves);
    await readAll(world, game);
    await probe(world, game, random(500 + at), course.moves.length + 1);
    told.push({ ...course, text: game.text });
  }
  for (const by of [world.ann, world.ben, world.cid, null]) for (const path of LISTS) await world.rest(by, 'GET', path); // prettier-ignore
  await hearHooks(world);
  await readNews(world);
  return told;
}

async function inWorld(secrets, report, courses) {
  const mailbox = await openMailbox();
  const server = await startServer({ preload: STILL, env: { ...secrets, SMTP_URL: mailbox.url, SWEEP_SECONDS: '3600', EXPIRY_SWEEP_SECONDS: '3600', HOUSEKEEPING_SECONDS: '86400', LOG_SECONDS: '3600', OUTGOING_NETWORKS: `${OPEN_HOST}/32` } }); // prettier-ignore
  const world = Object.assign(new World(server), { mailbox });
  world.browser = await openPushService(OPEN_HOST, (...fault) => report.found(...fault), () => START + world.step * 1000); // prettier-ignore
  const told = await live(world, courses);
  await judgeServer(report, server, world.api.client);
  await mailbox.close();
  await world.browser.close();
  return { asked: world.asked, told, mailed: world.told };
}

const differing = (a, b) => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  const longer = Math.max(x.length, y.length);
  return Array.from({ length: longer }, (_, at) => at).filter((at) => x[at] !== y[at]).length;
};

/** The text around the first byte that differs. */
function around(a, b) {
  const at = [...a].findIndex((letter, n) => letter !== b[n]);
  return [a, b].map((text) => text.slice(Math.max(0, at - 150), at + 150));
}

function compare(report, first, second) {
  for (const [at, { what, said }] of first.entries()) {
    const other = second[at];
    report.add('answers compared');
    report.add('bytes compared', Buffer.byteLength(said));
    if (said === other?.said) report.add('answers identical without replacements');
    const [a, b] = [alike(said), alike(other?.said ?? '')];
    report.add('bytes that differ', differing(a, b));
    if (a !== b || what !== other.what) report.found(`the two worlds differ: ${what}`, ...around(a, b));
  }
}

export async function compareWorlds() {
  const report = new Report('worlds');
  const secret = () => randomBytes(32).toString('hex');
  const secrets = { TOKEN_SECRET: secret(), SEED_SECRET: secret(), SIGNING_SECRET: secret() };
  const first = await inWorld(secrets, report, null);
  const second = await inWorld(secrets, report, first.told);
  const differ = first.told.filter(({ text }, at) => text !== second.told[at].text).length;
  report.set('games in both worlds', first.told.length);
  report.set('of these with a different deal', differ);
  report.set(
    'plies',
    first.told.reduce((sum, { moves }) => sum + moves.length, 0),
  );
  report.set(
    'pieces turned up',
    first.told.reduce((sum, { shown }) => sum + shown.length, 0),
  );
  for (const [what, count] of Object.entries(first.mailed)) report.set(`${what} with news`, count);
  if (first.mailed.mails !== 2 || first.mailed.pushes < 2) report.found('not each player got a mail and a push', first.mailed); // prettier-ignore
  if (differ < first.told.length) report.found('the two worlds do not differ', 'some deals are the same');
  compare(report, first.asked, second.asked);
  return report;
}
