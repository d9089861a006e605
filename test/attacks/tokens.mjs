import { Api } from './api.mjs';
import { forgedHeaders, forgedParameters, forgedTokens, opened, signed } from './forgeries.mjs';
import { Report, judgeServer } from './report.mjs';
import { startServer } from './server.mjs';

/**
 * Sends forged tokens over every transport: to a read (`me`) and to a write (a note), which must be unchanged
 * at the end.
 */

const NOTE = 'written by its owner';
const AT_ONCE = 6;

/** Whether the answer treats the sender as signed in. */
const WAYS = {
  'REST read': async ({ api }, headers) =>
    (await api.rest(null, 'GET', '/v1/me', undefined, headers)).status < 300,
  'REST write': async ({ api, gameId }, headers) =>
    (await api.rest(null, 'PUT', `/v1/games/${gameId}/note`, { note: 'forged' }, headers)).status < 300,
  'GraphQL read': async ({ api }, headers) =>
    Boolean((await api.rest(null, 'POST', '/graphql', { query: '{ me { id } }' }, headers)).json?.data?.me),
  'GraphQL write': async ({ api, gameId }, headers) => {
    const query = `mutation { setNote(input: { gameId: "${gameId}", note: "forged" }) { note } }`;
    return Boolean((await api.rest(null, 'POST', '/graphql', { query }, headers)).json?.data?.setNote);
  },
  // Public data may be answered, but as for an anonymous caller.
  'REST game': async ({ api, gameId }, headers) =>
    Boolean((await api.rest(null, 'GET', `/v1/games/${gameId}`, undefined, headers)).json?.viewer),
};

/** The socket must be closed, or must show nothing that requires signing in. */
async function socketAccepts({ api, gameId }, parameters) {
  const query = `subscription { gameChanged(gameId: "${gameId}") { viewer { seat note } } }`;
  const subscribe = JSON.stringify({ id: '1', type: 'subscribe', payload: { query } });
  const { came } = await api.client.socket({ parameters, messages: [subscribe] });
  return came.some((text) => /"seat":"(FIRST|SECOND)"/.test(text));
}

async function tryHeaders(at, report, name, headers) {
  for (const [way, accepts] of Object.entries(WAYS)) {
    report.add(`tried over ${way}`);
    if (await accepts(at, headers)) reportAccepted(report, name, way, headers);
  }
}

async function trySocket(at, report, name, parameters) {
  report.add('tried over sockets');
  if (await socketAccepts(at, parameters)) reportAccepted(report, name, 'a socket', parameters);
}

function reportAccepted(report, name, way, evidence) {
  report.add('accepted');
  report.found(`a forged token is accepted over ${way}: ${name}`, evidence);
}

/**
 * Leaves out headers that cannot be sent: characters above 255 and control characters. Surrounding blanks do
 * not count.
 */
const canBeSent = (text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text === text.replace(/[\t ]+$/, '');

async function tryToken(at, report, name, token) {
  report.add('forged tokens');
  const value = `Bearer ${token}`;
  if (canBeSent(value)) await tryHeaders(at, report, name, ['Authorization', value]);
  await trySocket(at, report, name, { authorization: value });
  await trySocket(at, report, `${name}, bare`, { authorization: token });
}

async function inTurns(list, work) {
  const rest = [...list];
  const worker = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(...next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Tokens that were once valid, and texts that are valid elsewhere. */
async function endedTokens(api, secret) {
  const [left, leftAll, closed, reused] = [await api.register('left'), await api.register('leftall'), await api.register('closed'), await api.register('reused')]; // prettier-ignore
  const second = await api.login(leftAll);
  await api.well(left, 'DELETE', '/v1/me/sessions/current');
  await api.well(leftAll, 'DELETE', '/v1/me/sessions?all=true');
  await api.well(closed, 'POST', '/v1/me/close', { password: closed.password });
  const { refreshToken } = reused;
  const { session: renewed } = await api.well(null, 'POST', '/v1/sessions/refresh', { refreshToken });
  await api.well(null, 'POST', '/v1/sessions/refresh', { refreshToken: renewed.refreshToken });
  await api.rest(null, 'POST', '/v1/sessions/refresh', { refreshToken });
  const ended = { 'of a session that logged out': left.token, 'of a session logged out from another one': second.token, 'of a session that "log out everywhere" ended': leftAll.token, 'of a closed account': closed.token, 'of a session whose refresh token was used after the next one': reused.token, 'issued for a refresh token that was used again': renewed.accessToken }; // prettier-ignore
  const later = Object.entries(ended).map(([name, token]) => [`${name}, signed again with a later expiry`, prolonged(token, secret)]); // prettier-ignore
  return [...Object.entries(ended), ...later, ['with the user id only', closed.id]];
}

function prolonged(token, secret) {
  const { header, payload } = opened(token, secret);
  return signed({ header, payload: { ...payload, exp: payload.exp + 3600 }, secret });
}

async function isAccepted(at, token) {
  const headers = ['Authorization', `Bearer ${token}`];
  const asked = [await WAYS['REST read'](at, headers), await WAYS['GraphQL read'](at, headers), await WAYS['REST game'](at, headers), await socketAccepts(at, { authorization: token })]; // prettier-ignore
  return asked.every(Boolean);
}

/** The attack proves nothing unless the valid token works everywhere before and after it. */
async function control(at, report, token, when) {
  report.add('valid tokens accepted', (await isAccepted(at, token)) ? 1 : 0);
  if (!(await isAccepted(at, token))) report.found(`the valid token is refused ${when}`, token);
}

async function prepare(server) {
  const api = new Api(server.port);
  const [ann, ben] = [await api.register('ann'), await api.register('ben')];
  const { id: gameId } = await api.game(ann, ben);
  await api.well(ann, 'PUT', `/v1/games/${gameId}/note`, { note: NOTE });
  return { api, gameId, ann, ben };
}

async function attack(server, report, { ann, ben, ...at }) {
  const secret = server.tokenSecret;
  const good = opened(ann.token, secret);
  const others = { ben: opened(ben.token, secret).payload };
  // Ben is a player too: a token with his user id and her session must not work for either.
  const tokens = forgedTokens(good, ann.token, { now: Math.floor(Date.now() / 1000), others });
  const refresh = [
    ['a refresh token', ann.refreshToken],
    ['the refresh token of Ben', ben.refreshToken],
  ];
  await inTurns([...tokens, ...refresh, ...(await endedTokens(at.api, secret))], (name, token) => tryToken(at, report, name, token)); // prettier-ignore
  await inTurns(forgedHeaders(ann.token, ben.token).filter(([, list]) => list.every(canBeSent)), (name, headers) => { report.add('forged headers'); return tryHeaders(at, report, name, headers); }); // prettier-ignore
  await inTurns(forgedParameters(ann.token), (name, parameters) => { report.add('forged parameters of sockets'); return trySocket(at, report, name, parameters); }); // prettier-ignore
}

export async function attackTokens({ postgres }) {
  const report = new Report('tokens');
  for (const what of ['forged tokens', 'accepted']) report.add(what, 0);
  const server = await startServer({ postgres });
  const at = await prepare(server);
  await control(at, report, at.ann.token, 'before the attack');
  await attack(server, report, at);
  await control(at, report, at.ann.token, 'after the attack');
  const { note } = await at.api.well(at.ann, 'GET', `/v1/games/${at.gameId}/note`);
  report.set('notes changed', note === NOTE ? 0 : 1);
  if (note !== NOTE) report.found('a forged token was accepted for a write', note);
  await judgeServer(report, server, at.api.client);
  return report;
}
