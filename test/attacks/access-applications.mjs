import { readFileSync } from 'node:fs';
import { inRoot } from '../../scripts/support.mjs';
import { TABLE } from './access-table.mjs';
import { lookOf } from './access-objects.mjs';
import { commitmentsOf, isReading, lookForCanaries, lookForSeeds, routeFor, titleOf, waysOf } from './access-ask.mjs'; // prettier-ignore
import { bearer } from './api.mjs';
import { documentOf, fieldNamed } from './operations.mjs';
import { operate } from './server.mjs';
import { beginGame, newSite, playerOf, savePlayers } from './sites.mjs';

/**
 * The permission table with the tokens of an application, its players, and one that is suspended, about things of
 * persons, of their own application and of another one. What docs/access.md says is what is expected.
 */

const LATE = ['UNAUTHENTICATED'];
const OTHERS = ['INSUFFICIENT_SCOPE', 'SESSION_REQUIRED'];
const MISTAKES = ['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED', 'QUERY_TOO_COSTLY', 'RATE_LIMITED', 'INTERNAL']; // prettier-ignore

const shapeOf = (name) => name.replace(/\{\w+\}|:\w+|\*/g, '_');

/** What docs/access.md says of an operation: `{ isOptional, isOfApplications, isOfPlayers }`. */
function readRules() {
  const rules = new Map();
  let section = '';
  for (const line of readFileSync(inRoot('docs/access.md'), 'utf8').split('\n')) {
    section = /^## (.*)/.exec(line)?.[1] ?? section;
    const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
    if (cells.length !== 6) continue;
    const name = shapeOf(cells[0].replaceAll('`', ''));
    const rule = { isOptional: cells[1] === 'yes', isOfApplications: cells[2] === '`application`', isOfPlayers: cells[5] === 'yes' }; // prettier-ignore
    rules.set(`${section} ${name}`, rule);
  }
  return rules;
}

const PAGE = { isOptional: true, isOfApplications: false, isOfPlayers: true };
const SECTIONS = { query: 'Queries', mutation: 'Mutations', subscription: 'Subscriptions', REST: 'Routes' };

function ruleOf(rules, row, way) {
  const name = way === 'REST' ? routeFor(row.route) : row.name;
  // A page, which is not in openapi.json.
  if (name === undefined) return PAGE;
  const rule = rules.get(`${SECTIONS[way]} ${shapeOf(name)}`);
  if (rule === undefined) throw new Error(`docs/access.md has no ${way} ${name}.`);
  return rule;
}

/** Whether an answer is one that the documentation lets expect. */
function isExpected(actor, rule, row, way, { status, code }) {
  if (status >= 500 || MISTAKES.includes(code)) return false;
  if (actor.isSuspended) {
    // Over a socket it is refused before anything can be asked.
    if (way === 'subscription') return code === undefined || LATE.includes(code);
    return LATE.includes(code) || (rule.isOptional && isAsFor(row.may.nobody, code));
  }
  if (rule.isOptional) return isAsFor(actor.isPlayer ? row.may.stranger : row.may.nobody, code) || isRefusedAnyway(row, code); // prettier-ignore
  if (!actor.isPlayer) return rule.isOfApplications ? [undefined, 'NOT_FOUND'].includes(code) : OTHERS.includes(code); // prettier-ignore
  if (!rule.isOfPlayers) return OTHERS.includes(code) || (row.name === 'claimAccount' && code === 'FORBIDDEN'); // prettier-ignore
  if (LATE.includes(code) || OTHERS.includes(code)) return false;
  return row.may.stranger === 'may' || code !== undefined;
}

const isAsFor = (may, code) => may === 'may' || code === may;
const isRefusedAnyway = ({ may }, code) => may.nobody !== 'may' && code === may.nobody;

/** Two players in two games with private data; the names of all that is private begin with `mark`. */
async function begin(api, name, { plans, externalIds }) {
  const site = await newSite(api, name);
  await api.well(site.owner, 'PUT', '/v1/me/email', { email: `${name}-owner@example.org` });
  await savePlayers(api, site, ...externalIds);
  const [first, second] = [await playerOf(api, site, externalIds[0]), await playerOf(api, site, externalIds[1])]; // prettier-ignore
  const game = await beginGame(api, site, `${name}-game`, ...externalIds);
  const banqi = await beginGame(api, site, `${name}-banqi`, ...externalIds, { ruleset: 'banqi-taiwan' });
  const waiting = await beginGame(api, site, `${name}-waiting`, ...externalIds);
  await api.play(banqi, [first, second], ['a1', 'b1']);
  await api.play(game, [first, second], ['e2e4']);
  await api.well(first, 'PUT', `/v1/games/${game}/conditional-moves`, { tree: [{ when: plans[0], reply: 'a2a3' }] }); // prettier-ignore
  await api.well(second, 'PUT', `/v1/games/${waiting}/conditional-moves`, { tree: [{ when: plans[1], reply: 'h7h6' }] }); // prettier-ignore
  await api.well(first, 'PUT', `/v1/games/${game}/note`, { note: `${name}-note-of-first` });
  await api.well(second, 'PUT', `/v1/games/${game}/note`, { note: `${name}-note-of-second` });
  await api.well(first, 'POST', `/v1/games/${game}/messages`, { text: `${name}-message` });
  const path = `/v1/application/players/${externalIds[0]}/claim-links`;
  const link = (await api.well(site, 'POST', path, {})).url.split('#')[1];
  return { ...site, name, first, second, games: [game, waiting, banqi], externalIds, plans, link };
}

/** What of an application may be seen by which actor; `seen` of those must see it, so that the search proves something. */
function canariesOf({ name, plans, externalIds, link, secret, owner }, itself, player) {
  const canary = (what, text, who, seen = who.length > 0) => ({ name: `${what} of ${name}`, text, who, seen }); // prettier-ignore
  return [
    canary('the note of the first player', `${name}-note-of-first`, [player]),
    canary('the note of the second player', `${name}-note-of-second`, []),
    canary('a message', `${name}-message`, [itself, player]),
    canary('conditional moves of the first player', `"when":"${plans[0]}"`, [player]),
    canary('conditional moves of the second player', `"when":"${plans[1]}"`, []),
    canary('the name of a game', `${name}-game`, [itself]),
    ...externalIds.map((id) => canary('the name of a player', `"${id}"`, [itself])),
    canary('a link', link, []),
    canary('the secret', secret, []),
    canary('the address of the owner', `${name}-owner@example.org`, []),
    canary('the password of the owner', owner.password, []),
  ];
}

async function setStage(server, { api }) {
  const site = await begin(api, 'canary-own', { plans: ['f7f5', 'f2f4'], externalIds: ['canary-ann', 'canary-ben'] }); // prettier-ignore
  const other = await begin(api, 'canary-other', { plans: ['g7g5', 'g2g4'], externalIds: ['canary-xi', 'canary-yu'] }); // prettier-ignore
  const gone = await begin(api, 'canary-gone', { plans: ['c7c5', 'c2c4'], externalIds: ['canary-cy', 'canary-di'] }); // prettier-ignore
  await operate(server, 'application', 'suspend', gone.id);
  const fresh = (of) => () => playerOf(api, of, of.externalIds[0]);
  const actors = {
    application: { by: async () => site },
    player: { by: fresh(site), isPlayer: true },
    'other application': { by: async () => other },
    'player of the other application': { by: fresh(other), isPlayer: true },
    'suspended application': { by: async () => gone, isSuspended: true },
    'player of the suspended application': { by: async () => gone.first, isSuspended: true, isPlayer: true },
  };
  const canaries = [
    ...canariesOf(site, 'application', 'player'),
    ...canariesOf(other, 'other application', 'player of the other application'),
    ...canariesOf(gone, null, null).map((canary) => ({ ...canary, who: [], seen: false })),
  ];
  return { site, other, gone, actors, canaries };
}

/** The ids with which a row is asked. */
function idsOf({ site, other, gone }, scene, { thing }) {
  if (thing === 'game') return [scene.game, scene.banqi, scene.ended, ...site.games, ...other.games, ...gone.games]; // prettier-ignore
  return [scene[thing]];
}

const isPersonal = (scene, id) => Object.values(scene).includes(id);

/** Reads with every row, then sends what changes something, about things of persons alone. */
export async function attackAsApplications(server, report, { api, people, names, scene, canaries }) {
  const rules = readRules();
  const stage = await setStage(server, { api });
  const strangers = canaries.map((canary) => ({ ...canary, who: [], seen: false }));
  const all = [...strangers, ...stage.canaries, { name: 'the session of a person', text: people.owner.token, who: [] }]; // prettier-ignore
  const commitments = await commitmentsOf({ api, people }, scene);
  for (const { games } of [stage.site, stage.other, stage.gone])
    for (const id of games) commitments.add((await api.well(null, 'GET', `/v1/games/${id}`)).commitment);
  const at = { api, people, names, scene, stage, rules, all, commitments };
  for (const row of TABLE)
    for (const way of waysOf(row)) {
      const isRead = isReading(row, way[0]);
      const ids = idsOf(stage, scene, row).filter((id) => isRead || row.thing !== 'game' || isPersonal(scene, id)); // prettier-ignore
      for (const id of ids) await tryAsAll(at, report, row, way, id);
    }
  for (const { name, seen, found } of all) if (seen && !found) report.found('not shown even to whom it belongs, so its absence elsewhere proves nothing', name); // prettier-ignore
  await reachForOthers(at, report);
  await listenToOthers(at, report);
}

async function tryAsAll(
  { api, people, names, scene, stage, rules, all, commitments },
  report,
  row,
  [way, ask],
  id,
) {
  const rule = ruleOf(rules, row, way);
  const isWrite = !isReading(row, way);
  const look = isWrite ? await lookOf(api, people, row.thing, id) : '';
  let mayChange = false;
  for (const [name, actor] of Object.entries(stage.actors)) {
    const answer = await ask(api, await actor.by(), row, id, names);
    const title = `${titleOf(row, way)} as ${name}`;
    report.add(`answers to the ${name}`);
    report.add(`of these, refused to the ${name}`, answer.code === undefined ? 0 : 1);
    // Their own games are theirs to act in.
    const isOwn = actor.isPlayer && !isPersonal(scene, id) && row.thing === 'game';
    if (!isOwn && !isExpected(actor, rule, row, way, answer)) report.found(`${title}: not what docs/access.md lets expect: ${answer.status} ${answer.code ?? ''}`, answer.asked, answer.text); // prettier-ignore
    lookForCanaries(report, all, name, { ...answer, text: answer.text ?? '' }, title);
    lookForSeeds(report, commitments, { ...answer, text: answer.text ?? '' }, title);
    mayChange ||= answer.code === undefined;
  }
  if (!isWrite || mayChange) return;
  report.add('refused requests of applications checked for side effects', Object.keys(stage.actors).length);
  const after = await lookOf(api, people, row.thing, id);
  if (after !== look)
    report.found(`${titleOf(row, way)} was refused to all but changed something`, look, after);
}

const EMPTY = 'empty';
const COMING = (id, player) => ({ externalId: `reached-${id}`, first: { externalId: player }, second: { externalId: player }, ruleset: 'chess', timeControl: { none: {} } }); // prettier-ignore

/** What an application asks with the names and ids of another one, over both transports; the code to expect, or EMPTY. */
function reaches({ externalIds: [name], games: [game] }, personal) {
  const player = (part = '') => `/v1/application/players/${name}${part}`;
  const input = { input: { externalId: name } };
  return [
    ['NOT_FOUND', 'ownPlayer', { externalId: name }, 'GET', player()],
    ['NOT_FOUND', null, null, 'GET', player('/export')],
    ['NOT_FOUND', 'createPlayerToken', input, 'POST', player('/tokens'), {}],
    ['NOT_FOUND', 'createClaimLink', input, 'POST', player('/claim-links'), {}],
    ['NOT_FOUND', 'erasePlayer', input, 'DELETE', player()],
    ['NOT_FOUND', 'createGames', { input: { games: [COMING('a', name)] } }, 'POST', '/v1/application/games', { games: [COMING('a', name)] }], // prettier-ignore
    ...[game, ...personal].flatMap((id) => [
      [EMPTY, 'ownGames', { ids: [id] }, 'GET', `/v1/application/games?ids=${id}`],
      [EMPTY, 'ownMessages', { gameId: id }, 'GET', `/v1/application/messages?gameId=${id}`],
    ]),
  ];
}

const itemsOf = ({ items, data }) => items ?? Object.values(data ?? {})[0]?.edges ?? null;

/** The names, ids and cursors of another application, and of persons, in the operations of an application. */
async function reachForOthers({ api, stage, scene, all }, report) {
  const { site, other, actors } = stage;
  for (const [expected, field, args, method, path, body] of reaches(other, [scene.game, scene.banqi])) {
    const answers = [await api.rest(site, method, path, body)];
    if (field !== null) answers.push(await api.graphql(site, documentOf(fieldNamed(field), args), args));
    for (const answer of answers) {
      report.add('operations of an application with names of another, or of persons');
      const isRight = expected === EMPTY ? itemsOf(answer.json)?.length === 0 : answer.code === expected;
      if (!isRight) report.found(`expected ${expected}, got ${answer.status} ${answer.code}`, answer.asked, answer.text); // prettier-ignore
      lookForCanaries(report, all, 'application', answer, `${method} ${path}`);
    }
  }
  for (const list of ['players', 'games', 'events', 'messages']) {
    const { items, next } = await api.well(other, 'GET', `/v1/application/${list}?first=1`);
    const cursor = list === 'events' ? items[0].id : (next ?? (await cursorOf(api, other, list)));
    for (const [name, actor] of Object.entries(actors)) {
      if (name === 'other application') continue;
      const path = `/v1/application/${list}?after=${encodeURIComponent(cursor)}`;
      const answer = await api.rest(await actor.by(), 'GET', path);
      report.add('cursors of another application');
      const expected = actor.isSuspended ? 'UNAUTHENTICATED' : actor.isPlayer ? 'INSUFFICIENT_SCOPE' : 'INVALID_CURSOR'; // prettier-ignore
      if (answer.code !== expected) report.found(`${name} with a cursor of another application: expected ${expected}`, answer.asked, answer.text); // prettier-ignore
    }
  }
}

const FIELDS = { players: 'ownPlayers', games: 'ownGames', messages: 'ownMessages' };

async function cursorOf(api, by, list) {
  const { json } = await api.graphql(by, `{ list: ${FIELDS[list]}(first: 1) { pageInfo { endCursor } } }`);
  return json.data.list.pageInfo.endCursor;
}

/** Streams and subscriptions, while there is a move and a message in a game of the other application. */
async function listenToOthers({ api, stage, all }, report) {
  const { other, actors } = stage;
  const watch = (by, name) => {
    const query = `subscription { ${name} { id type gameId subject } }`;
    const messages = [JSON.stringify({ id: '1', type: 'subscribe', payload: { query } })];
    return api.client.socket({ parameters: { authorization: `Bearer ${by.token}` }, messages, waitMs: 2500, enough: 100 }); // prettier-ignore
  };
  const stream = (by, path) =>
    api.client.raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n${bearer(by).join(': ')}\r\n\r\n`); // prettier-ignore
  const heard = [];
  for (const [name, actor] of Object.entries(actors)) {
    const by = await actor.by();
    for (const field of ['ownEvents', 'myEvents'])
      heard.push(watch(by, field).then(({ came }) => [name, field, came.slice(1).join('\n')]));
    for (const path of ['/v1/application/events', '/v1/me/events'])
      heard.push(stream(by, path).then(({ text = '' }) => [name, path, text]));
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  const [game] = other.games;
  await api.well(other.second, 'POST', `/v1/games/${game}/messages`, { text: 'canary-heard' });
  await api.well(other.second, 'POST', `/v1/games/${game}/moves`, { ply: 2, move: 'e7e5' });
  const isTold = new Set();
  for (const [name, where, text] of await Promise.all(heard)) {
    report.add('streams and subscriptions');
    const mayHear = name === 'other application' || name === 'player of the other application';
    if (text.includes(game)) isTold.add(`${name} ${where}`);
    if (text.includes(game) && !mayHear) report.found(`${name} hears of another application`, where, text);
    lookForCanaries(report, all, name, { text, asked: { where } }, `${where} as ${name}`);
  }
  report.set('of these, told of the game to whom it belongs', isTold.size);
  if (isTold.size < 2) report.found('nobody was told of the game, so the silence elsewhere proves nothing', [...isTold]); // prettier-ignore
}
