import { createHash } from 'node:crypto';
import { documentOf, fields, routes } from './operations.mjs';

/** How the rows of the permission table are asked, and how their answers are searched for private data. */

const SILENCE_MS = 250;

const filled = (path, id, names) => path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? id : names[name])); // prettier-ignore

function askRest(api, by, { route, body }, id, names) {
  const [method, path] = route.split(' ');
  return api.rest(by, method, filled(path, id, names), typeof body === 'function' ? body(id) : body);
}

async function askGraphql(field, api, by, row, id, names) {
  const variables = row.args(id, names);
  const query = documentOf(field, variables);
  if (field.kind === 'subscription') return watch(api, by, query, variables);
  const answer = await api.graphql(by, query, variables);
  // GraphQL answers null for what is missing or not visible to the caller.
  const isMissing = answer.json?.errors === undefined && answer.json?.data?.[row.name] === null;
  return isMissing ? { ...answer, code: 'NOT_FOUND' } : answer;
}

/** Subscribes and waits for the first message. A subscription that stays silent counts as accepted. */
async function watch(api, by, query, variables) {
  const parameters = by ? { authorization: `Bearer ${by.token}` } : {};
  const subscribe = JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables } });
  const { came } = await api.client.socket({ parameters, messages: [subscribe], waitMs: SILENCE_MS * 4 });
  const text = came.join('\n');
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return { status: came.length > 0 ? 200 : 0, text, code, asked: { query, variables } };
}

/** The ways to send a row: its route, and its fields (it may be both a query and a subscription). */
export const waysOf = ({ route, name }) => [
  ...(route === null ? [] : [['REST', askRest]]),
  ...fields.filter((field) => field.name === name).map((field) => [field.kind, askGraphql.bind(null, field)]),
];

export const titleOf = ({ route, name, thing }, way) =>
  `${way === 'REST' ? route : `${way} ${name}`} (${thing})`;

const shapeOf = (path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** The route that matches a path; if several do, the one with the fewest parameters. */
export function routeFor(text) {
  const [method, path] = text
    .replace(/\{\w+\}/g, 'x')
    .replace(/\?.*/, '')
    .split(' ');
  const fitting = routes.filter((route) => route.method === method && shapeOf(route.path).test(path));
  const names = (route) => route.path.split('{').length;
  return fitting.sort((a, b) => names(a) - names(b))[0]?.name;
}

export const isReading = ({ route }, way) => (way === 'REST' ? route.startsWith('GET ') : way !== 'mutation');

export function lookForCanaries(report, canaries, actor, answer, title) {
  const asked = JSON.stringify(answer.asked);
  for (const canary of canaries) {
    report.add('searches for private data in an answer');
    if (!answer.text.includes(canary.text)) continue;
    if (canary.who.includes(actor)) canary.found = true;
    else if (!asked.includes(canary.text)) report.found(`${title} shows ${actor} ${canary.name}`, answer.asked, answer.text); // prettier-ignore
  }
}

/** No answer may contain the seed behind a commitment, unless its game is over. */
export function lookForSeeds(report, commitments, answer, title) {
  for (const [text] of answer.text.matchAll(/\b[0-9a-f]{64}\b/g)) {
    report.add('texts tried as the secret of a running game');
    const hash = createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex');
    if (commitments.has(hash)) report.found(`${title} shows the seed of a running game`, answer.asked, text);
  }
}

/** Commitments of all running games and open challenges. */
export async function commitmentsOf({ api, people }, { game, other, banqi, pending, direct, link, seek }) {
  const of = async (path) => (await api.well(people.owner, 'GET', path)).commitment;
  const paths = [...[game, other, banqi, pending].map((id) => `/v1/games/${id}`), ...[direct, link, seek].map((id) => `/v1/challenges/${id}`)]; // prettier-ignore
  return new Set(await Promise.all(paths.map(of)));
}
