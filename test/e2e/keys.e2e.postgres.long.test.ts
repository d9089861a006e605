import request from 'supertest';
import { SigningService } from '../../src/engine/signing.service.js';
import { parseVerifierKey, verifyNote } from '../../src/fairness/note.js';
import { freshPlace, type Place } from '../support/databases.js';
import { startServer, type TestServer } from '../support/server.js';

/** The public keys of the server while its secret is changed. */
// Long: it opens many databases.
// Both databases: dates are read back as each driver returns them.

const [OLD, NEW] = ['an old secret of 32 bytes or more', 'the new secret of 32 bytes or more'];

let place: Place;
beforeAll(async () => (place = await freshPlace()));
afterAll(() => place.remove());

interface Shown {
  readonly key: string;
  readonly use: string;
  readonly from: string;
  readonly until: string | null;
}

const wellKnown = (server: TestServer) => request(server.http).get('/.well-known/halfmove.json');

/** What a server with these secrets shows, and a receipt that it signs. */
async function started(...secrets: readonly string[]): Promise<{ keys: readonly Shown[]; receipt: string }> {
  const settings = { SIGNING_SECRET: secrets.join(','), PUBLIC_URL: 'https://play.example.org/' };
  const server = await startServer(settings, place);
  const { body } = await wellKnown(server).expect(200);
  const receipt = server.app.get(SigningService, { strict: false }).receipt('a receipt\n');
  await server.close();
  return { keys: body.keys, receipt };
}

const inUse = (keys: readonly Shown[]) => keys.filter(({ until }) => until === null);

async function outcomeOf(receipt: string, keys: readonly Shown[]): Promise<string> {
  const known = keys.flatMap(({ key }) => {
    const parsed = parseVerifierKey(key);
    return parsed.ok ? [parsed.value] : [];
  });
  expect(known).toHaveLength(keys.length);
  return (await verifyNote(receipt, known)).outcome;
}

test('without settings there is a public key for receipts and one for the log, cacheable for some minutes', async () => {
  const server = await startServer();
  const { body, headers } = await wellKnown(server).expect(200);
  expect(headers['cache-control']).toBe('public, max-age=300');
  const date = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(body).toEqual({
    name: 'localhost',
    log: { origin: 'localhost/log', url: `http://localhost:${new URL(server.url).port}/log` },
    keys: expect.arrayContaining([
      { key: expect.stringMatching(/^localhost\+[0-9a-f]{8}\+/), use: 'receipts', from: date, until: null },
      { key: expect.stringMatching(/^localhost\/log\+[0-9a-f]{8}\+/), use: 'log', from: date, until: null },
    ]),
  });
  expect(body.keys).toHaveLength(2);
  await server.close();
});

test('while the secret is changed both sign, then only the new one; old receipts stay valid', async () => {
  const before = await started(OLD);
  expect(inUse(before.keys)).toHaveLength(2);
  expect(before.keys.map(({ key }) => key.split('+')[0]).sort()).toEqual([
    'play.example.org',
    'play.example.org/log',
  ]);
  expect(await started(OLD)).toEqual(before);

  const meanwhile = await started(NEW, OLD);
  expect(inUse(meanwhile.keys)).toHaveLength(4);
  expect(meanwhile.keys).toEqual(expect.arrayContaining([...before.keys]));
  const added = meanwhile.keys.filter(({ key }) => !before.keys.some((other) => other.key === key));
  expect(await outcomeOf(meanwhile.receipt, before.keys)).toBe('valid');
  expect(await outcomeOf(meanwhile.receipt, added)).toBe('valid');

  const after = await started(NEW);
  expect(inUse(after.keys)).toEqual(added);
  expect(after.keys.map(({ until: _, ...key }) => key)).toEqual(
    meanwhile.keys.map(({ until: _, ...key }) => key),
  );
  expect(await outcomeOf(before.receipt, after.keys)).toBe('valid');
  expect(await outcomeOf(after.receipt, before.keys)).toBe('unknown');

  const back = await started(OLD);
  expect(inUse(back.keys)).toEqual(before.keys);
});
