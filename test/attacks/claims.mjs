import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { random } from '../support/random.mjs';
import { Api } from './api.mjs';
import { judgeServer, Report } from './report.mjs';
import { killAndStart, operate, startServer } from './server.mjs';
import { beginGame, newSite, playerOf, savePlayers } from './sites.mjs';

/**
 * Players of an application become persons, and somebody tries to prevent it, to do it without the application, or to
 * get them back: with links that are guessed, old or of players who are gone, with claims at once, beside what else
 * happens to the player, and with all that the application had before.
 */

const GUESSES = 300;
const AT_ONCE = 10;
const ROUNDS = 12;
const CUTS = 40;
const KILLS = 3;
const MOST_DELAY_MS = 150;
/** Other processes, and this one, know of an end within so long. */
const HEARD_MS = 1100;
const LIFTED = { REGISTRATIONS_PER_HOUR: '1000000', MAX_WRONG_PASSWORDS_PER_ADDRESS: '1000000' };
const REFUSED = ['INVALID_LINK'];

const newPassword = () => randomBytes(18).toString('base64url');
let names = 0;
const newName = () => `claimed-${(names += 1)}-${randomBytes(3).toString('hex')}`;
const waysIn = () => ({ username: newName(), password: newPassword() });

class Claims {
  constructor(report, server, pick) {
    Object.assign(this, { report, server, pick, api: new Api(server.port), count: 0 });
  }

  /** A fresh player of a site. */
  async player(site) {
    const externalId = `p${(this.count += 1)}`;
    await savePlayers(this.api, site, externalId);
    return playerOf(this.api, site, externalId);
  }

  async link(site, { externalId }) {
    const { url } = await this.api.well(
      site,
      'POST',
      `/v1/application/players/${externalId}/claim-links`,
      {},
    );
    return url.split('#')[1];
  }

  claim(token, ways = waysIn()) {
    this.report.add('claims');
    return this.api.rest(null, 'POST', '/v1/claims', { token, ...ways });
  }

  /** A claim by a link that must not work, and a look at it, over both transports. */
  async refused(what, token) {
    const ways = waysIn();
    const query = 'mutation ($input: ClaimPlayerInput!) { claimPlayer(input: $input) { session { accessToken } } }'; // prettier-ignore
    const look = 'mutation ($input: LookAtClaimInput!) { lookAtClaim(input: $input) { displayName } }';
    const answers = [
      await this.claim(token, ways),
      await this.api.graphql(null, query, { input: { token, ...ways } }),
      await this.api.rest(null, 'POST', '/v1/claims/look', { token }),
      await this.api.graphql(null, look, { input: { token } }),
    ];
    for (const answer of answers) {
      this.report.add(what);
      if (!REFUSED.includes(answer.code)) this.report.found(`${what}: expected ${REFUSED}`, answer.asked, answer.text); // prettier-ignore
    }
    await this.cannotLogIn(what, ways);
  }

  async cannotLogIn(what, { username, password }) {
    const { code, text } = await this.api.rest(null, 'POST', '/v1/sessions', { username, password });
    if (code !== 'INVALID_CREDENTIALS') this.report.found(`${what}: refused, but there is a user`, text);
  }

  /** Kills the server after so many milliseconds, and starts another one. */
  async kill(after) {
    await pause(after);
    this.report.add('kills during a claim');
    this.server = await killAndStart(this.server);
    this.api.close();
    this.api = new Api(this.server.port);
  }

  async login({ username, password }) {
    return this.api.rest(null, 'POST', '/v1/sessions', { username, password });
  }

  /** Everything that the application had, and can do: nothing of it reaches the person. */
  async unreachable(site, { externalId, id }, tokens, person, game = null) {
    await pause(HEARD_MS);
    for (const token of tokens) await this.isDead(token, game);
    const player = `/v1/application/players/${externalId}`;
    const tries = [
      ['GET', player],
      ['GET', `${player}/export`],
      ['POST', `${player}/tokens`, {}],
      ['POST', `${player}/claim-links`, {}],
      ['DELETE', player],
      ['POST', '/v1/application/games', { games: [{ externalId: `back-${id}`, first: { externalId }, second: { externalId: 'ben' }, ruleset: 'chess', timeControl: { none: {} } }] }], // prettier-ignore
    ];
    for (const [method, path, body] of tries) {
      const answer = await this.api.rest(site, method, path, body);
      this.report.add('operations of the application on somebody who has left');
      if (answer.code !== 'NOT_FOUND') this.report.found('the application reaches somebody who has left', answer.asked, answer.text); // prettier-ignore
    }
    const { player: again } = await this.api.well(site, 'PUT', player, { displayName: 'Somebody else' });
    if (again.id === id) this.report.found('saving the name again gave back the person', again);
    const fresh = await playerOf(this.api, site, externalId);
    if (fresh.id === id) this.report.found('a token of the new player is one of the person', fresh);
    await this.api.well(site, 'DELETE', player);
    const me = await this.api.rest(person, 'GET', '/v1/me');
    if (me.status !== 200 || me.json.id !== id || me.json.displayName === 'Somebody else') this.report.found('the person is not who they were', me.asked, me.text); // prettier-ignore
  }

  /** No request of a token that was issued to the application gets what is of the player. */
  async isDead({ token }, game) {
    const by = { token };
    const asked = [
      ['GET', '/v1/me/games'],
      ['GET', '/v1/changes'],
      ['GET', '/v1/notifications'],
      ['POST', '/v1/stream-tickets', {}],
      ['POST', '/v1/challenges', { ruleset: 'chess', timeControl: { none: {} }, opponent: { link: true } }],
      ...(game === null
        ? []
        : [
            ['GET', `/v1/games/${game}/note`],
            ['POST', `/v1/games/${game}/resign`, {}],
          ]),
    ];
    for (const [method, path, body] of asked) {
      const answer = await this.api.rest(by, method, path, body);
      this.report.add('requests with tokens from before the claim');
      if (answer.code !== 'UNAUTHENTICATED') this.report.found('a token from before the claim is accepted', answer.asked, answer.text); // prettier-ignore
    }
  }
}

const personOf = (answer) => ({ token: answer.json.session.accessToken, id: answer.json.session.user.id });

async function guess(claims, site) {
  const player = await claims.player(site);
  const link = await claims.link(site, player);
  const near = [
    link.slice(0, -1),
    `${link}A`,
    link.toLowerCase(),
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    `#${link}`,
    ` ${link} `,
    player.id,
    player.token,
    site.token,
    site.secret,
    "' OR true --",
    '%',
    '\u0000',
  ];
  const random = () => randomBytes(32).toString('base64url');
  for (const token of [...near, ...Array.from({ length: GUESSES }, random)]) {
    const answer = await claims.claim(token);
    claims.report.add('links guessed');
    if (!['INVALID_LINK', 'BAD_INPUT'].includes(answer.code)) claims.report.found('a guessed link', answer.asked, answer.text); // prettier-ignore
  }
  for (const kind of ['/v1/email-verifications', '/v1/recoveries/complete']) {
    const answer = await claims.api.rest(null, 'POST', kind, { token: link, password: newPassword() });
    claims.report.add('links used for something else');
    if (answer.status < 300) claims.report.found('a link to claim works for something else', answer.asked, answer.text); // prettier-ignore
  }
  // The link is still good.
  await expectWell(claims, await claims.claim(link), 'a link after guesses');
}

async function expectWell(claims, answer, what) {
  if (answer.status >= 300) claims.report.found(`${what}: must work`, answer.asked, answer.text);
}

async function useOldLinks(claims, site) {
  const replaced = await claims.player(site);
  const links = await Promise.all(Array.from({ length: AT_ONCE }, () => claims.link(site, replaced)));
  const last = await claims.link(site, replaced);
  for (const link of links) await claims.refused('links after a newer one', link);
  await expectWell(claims, await claims.claim(last), 'the newest link');
  await claims.refused('links that were used', last);

  const erased = await claims.player(site);
  const late = await claims.link(site, erased);
  await claims.api.well(site, 'DELETE', `/v1/application/players/${erased.externalId}`);
  await claims.refused('links of players who were erased', late);
  await savePlayers(claims.api, site, erased.externalId);
  await claims.refused('links of players who were erased and saved anew', late);

  const stolen = await newSite(claims.api);
  const robbed = await claims.player(stolen);
  const taken = await claims.link(stolen, robbed);
  await replaceSecret(claims, stolen);
  await claims.refused('links of an application whose secret was deleted', taken);

  const gone = await newSite(claims.api);
  const [first, second] = [await claims.player(gone), await claims.player(gone)];
  const [one, two] = [await claims.link(gone, first), await claims.link(gone, second)];
  await operate(claims.server, 'application', 'suspend', gone.id);
  await claims.refused('links of an application that is suspended', one);
  await operate(claims.server, 'application', 'resume', gone.id);
  await expectWell(claims, await claims.claim(one), 'a link of an application that goes on');
  await claims.api.well(gone.owner, 'DELETE', `/v1/applications/${gone.id}`);
  await claims.refused('links of an application that is deleted', two);
}

/** What an owner does whose secret was stolen. */
async function replaceSecret({ api }, { owner, id }) {
  const { items } = await api.well(owner, 'GET', '/v1/applications');
  const [{ id: old }] = items[0].secrets;
  await api.well(owner, 'POST', `/v1/applications/${id}/secrets`, {});
  await api.well(owner, 'DELETE', `/v1/applications/${id}/secrets/${old}`);
}

async function claimAtOnce(claims, site) {
  for (let round = 0; round < ROUNDS; round++) {
    const player = await claims.player(site);
    const link = await claims.link(site, player);
    // With names of their own, or all with the same.
    const same = waysIn();
    const all = Array.from({ length: AT_ONCE }, () => (round % 2 === 0 ? waysIn() : { ...same, password: newPassword() })); // prettier-ignore
    const answers = await Promise.all(all.map((ways) => claims.claim(link, ways)));
    const won = answers.filter(({ status }) => status < 300);
    claims.report.add('claims at once', answers.length);
    claims.report.add('of these, won', won.length);
    if (won.length !== 1) claims.report.found(`${won.length} of ${AT_ONCE} claims at once won`, answers.map(({ code }) => code ?? 'won')); // prettier-ignore
    for (const { status, code, asked, text } of answers)
      if (status >= 300 && !['INVALID_LINK', 'USERNAME_TAKEN', 'NAME_TAKEN'].includes(code)) claims.report.found('a claim that lost', asked, text); // prettier-ignore
    for (const [i, ways] of all.entries()) {
      const { status } = await claims.login(ways);
      const isWinner = answers[i].status < 300;
      if (status < 300 !== isWinner) claims.report.found('who lost can log in, or who won cannot', ways, String(status)); // prettier-ignore
    }
  }
}

/** Does something to the player while a claim is under way; `judge` gets what came of both. */
async function beside(claims, site, what, act, judge) {
  for (let round = 0; round < ROUNDS; round++) {
    const player = await claims.player(site);
    const context = { player, tokens: [player], game: await beginGame(claims.api, site, `beside-${player.externalId}`, player.externalId, 'ben') }; // prettier-ignore
    const link = await claims.link(site, player);
    const ways = waysIn();
    const delay = claims.pick(MOST_DELAY_MS);
    const [claimed, other] = await Promise.all([claims.claim(link, ways), pause(delay).then(() => act(context))]); // prettier-ignore
    claims.report.add(`claims beside ${what}`);
    if (claimed.status < 300) claims.report.add(`of these, claimed`);
    if (claimed.status >= 300 && claimed.code !== 'INVALID_LINK') claims.report.found(`a claim beside ${what}`, claimed.asked, claimed.text); // prettier-ignore
    if (claimed.status >= 300) await claims.cannotLogIn(what, ways);
    await judge({ ...context, claimed, other, ways });
    if (claimed.status < 300) await claims.unreachable(site, player, context.tokens, personOf(claimed), context.game); // prettier-ignore
  }
}

async function claimBeside(claims, site) {
  const { api } = claims;
  const path = ({ player }) => `/v1/application/players/${player.externalId}`;
  await beside(claims, site, 'an erasing', (context) => api.rest(site, 'DELETE', path(context)), async ({ claimed, other }) => {
      const won = [claimed, other].filter(({ status }) => status < 300).length;
      if (won !== 1) claims.report.found('claimed and erased, or neither', claimed.text, other.text);
    }); // prettier-ignore
  await beside(
    claims,
    site,
    'tokens that are made',
    async (context) => {
      const made = await Promise.all(Array.from({ length: AT_ONCE }, async (_, i) => {
          await pause(i * 10);
          return api.rest(site, 'POST', `${path(context)}/tokens`, {});
        })); // prettier-ignore
      for (const { json, status } of made) if (status < 300) context.tokens.push({ token: json.token });
      return made;
    },
    async ({ other }) => {
      claims.report.add('tokens made during a claim', other.filter(({ status }) => status < 300).length);
      const wrong = other.find(({ status, code }) => status >= 300 && !['NOT_FOUND', 'INVALID_CLIENT'].includes(code)); // prettier-ignore
      if (wrong !== undefined) claims.report.found('a token beside a claim', wrong.asked, wrong.text);
    },
  );
  await beside(
    claims,
    site,
    'a move',
    ({ player, game }) => api.rest(player, 'POST', `/v1/games/${game}/moves`, { ply: 1, move: 'e2e4' }),
    async ({ claimed, other, game }) => {
      const { plyCount } = await api.well(null, 'GET', `/v1/games/${game}`);
      if (plyCount !== (other.status < 300 ? 1 : 0)) claims.report.found('a move beside a claim is told otherwise than it was stored', other.text, String(plyCount)); // prettier-ignore
      if (plyCount === 0 && claimed.status < 300)
        await api.well(personOf(claimed), 'POST', `/v1/games/${game}/moves`, { ply: 1, move: 'e2e4' });
    },
  );
  await beside(claims, site, 'a new link', (context) => api.rest(site, 'POST', `${path(context)}/claim-links`, {}), async ({ claimed, other }) => {
      if (other.status >= 300) {
        if (other.code !== 'NOT_FOUND') claims.report.found('a new link beside a claim', other.asked, other.text); // prettier-ignore
        return;
      }
      claims.report.add('links made during a claim');
      if (claimed.status < 300) await claims.refused('links made during a claim that won', other.json.url.split('#')[1]); // prettier-ignore
    }); // prettier-ignore
}

/** Sends a claim and hangs up after so many milliseconds. */
function hangUp(port, body, after) {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/claims', headers, agent: false }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(true)).on('error', () => resolve(false));
      }); // prettier-ignore
    sent.on('error', () => resolve(false));
    sent.end(text);
    setTimeout(() => sent.destroy(), after);
  });
}

/** After a connection was cut, the same request again: whoever sends it has a way in, by the claim or by the login. */
async function claimAndCut(claims, site) {
  const began = performance.now();
  await expectWell(claims, await claims.claim(await claims.link(site, await claims.player(site))), 'a claim');
  const usual = Math.round(performance.now() - began);
  for (let round = 0; round < CUTS + KILLS; round++) {
    const player = await claims.player(site);
    const link = await claims.link(site, player);
    const ways = waysIn();
    const cut = hangUp(claims.server.port, { token: link, ...ways }, claims.pick(usual));
    if (round >= CUTS) await claims.kill(claims.pick(usual));
    const isAnswered = await cut;
    claims.report.add(isAnswered ? 'claims that were to be cut, answered before' : 'claims that were cut');
    const again = await claims.claim(link, ways);
    claims.report.add(`claims sent again after a cut: ${again.code ?? 'claimed'}`);
    if (again.status >= 300 && !['INVALID_LINK', 'USERNAME_TAKEN'].includes(again.code)) claims.report.found('a claim sent again', again.asked, again.text); // prettier-ignore
    const entered = await claims.login(ways);
    claims.report.add('logins after a cut claim');
    if (entered.status >= 300 || entered.json.session.user.id !== player.id) claims.report.found('no way in after a cut claim', ways, entered.text); // prettier-ignore
    if (round % 4 === 0 && entered.status < 300) await claims.unreachable(site, player, [player], personOf(entered)); // prettier-ignore
  }
}

/** The tokens of a player, sockets included, end with the claim. */
async function listenThrough(claims, site) {
  const player = await claims.player(site);
  const link = await claims.link(site, player);
  const query = 'subscription { myEvents { id type gameId } }';
  const messages = [JSON.stringify({ id: '1', type: 'subscribe', payload: { query } })];
  const parameters = { authorization: `Bearer ${player.token}` };
  const heard = claims.api.client.socket({ parameters, messages, waitMs: 5000, enough: 100 });
  await pause(300);
  const claimed = await claims.claim(link);
  const { code, left } = await heard;
  claims.report.add('sockets open during a claim');
  if (left) claims.report.found('a socket of a player stays open after the claim', String(code));
  await claims.unreachable(site, player, [player], personOf(claimed));
}

export async function attackClaims({ postgres, seed }) {
  const report = new Report('claims');
  const server = await startServer({ postgres, env: LIFTED });
  const claims = new Claims(report, server, random(seed));
  const site = await newSite(claims.api);
  await savePlayers(claims.api, site, 'ben');
  await guess(claims, site);
  await useOldLinks(claims, site);
  await claimAtOnce(claims, site);
  await claimBeside(claims, site);
  await claimAndCut(claims, site);
  await listenThrough(claims, site);
  await judgeServer(report, claims.server, claims.api.client);
  return report;
}
