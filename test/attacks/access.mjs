import { setTimeout as pause } from 'node:timers/promises';
import { ACTORS, TABLE, WITHOUT_AN_OWNER } from './access-table.mjs';
import { lookOf, MAKERS, setScene } from './access-objects.mjs';
import { Api } from './api.mjs';
import { attackAsApplications } from './access-applications.mjs';
import { commitmentsOf, isReading, lookForCanaries, lookForSeeds, routeFor, titleOf, waysOf } from './access-ask.mjs'; // prettier-ignore
import { fields, routes } from './operations.mjs';
import { logged, readLog } from './log.mjs';
import { judgeServer, Report } from './report.mjs';
import { startServer } from './server.mjs';

/** Tries every row of the permission table as every actor, then searches every answer for private data. */

/** Refusals for lack of permission. Codes in MISTAKES mean that the request of the table is itself wrong. */
const REFUSED = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_YOUR_GAME', 'NOT_FOUND', 'INVALID_CREDENTIALS'];
const MISTAKES = ['BAD_INPUT', 'BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED', 'QUERY_TOO_COSTLY', 'RATE_LIMITED', 'LIMIT_REACHED', 'INTERNAL']; // prettier-ignore

/** Query limits are not under test here, and these documents select everything. */
const WIDE = { MAX_QUERY_COST: '1000000', MAX_QUERY_DEPTH: '100', MAX_QUERY_TOKENS: '100000', MAX_QUERY_ALIASES: '1000' }; // prettier-ignore

function isAsExpected(expected, { status, code }) {
  if (expected !== 'may') return code === expected;
  return status > 0 && status < 500 && !REFUSED.includes(code) && !MISTAKES.includes(code);
}

/** Tries one row over one transport as all four actors on the same object, in order of rising permission. */
async function tryRow(at, report, row, [way, ask]) {
  const { api, names } = at;
  const people = row.thing === 'sessions' ? await freshSessions(at) : at.people;
  const id = await MAKERS[row.thing](api, people);
  let look = await lookOf(api, people, row.thing, id);
  for (const actor of ACTORS) {
    const answer = await ask(api, people[actor], row, id, names);
    report.add('answers checked against the table');
    if (!isAsExpected(row.may[actor], answer)) report.found(`${titleOf(row, way)} as ${actor}: expected ${row.may[actor]}, got ${answer.status} ${answer.code ?? ''}`, answer.asked, answer.text); // prettier-ignore
    look = await compareLook(at, report, { row, way, actor, people, id }, look);
  }
}

/** A refused request must not have changed anything. */
async function compareLook({ api }, report, { row, way, actor, people, id }, before) {
  const after = await lookOf(api, people, row.thing, id);
  if (row.may[actor] === 'may') return after;
  report.add('refused requests checked for side effects');
  if (after !== before) report.found(`${titleOf(row, way)} as ${actor} was refused but changed something`, before, after); // prettier-ignore
  return after;
}

async function freshSessions({ api, people }) {
  const fresh = {};
  for (const actor of ['stranger', 'opponent', 'owner']) fresh[actor] = await api.login(await api.register(actor)); // prettier-ignore
  return { ...people, ...fresh };
}

/** Every operation must have a row in the table. */
function demandAll(report) {
  const covered = new Set([...WITHOUT_AN_OWNER, ...TABLE.flatMap(({ route, name }) => [route && routeFor(route), name])]); // prettier-ignore
  const all = [...routes, ...fields].map(({ name }) => name);
  report.set('operations', all.length);
  for (const name of all.filter((one) => !covered.has(one))) report.found('an operation has no row in the table', name); // prettier-ignore
}

/** The ids to use for a row in the scene; rows about a game are tried with every game. */
const idsIn = (scene, { thing }) => ['game', 'logged'].includes(thing) ? [scene.game, scene.other, scene.banqi, scene.ended] : [scene[thing]]; // prettier-ignore

async function lookEverywhere(at, report, { scene, canaries }) {
  const commitments = await commitmentsOf(at, scene);
  for (const row of TABLE)
    for (const [way, ask] of waysOf(row).filter(([name]) => isReading(row, name)))
      for (const id of idsIn(scene, row))
        for (const actor of ACTORS) {
          const answer = await ask(at.api, at.people[actor], row, id, at.names);
          const title = titleOf(row, way);
          lookForCanaries(report, canaries, actor, answer, title);
          lookForSeeds(report, commitments, answer, title);
        }
  const missed = canaries.filter(({ seen, found }) => seen && !found);
  for (const { name } of missed)
    report.found('not shown even to its owner, so its absence elsewhere proves nothing', name);
  await lookInLog(at, report, { scene, canaries, commitments });
}

/** The public log may show the ids of all challenges, but no other secrets of running games. */
async function lookInLog({ api }, report, { scene, canaries, commitments }) {
  await logged(api, scene.ended, 'end');
  const secret = canaries.filter(({ name }) => !name.startsWith('the id of'));
  const { size, texts } = await readLog(api);
  report.set('entries of the log', size);
  for (const answer of texts) {
    lookForCanaries(report, secret, 'nobody', answer, 'the log');
    lookForSeeds(report, commitments, answer, 'the log');
  }
  const told = texts.some(({ text }) => [...commitments].some((commitment) => text.includes(commitment)));
  if (!told)
    report.found('the log contains no commitment of the games, so the check proves nothing', String(size));
}

/** The caller's own lists, over REST and GraphQL. GraphQL also returns a cursor after the last item. */
const LISTS = {
  '/v1/me/games?list=all': 'myGames(list: ALL, first: 1)',
  '/v1/me/games?list=running': 'myGames(list: RUNNING, first: 1)',
  '/v1/me/games?list=ended': 'myGames(list: ENDED, first: 1)',
  '/v1/notifications?unread=false': 'notifications(unread: false, first: 1)',
  '/v1/challenges?box=outgoing': 'challenges(box: OUTGOING, first: 1)',
  '/v1/challenges?box=incoming': 'challenges(box: INCOMING, first: 1)',
  '/v1/me/blocks?': 'blockedUsers(first: 1)',
  '/v1/me/imports?': 'myImportedGames(first: 1)',
  '/v1/inbox?': 'inbox(first: 1)',
};
const CHANGES = '/v1/changes?';

async function cursorOf(api, owner, list) {
  if (list === CHANGES) return (await api.well(owner, 'GET', list)).cursor;
  const { json } = await api.graphql(owner, `{ list: ${LISTS[list]} { pageInfo { endCursor } } }`);
  return json.data.list.pageInfo.endCursor;
}

/** A cursor of one user's list must not work for another user. */
async function tryCursors({ api, people }, report) {
  for (const list of [...Object.keys(LISTS), CHANGES]) {
    const cursor = await cursorOf(api, people.owner, list);
    if (cursor === null) report.found('a list is empty, so its cursors cannot be tried', list);
    for (const actor of ['stranger', 'opponent']) {
      const name = list === CHANGES ? 'since' : 'after';
      const answer = await api.rest(people[actor], 'GET', `${list}&${name}=${encodeURIComponent(cursor)}`);
      report.add('cursors of others');
      if (answer.code !== 'INVALID_CURSOR') report.found(`${actor} can use a cursor of the owner`, answer.asked, answer.text); // prettier-ignore
    }
  }
}

/** Reads everything that belongs to the owner of the token. */
async function possessionsOf({ api, people }) {
  const paths = ['/v1/me', '/v1/me/vacations', ...Object.keys(LISTS)];
  const texts = [];
  for (const path of paths) texts.push((await api.rest(people.owner, 'GET', path)).text);
  return texts.join('\n').replace(/"(remaining|unreadCount)":\d+/g, '');
}

const names = (row) => row.may.stranger === 'may' && row.may.nobody === 'UNAUTHENTICATED';

/**
 * Requests of a stranger on their own account, some of which name objects of the owner, must not change the
 * owner's data.
 */
async function tryMeddling(at, report) {
  const { api, people } = at;
  const { items } = await api.well(people.owner, 'GET', '/v1/notifications?first=50');
  const before = await possessionsOf(at);
  const ids = items.map(({ id }) => id);
  await api.well(people.stranger, 'POST', '/v1/notifications/read', { ids });
  await api.well(people.stranger, 'POST', '/v1/notifications/read', { gameId: items[0].gameId });
  for (const row of TABLE.filter(
    (one) => names(one) && ['ann', 'game'].includes(one.thing) && one.name !== 'createSeek',
  ))
    // prettier-ignore
    for (const [, ask] of waysOf(row)) await ask(api, people.stranger, row, items[0].gameId, at.names);
  report.add('requests of a stranger after which the owner’s data is compared');
  const after = await possessionsOf(at);
  if (after !== before) report.found('a stranger has changed data of the owner', before, after);
}

/** The idempotency key of another user must not return what that user created. */
async function tryKeys({ api, people }, report) {
  const headers = ['Idempotency-Key', 'a-key-of-the-owner'];
  const terms = { ruleset: 'chess', timeControl: { none: {} }, opponent: { link: true } };
  const first = await api.well(people.owner, 'POST', '/v1/challenges', terms, headers);
  for (const actor of ['stranger', 'opponent']) {
    const answer = await api.rest(people[actor], 'POST', '/v1/challenges', terms, headers);
    report.add('idempotency keys of others');
    const made = answer.json?.challenge;
    if (made?.creator.username !== people[actor].username || made.id === first.challenge.id) report.found(`${actor} got what the owner created with this key`, answer.asked, answer.text); // prettier-ignore
  }
}

/** With the token of its link anybody can read a challenge, but only its creator sees the token. */
async function tryLink({ api, people }, report, { scene, linkToken }) {
  for (const actor of ACTORS) {
    const path = `/v1/challenges/${scene.link}?linkToken=${linkToken}`;
    const answer = await api.rest(people[actor], 'GET', path);
    report.add('challenges read with their link token');
    const shown = answer.json?.linkToken;
    if (answer.status !== 200 || (shown !== null) !== (actor === 'owner')) report.found(`the link as ${actor}`, answer.asked, answer.text); // prettier-ignore
  }
}

async function gather(server) {
  const api = new Api(server.port);
  const people = { nobody: null };
  for (const name of ['owner', 'opponent', 'stranger', 'blocked']) people[name] = await api.register(name);
  const named = { owner: people.owner.username, opponent: people.opponent.username, nobody: (await api.register('target')).username, tile: 'entries/000.p/1' }; // prettier-ignore
  return { api, people, names: named };
}

async function tryTable(server, report) {
  const at = await gather(server);
  for (const row of TABLE) for (const way of waysOf(row)) await tryRow(at, report, row, way);
  at.api.close();
}

export async function attackAccess({ postgres }) {
  const report = new Report('access');
  const server = await startServer({ postgres, env: WIDE });
  demandAll(report);
  await tryTable(server, report);
  // Separate users, because those of the table have been blocked and have ended games and sessions.
  const at = await gather(server);
  const set = await setScene(at.api, at.people);
  await lookEverywhere(at, report, set);
  await tryCursors(at, report);
  await tryMeddling(at, report);
  await tryKeys(at, report);
  await tryLink(at, report, set);
  const apart = await gather(server);
  await attackAsApplications(server, report, { ...apart, ...(await setScene(apart.api, apart.people)) });
  apart.api.close();
  await pause(0);
  report.set('findings', report.findings.length);
  await judgeServer(report, server, at.api.client);
  return report;
}
