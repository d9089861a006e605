import { oneOf } from '../support/random.mjs';

/**
 * Invalid values. None of them looks like an SQL statement, a stack or a path of this machine, which the
 * search for internals would report.
 */

const nested = (depth, inner, wrap) => Array.from({ length: depth }).reduce(wrap, inner);

/** Keys like __proto__ must be own properties, or JSON.stringify leaves them out. */
const POLLUTION = ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '{"toString":1,"valueOf":null,"hasOwnProperty":0}', '{"length":-1,"0":{}}', '{"then":1,"toJSON":"x"}'].map((text) => JSON.parse(text)); // prettier-ignore

const TEXTS = ['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udc00\ud800x', '\ufeff', '\u202e\u2066', '\uffff', 'e\u0301'.repeat(20), '\ud83d\ude00'.repeat(40), '\u0ddf'.repeat(300), 'x'.repeat(300), 'x'.repeat(5000), '../../..', '%', '%00', '%zz', '%c0%ae', "' or 1=1 --", '"; --', '$1', '${1}', '{{1}}', '<script>', '\\', '\n', '\r\nX: y', '__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', '-0', '1e400', '0x10', '९', 'true', '*', '**', '(((((((', '[', '0000-00-00', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.001Z', '-271821-04-20T00:00:00Z', '2020-02-30', '1970-01-01T00:00:00Z', '00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-7FFF-FFFF-FFFFFFFFFFFF', '{0}', 'AAAA', 'W10', 'WzFd', 'W251bGxd', 'eyJhIjoxfQ']; // prettier-ignore
const NUMBERS = [0, -0, -1, 1, 2, 0.5, 100, 101, 1e21, 1e308, -1e308, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 4e12, 8.64e15 + 1]; // prettier-ignore

const OTHERS = [
  null,
  true,
  false,
  {},
  [],
  [[]],
  [null],
  [{}],
  [1, 'x', null],
  { a: { b: {} } },
  ...POLLUTION,
];

export const junkText = (pick) => (pick(200) === 0 ? 'x'.repeat(70_000) : oneOf(pick, TEXTS));

/** Deep and long values are expensive to send, so they are rare. */
export function junk(pick) {
  const rare = pick(150);
  if (rare === 0) return nested(oneOf(pick, [20, 200, 1000]), 1, (inner) => [inner]);
  if (rare === 1) return nested(oneOf(pick, [20, 200, 1000]), 1, (inner) => ({ then: [inner] }));
  if (rare === 2) return Array.from({ length: 3000 }, (_, n) => n);
  const kind = pick(10);
  return kind < 6 ? junkText(pick) : kind < 8 ? oneOf(pick, NUMBERS) : oneOf(pick, OTHERS);
}

export const junkNumber = (pick) => oneOf(pick, NUMBERS);

const TYPES = ['text/plain', 'text/html', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'application/json; charset=x', 'application/json;;', 'application/json, text/plain', 'APPLICATION/JSON', 'application/graphql', 'application/x-ndjson', 'application/vnd.chess-pgn', 'application/vnd.api+json', '', ';', '/', 'x'.repeat(2000), '*/*', 'application/json\u00e9']; // prettier-ignore

export const junkType = (pick) => oneOf(pick, TYPES);

const HEADERS = [
  ['Accept', 'text/html'],
  ['Accept', 'application/graphql-response+json'],
  ['Accept', ';;q=,'],
  ['Accept-Encoding', 'gzip;q=2, x'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'x'],
  ['If-None-Match', '*'],
  ['If-Match', '"x"'],
  ['If-Modified-Since', 'never'],
  ['Range', 'bytes=0-0,-1,5-'],
  ['Origin', 'null'],
  ['Origin', 'http://\u00e9'],
  ['X-Forwarded-For', `${'1,'.repeat(500)}::`],
  ['X-Forwarded-Host', '<'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Request-Id', 'x'.repeat(3000)],
  ['Cookie', '__proto__=1; ='],
  ['Apollo-Require-Preflight', ''],
  ['Idempotency-Key', 'x'.repeat(65)],
  ['Idempotency-Key', 'a key'],
  ['Idempotency-Key', '\u00e9\u00ff'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Long', 'x'.repeat(9000)],
  ['Host', '\u00e9'],
  ['Content-Type', 'application/json'],
];

export const junkHeader = (pick) => oneOf(pick, HEADERS);

const cut = (pick, text) => text.slice(0, pick(text.length + 1));

const BREAKERS = [
  (_, text) => `\ufeff${text}`,
  cut,
  (pick, text) => `${cut(pick, text)}${oneOf(pick, ['"', '}', ']', ',', ':', '\\', '\u0000', 'NaN', '//'])}${text.slice(pick(text.length + 1))}`, // prettier-ignore
  (_, text) => `[${text}]`,
  (_, text) => `${text}${text}`,
  (_, text) => text.replace('{', '{"__proto__":{"admin":true},'),
  (_, text) => text.replace('{', '{"constructor":{"prototype":{}},'),
  (_, text) => text.replace(/"[^"]*"/, '"\\ud800"'),
  (_, text) => text.replace(/:\s*[^,}]+/, ':1e999'),
  (_, text) => text.replace(/:\s*[^,}]+/, `:${'9'.repeat(400)}`),
  (pick) => '['.repeat(oneOf(pick, [50, 5000, 30_000])),
  (pick) => '{"a":'.repeat(oneOf(pick, [50, 5000])),
  () => '',
  () => 'null',
  () => '0',
  () => '"x"',
  (_, text) => Buffer.from(`${text.slice(0, 5)}\xff\xfe\xc0${text.slice(5)}`, 'latin1'),
  (pick) => 'x'.repeat(oneOf(pick, [1000, 60_000, 66_000, 300_000])),
];

/** A body that is valid before it is changed. */
export const broken = (pick, text) => oneOf(pick, BREAKERS)(pick, text);

/** Malformed requests, and requests that two parsers may read differently. */
export const RAW = [
  'GET / HTTP/9.9\r\n\r\n',
  'GET /v1/me HTTP/1.1\r\n\r\n',
  'GET /v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  'GET /%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET //v1//me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET http://127.0.0.1/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'PROPFIND /v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}',
  'POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\n',
  `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(3000)}Connection: close\r\n\r\n`,
  'GET / HTTP/1.1\r\nHost: x\r\nX: \u0001\r\nConnection: close\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n',
  'GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
  'GET /x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  'GET /graphql HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: graphql-ws\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 7\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001',
  '\r\n\r\n\r\n',
];

/** Messages for a socket. */
export const MESSAGES = ['', '{', 'null', '0', '[]', '{}', '{"type":1}', '{"type":"x"}', '{"type":"subscribe"}', '{"type":"subscribe","id":"1"}', '{"type":"subscribe","id":"1","payload":null}', '{"type":"subscribe","id":"","payload":{"query":"{ me { id } }"}}', '{"type":"subscribe","id":"1","payload":{"query":""}}', '{"type":"subscribe","id":"1","payload":{"query":"{ me { id } }","variables":[]}}', '{"type":"subscribe","id":"__proto__","payload":{"query":"subscription { lobbyChanged { id } }"}}', '{"type":"subscribe","id":"1","payload":{"query":"subscription { lobbyChanged { id } }","operationName":"x"}}', '{"type":"connection_init","payload":[]}', '{"type":"complete","id":"9"}', '{"type":"ping","payload":1}', '{"type":"ping"}', '{"type":"pong"}', '{"type":"next","id":"1"}', `{"type":"ping","payload":{"a":"${'x'.repeat(70_000)}"}}`, '['.repeat(20_000), Buffer.from([0xff, 0xfe, 0])]; // prettier-ignore
