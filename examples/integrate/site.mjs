// A site whose users play each other: HALFMOVE=... APPLICATION_ID=... APPLICATION_SECRET=... node site.mjs
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { HALFMOVE: given, APPLICATION_ID, APPLICATION_SECRET, PORT = '8080' } = process.env;
if (!given || !APPLICATION_ID || !APPLICATION_SECRET) throw new Error('Set HALFMOVE, APPLICATION_ID and APPLICATION_SECRET.');
const HALFMOVE = new URL(given).origin;
/** The users of this site, by the ids that it knows them by. */
const USERS = { ann: 'Ann', ben: 'Ben' };
const HEADERS = {
  'content-security-policy':
    `default-src 'none'; script-src 'self' ${HALFMOVE}; connect-src 'self' ${HALFMOVE}; ` +
    "style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
const TYPES = { '/page.css': 'text/css', '/page.js': 'text/javascript' };

const file = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The token of the application; `renewAt` is a minute before it expires. */
let own = { token: '', renewAt: 0 };

async function ownToken() {
  if (Date.now() >= own.renewAt) {
    const body = { grant_type: 'client_credentials', client_id: APPLICATION_ID, client_secret: APPLICATION_SECRET };
    const { access_token: token, expires_in: seconds } = await send('POST', '/oauth/token', body, {});
    own = { token, renewAt: Date.now() + (seconds - 60) * 1000 };
  }
  return own.token;
}

/** Asks Halfmove as the application; once more if its token was ended before its time, as by replacing the secret. */
async function call(method, path, body) {
  const ask = async () => send(method, path, body, { authorization: `Bearer ${await ownToken()}` });
  return ask().catch((error) => (own.renewAt === 0 ? ask() : Promise.reject(error)));
}

async function send(method, path, body, headers) {
  const answer = await fetch(HALFMOVE + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (answer.status === 401) own.renewAt = 0;
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

// Sent again at each start: players and games with these ids are there once.
for (const [id, displayName] of Object.entries(USERS)) await call('PUT', `/v1/application/players/${id}`, { displayName });
const { games } = await call('POST', '/v1/application/games', {
  games: [{
    externalId: 'ann-against-ben',
    first: { externalId: 'ann' },
    second: { externalId: 'ben' },
    ruleset: 'chess',
    timeControl: { perMove: { seconds: 259_200 } },
  }],
});

const page = (user) =>
  file('page.html').replace('{{halfmove}}', HALFMOVE).replace('{{game}}', games[0].game.id).replace('{{user}}', user);

async function answerOf({ method, url, headers: { cookie = '' } }) {
  if (method === 'POST' && url === '/token') {
    const user = /(?:^|; )user=([^;]+)/.exec(cookie)?.[1] ?? '';
    if (!Object.hasOwn(USERS, user)) return [401, {}, ''];
    const { token } = await call('POST', `/v1/application/players/${user}/tokens`, {});
    return [200, { 'content-type': 'application/json' }, JSON.stringify({ token })];
  }
  const user = url.slice(1);
  if (method !== 'GET') return [405, {}, ''];
  if (Object.hasOwn(TYPES, url)) return [200, { 'content-type': TYPES[url] }, file(user)];
  const html = { 'content-type': 'text/html' };
  if (url === '/') return [200, html, page('')];
  // A pretended sign-in: your site knows its users, and sets its own cookie.
  const signedIn = { ...html, 'set-cookie': `user=${user}; HttpOnly; SameSite=Strict; Path=/` };
  return Object.hasOwn(USERS, user) ? [200, signedIn, page(user)] : [404, {}, ''];
}

createServer(async (request, response) => {
  const [status, headers, body] = await answerOf(request).catch((error) => {
    console.error(error.message);
    return [502, {}, ''];
  });
  response.writeHead(status, { ...HEADERS, ...headers }).end(body);
}).listen(Number(PORT), '127.0.0.1', function () {
  console.log(`http://localhost:${this.address().port}/ to watch, /ann and /ben to play`);
});
