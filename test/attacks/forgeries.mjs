import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/**
 * Tokens that must be refused: each is a valid one with one fault. `headers` are whole Authorization headers.
 */

const encode = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url'); // prettier-ignore
const decode = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());

const DIGESTS = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** Signs any text, as an attacker who has the secret could. */
export function signed({ header, payload, secret }, hash = 'sha256') {
  const body = `${encode(header)}.${encode(payload)}`;
  return `${body}.${createHmac(hash, secret).update(body).digest('base64url')}`;
}

export function opened(token, secret) {
  const [header, payload] = token.split('.', 2).map(decode);
  return { header, payload, secret };
}

const without = (fields, name) => Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

/** Wrong values for each claim. Values of a wrong type are wrong for all claims. */
const STRANGE = [null, true, false, {}, [], '', ' ', 'null', 0, -1, 1.5, 1e300, '\u0000', '\ud83d\ude00', ['x'], { toString: 'x' }]; // prettier-ignore

function strangeClaims(good) {
  return Object.keys(good.payload).flatMap((name) => [
    [`no ${name}`, signed({ ...good, payload: without(good.payload, name) })],
    ...STRANGE.filter((value) => isStrange(name, value)).map((value) => [
      `${name} ${JSON.stringify(value)}`,
      signed({ ...good, payload: { ...good.payload, [name]: value } }),
    ]),
  ]);
}

/** A token that is older than its issue time is not refused; only times in the future are. */
const isStrange = (name, value) => !(name === 'iat' && (value === 0 || value === -1));

/** Correctly signed, but with claims that the server has never issued. */
function wrongClaims(good, { now, others }) {
  const { sub, sid, exp, iat } = good.payload;
  const changes = {
    'expired a second ago': { exp: now - 1 },
    'expires this second': { exp: now },
    'expired a year ago': { exp: now - 31_536_000, iat: now - 31_540_000 },
    'exp in milliseconds ago': { exp: -exp * 1000 },
    'exp as text': { exp: String(exp) },
    'exp as a list': { exp: [exp] },
    'exp with a fraction': { exp: exp + 0.5 },
    'issued in a minute': { iat: now + 60 },
    'issued in a year': { iat: now + 31_536_000 },
    'iat as text': { iat: String(iat) },
    'iat in milliseconds': { iat: iat * 1000 },
    'not before in ten minutes': { nbf: now + 600 },
    'nbf as text': { nbf: 'soon' },
    'unknown sid': { sid: '0199aaaa-0000-7000-8000-000000000000' },
    'unknown sub': { sub: '0199aaaa-0000-7000-8000-000000000000' },
    'sub and sid exchanged': { sub: sid, sid: sub },
    'sub in capitals': { sub: sub.toUpperCase(), sid: sid.toUpperCase() },
    'sub in braces': { sub: `{${sub}}` },
    'sub without dashes': { sub: sub.replaceAll('-', '') },
    'sub with a space': { sub: `${sub} ` },
    'sub with NUL': { sub: `${sub}\u0000` },
    'sub as a list': { sub: [sub] },
    'sid as a list': { sid: [sid] },
    'aud as a list': { aud: [good.payload.aud] },
    'aud as a list of two': { aud: [good.payload.aud, 'others'] },
    'another aud': { aud: 'halfmove' },
    'another iss': { iss: 'halfmove-api' },
    'iss as a list': { iss: [good.payload.iss] },
    'iss in capitals': { iss: 'HALFMOVE' },
  };
  const swapped = Object.entries(others).flatMap(([name, other]) => [
    [`sub of ${name}`, { sub: other.sub }],
    [`sid of ${name}`, { sid: other.sid }],
  ]);
  return [...Object.entries(changes), ...swapped].map(([name, change]) => [
    name,
    signed({ ...good, payload: { ...good.payload, ...change } }),
  ]);
}

function wrongHeaders(good) {
  const { header } = good;
  const algorithms = ['none', 'None', 'NONE', 'nOnE', '', null, 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'EdDSA', 'hs256', 'HS256 ', 'HS1', ['HS256'], { alg: 'HS256' }]; // prettier-ignore
  const changes = [
    ...algorithms.map((alg) => ({ alg })),
    ...['JWT', 'at+JWT', 'rt+jwt', 'jwt', '', null, 'application/at+jwt', ['at+jwt']].map((typ) => ({ typ })),
    ...[['exp'], ['b64'], [], 'exp', null].map((crit) => ({ crit, b64: true })),
    { zip: 'DEF', crit: ['zip'] },
  ];
  const some = changes.map((change) => [
    `header ${JSON.stringify(change)}`,
    signed({ ...good, header: { ...header, ...change } }),
  ]);
  const fewer = ['alg', 'typ'].map((name) => [`no ${name}`, signed({ ...good, header: without(header, name) })]); // prettier-ignore
  return [...some, ...fewer];
}

/** Unsigned, or signed with another key or algorithm. */
function wrongSignatures(good, token) {
  const [head, body, signature] = token.split('.');
  const unsigned = ['none', 'None', 'NONE', 'nOnE'].flatMap((alg) => {
    const other = encode({ ...good.header, alg });
    return [`${other}.${body}.`, `${other}.${body}`, `${other}.${body}.${signature}`];
  });
  const keys = ['', ' ', 'secret', 'undefined', 'null', good.secret.slice(1), `${good.secret}\n`, good.secret.toUpperCase(), Buffer.from(good.secret, 'hex'), ...Array.from({ length: 20 }, () => randomBytes(32))]; // prettier-ignore
  return [
    ...unsigned.map((text, at) => [`unsigned ${at}`, text]),
    ...keys.map((secret, at) => [`key ${at}`, signed({ ...good, secret })]),
    ...Object.entries(DIGESTS).slice(1).map(([alg, hash]) => [`${alg}, correctly signed`, signed({ ...good, header: { ...good.header, alg } }, hash)]), // prettier-ignore
    ['no signature', `${head}.${body}`],
    ['an empty signature', `${head}.${body}.`],
    ...asymmetric(good),
  ];
}

function asymmetric(good) {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = rsa.publicKey.export({ format: 'jwk' });
  const kinds = [
    ['RS256', rsa.privateKey, {}],
    ['RS256', rsa.privateKey, { jwk }],
    ['RS256', rsa.privateKey, { jku: 'http://127.0.0.1:9/keys', kid: '../../../dev/null' }],
    ['PS256', rsa.privateKey, {}],
    ['ES256', { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }, {}],
  ];
  return kinds.map(([alg, key, more]) => {
    const body = `${encode({ ...good.header, alg, ...more })}.${encode(good.payload)}`;
    return [`${alg} ${Object.keys(more)}`, `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`]; // prettier-ignore
  });
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Flips one of the six bits of the character at this position. */
function flipped(token, at, bit) {
  const other = ALPHABET[ALPHABET.indexOf(token[at]) ^ (1 << bit)];
  return token.slice(0, at) + other + token.slice(at + 1);
}

/** The last characters matter most, because some of their bits are unused. */
function flips(token) {
  const parts = token.split('.');
  const starts = [0, parts[0].length + 1, parts[0].length + parts[1].length + 2];
  return parts.flatMap((part, number) => {
    const few = Array.from({ length: 18 }, (_, n) => Math.floor((n * part.length) / 18));
    const places = [...new Set([...few, part.length - 2, part.length - 1])];
    return places.flatMap((at) => [0, 1, 5].map((bit) => [`part ${number}, place ${at}, bit ${bit}`, flipped(token, starts[number] + at, bit)])); // prettier-ignore
  });
}

const cuts = (token) =>
  Array.from({ length: 40 }, (_, n) => [
    `cut to ${n}/40`,
    token.slice(0, Math.floor((n * token.length) / 40)),
  ])
    .slice(1)
    .concat([1, 2, 3, 4].map((n) => [`without the last ${n}`, token.slice(0, -n)]));

function mangled(good, token) {
  const [head, body, signature] = token.split('.');
  const junk = ['x', '.', '..', '=', '==', ' ', ' x', ',', ';', '\t', '%00', '\u00e9', '\u00a0', '"', "'", '\\', '/', '#', '?a=1', '&', `.${signature}`, `, Bearer ${token}`]; // prettier-ignore
  return [
    ...junk.map((text) => [`followed by ${JSON.stringify(text)}`, `${token}${text}`]),
    ...['.', 'x', '"', ' .', '='].map((text) => [`behind ${JSON.stringify(text)}`, `${text}${token}`]),
    ['twice', `${token}${token}`],
    ['twice with a space', `${token} ${token}`],
    ['a part twice', `${head}.${head}.${body}.${signature}`],
    ['parts reversed', `${signature}.${body}.${head}`],
    ['base64 of it', encode(token)],
    ['padding in the parts', `${head}=.${body}=.${signature}=`],
    ['lower case', token.toLowerCase()],
    ['upper case', token.toUpperCase()],
    ['two dots', `${head}..${signature}`],
    ['five parts', `${head}.${body}.${signature}.${body}.${signature}`],
    ['JSON in place of parts', JSON.stringify(good.payload)],
    ['a JWS as JSON', JSON.stringify({ protected: head, payload: body, signature })],
    ...['', 'null', 'undefined', 'true', '0', '[object Object]', '..', '.', 'a.b.c'].map((text) => [`the text ${JSON.stringify(text)}`, text || '-']), // prettier-ignore
    ['payload that is text', signed({ ...good, payload: 'halfmove' })],
    ['payload that is null', signed({ ...good, payload: null })],
    ['payload in a list', signed({ ...good, payload: [good.payload] })],
    ['header that is null', signed({ ...good, header: null })],
    ['header in a list', signed({ ...good, header: [good.header] })],
    ['very long', signed({ ...good, secret: 'x', payload: { ...good.payload, more: 'x'.repeat(5000) } })],
  ];
}

/** Bare tokens, for a header or a socket. */
export const forgedTokens = (good, token, around) => [
  ...strangeClaims(good),
  ...wrongClaims(good, around),
  ...wrongHeaders(good),
  ...wrongSignatures(good, token),
  ...flips(token),
  ...cuts(token),
  ...mangled(good, token),
];

/** A valid token sent in a way that the server must not accept: each a flat list of headers. */
export function forgedHeaders(token, other) {
  const one = (value) => ['Authorization', value];
  const words = ['', 'Bearer', 'Bearer:', 'Bearer=', 'Bearer,', 'Bearer\t', 'Bearers ', 'Token ', 'Basic ', 'JWT ', 'Digest ', '"Bearer" ', 'Bearer Bearer ', 'Bearer "', 'Bearer <', 'Bearer\u00a0', 'bearer_', 'access_token=', 'Bearer token=']; // prettier-ignore
  const good = one(`Bearer ${token}`);
  return [
    ...words.map((word) => [`as ${JSON.stringify(word)}`, one(`${word}${token}`)]),
    ['two headers', [...good, ...good]],
    ['two headers, another first', [...one(`Bearer ${other}`), ...good]],
    ['two headers, an empty one first', [...one(''), ...good]],
    ['two headers, an empty one last', [...good, ...one('')]],
    ['two names', [...good, 'authorization', 'Bearer x']],
    ['with a comma', one(`Bearer ${token}, Bearer ${other}`)],
    ['with parameters', one(`Bearer ${token}; charset=utf-8`)],
    ['in a cookie', ['Cookie', `authorization=${token}; token=${token}; accessToken=${token}`]],
    ['in X-Access-Token', ['X-Access-Token', token]],
    ['in X-Authorization', ['X-Authorization', `Bearer ${token}`]],
    ['in Proxy-Authorization', ['Proxy-Authorization', `Bearer ${token}`]],
    ['in X-Forwarded-Authorization', ['X-Forwarded-Authorization', `Bearer ${token}`]],
    ['in Sec-WebSocket-Protocol', ['Sec-WebSocket-Protocol', token]],
  ];
}

/** Values for a socket's connection parameters in place of a valid `authorization`. */
export const forgedParameters = (token) => [
  ['a list', { authorization: [`Bearer ${token}`] }],
  ['a list of two', { authorization: [`Bearer ${token}`, token] }],
  ['an object', { authorization: { token } }],
  ['a number', { authorization: 1 }],
  ['true', { authorization: true }],
  ['two names', { authorization: `Bearer ${token}`, Authorization: `Bearer ${token}` }],
  ['within headers', { headers: { authorization: `Bearer ${token}` } }],
  ['by another name', { token, accessToken: token, auth: token }],
  ['with a tab', { authorization: `Bearer\t${token}` }],
  ['with a line behind', { authorization: `Bearer ${token}\n` }],
  ['with a line before', { authorization: `\nBearer ${token}` }],
  ['with a space behind', { authorization: `Bearer ${token} ` }],
  ['two in one', { authorization: `Bearer ${token}, Bearer ${token}` }],
  ['in __proto__', JSON.parse(`{"__proto__": {"authorization": "Bearer ${token}"}}`)],
];
