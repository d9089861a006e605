import { makeLogger, NestLogger, OfRequest } from '../../src/platform/process/logging.js';
import { holdsSecret, isSecret, isSecretInAnswers } from '../../src/platform/process/secret-names.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { send, sendGraphql } from '../support/transport.js';

/** The list of what is secret, and its readers: messages, logs, compression. */

const VALUE = 'kJ3x8vQ2mN5pR7tW9yB4cF6hL1sD0gZ2aE8uI3oY5jX';
const NAMES = ['password', 'secret', 'seed', 'token', 'ticket', 'code', 'code_verifier', 'access_token', 'refresh_token', 'linkToken', 'client_secret', 'clientSeed', 'newPassword']; // prettier-ignore
const TEXTS = [`hm_${VALUE}`, `whsec_${VALUE}`];

let server: TestServer;
const lines: string[] = [];
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const logger = new NestLogger(makeLogger('trace', { write: (line) => void lines.push(line) }));
/** What is logged of a message, as a text, as an error, and with a request. */
function logged(message: string, more: object = {}): string {
  lines.length = 0;
  logger.log(message);
  logger.error(Object.assign(new Error(message), more, { inner: more, all: [more] }));
  logger.error(new OfRequest('r', message));
  expect(lines).toHaveLength(3);
  return lines.join('');
}

describe.each(NAMES)('a value named %s', (name) => {
  it('is repeated by no message', async () => {
    expect(isSecret(name)).toBe(true);
    for (const body of [{ [name]: VALUE }, { username: 'ann', password: { [name]: VALUE } }]) {
      const { status, text } = await send(server.http, '/v1/sessions', { method: 'post', body });
      expect([status, text.includes(VALUE)]).toEqual([400, false]);
    }
    const address = await send(server.http, `/v1/games?${name}=${VALUE}`);
    expect([address.status, address.text.includes(VALUE)]).toEqual([400, false]);
    const document = `query ($${name}: Int) { games(first: $${name}) { edges { cursor } } }`;
    const inVariable = await sendGraphql(server.http, document, { [name]: VALUE });
    const inDocument = await sendGraphql(server.http, `{ analyse(input: { ${name}: "${VALUE}" }) { id } }`);
    for (const { body, text } of [inVariable, inDocument])
      expect([body.errors[0].message !== '', text.includes(VALUE)]).toEqual([true, false]);
  });

  it('is in no log', () => {
    // There it is the code of an error.
    expect(logged('failed', { [name]: VALUE }).includes(VALUE)).toBe(name === 'code');
  });

  it('is not compressed, unless it may be public', () => {
    const isPublic = /^code$|seed$/i.test(name);
    expect(isSecretInAnswers(name)).toBe(!isPublic);
    for (const json of [JSON.stringify({ [name]: VALUE }), `{"url":"/x?${name}=${VALUE}"}`])
      for (const sent of [json, Buffer.from(json)]) expect(holdsSecret(sent)).toBe(!isPublic);
    expect(holdsSecret(JSON.stringify({ [name]: null }))).toBe(false);
  });
});

describe.each(TEXTS)('%s', (text) => {
  it('is repeated by no message, and is in no log', async () => {
    const answers = [
      await send(server.http, '/v1/analyse', { method: 'post', body: { ruleset: text } }),
      await send(server.http, `/v1/users/${text}`),
      await send(server.http, `/v1/games?first=${text}`),
      await sendGraphql(server.http, `{ ruleset(id: 5, x: "${text}") { id } }`),
      await sendGraphql(server.http, 'query ($n: Int) { games(first: $n) { edges { cursor } } }', {
        n: text,
      }),
    ];
    expect(answers.map((answer) => answer.text).filter((answer) => answer.includes(VALUE))).toEqual([]);
    expect(logged(`It was ${text}.`, { name: text, list: [text] })).not.toContain(VALUE);
  });

  it('is not compressed', () => expect(holdsSecret(JSON.stringify({ key: text }))).toBe(true));
});

test('what stands behind the # of a link is in no log, and is not compressed', () => {
  const link = `https://play.example.org/challenges/ID#${VALUE}`;
  expect(logged(`It was ${link}.`, { url: link })).not.toContain(VALUE);
  expect(holdsSecret(JSON.stringify({ a: link }))).toBe(true);
  expect(holdsSecret(JSON.stringify({ a: link.replace(VALUE, 'play'), fill: '#1d1d1d' }))).toBe(false);
});
