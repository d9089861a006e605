import { v7 as uuid } from 'uuid';
import { Background } from '../../src/platform/process/background.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { Idempotency, keyedAct } from '../../src/platform/idempotency/idempotency.js';
import { IdempotencyStore } from '../../src/platform/idempotency/idempotency.store.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { StoppedTime } from '../support/stopped-time.js';

// Both databases: each driver reports a taken key in its own way.

const time = new StoppedTime();
let database: TestDatabase;
let prisma: PrismaService;
let store: IdempotencyStore;
let idempotency: Idempotency;
beforeAll(async () => {
  database = await freshDatabase();
  prisma = new PrismaService(database);
  store = new IdempotencyStore(prisma);
  idempotency = new Idempotency(store, time, new Background(), {
    idempotencyKeyDays: 7,
    housekeepingSeconds: 3600,
  });
});
afterAll(() => database.close());

const act = (request: unknown = { side: 'first' }, key = 'a-key', actor = ACTOR) =>
  keyedAct(actor, key, 'challenge', request)!;
const ACTOR = uuid();

describe('an act with an idempotency key', () => {
  it('takes effect once, however many send it at the same moment', async () => {
    const wanted = act({}, uuid());
    const send = () =>
      prisma.transaction(async (tx) => {
        const id = uuid();
        return (await idempotency.claim(tx, wanted, id, time.now())) ? id : null;
      });
    const made = await Promise.all([send(), send(), send(), send()]);
    const [id, ...others] = made.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(await idempotency.made(wanted)).toBe(id);
  });

  it('is not stored when its effect fails', async () => {
    const wanted = act({}, uuid());
    const failing = prisma.transaction(async (tx) => {
      await idempotency.claim(tx, wanted, uuid(), time.now());
      throw new Error('no effect');
    });
    await expect(failing).rejects.toThrow('no effect');
    expect(await idempotency.made(wanted)).toBeNull();
  });

  it('is the same however its request is written, and separate for each user', async () => {
    const id = uuid();
    await prisma.transaction((tx) => idempotency.claim(tx, act({ a: 1, b: [2] }), id, time.now()));
    expect(await idempotency.made(act({ b: [2], a: 1 }))).toBe(id);
    expect(await idempotency.made(act({ a: 1, b: [2] }, 'A-key'))).toBeNull();
    expect(await idempotency.made(act({ a: 1, b: [2] }, 'a-key', uuid()))).toBeNull();
    const reused = { code: 'IDEMPOTENCY_KEY_REUSED', status: 409 };
    await expect(idempotency.made(act({ a: 1, b: [3] }))).rejects.toMatchObject(reused);
    const elsewhere = keyedAct(ACTOR, 'a-key', 'seek', { a: 1, b: [2] })!;
    await expect(idempotency.made(elsewhere)).rejects.toMatchObject(reused);
  });

  it('requires a key', () => {
    expect(keyedAct(ACTOR, null, 'challenge', {})).toBeNull();
    expect(keyedAct(ACTOR, undefined, 'challenge', {})).toBeNull();
    expect(keyedAct(ACTOR, '~'.repeat(64), 'challenge', {})).not.toBeNull();
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a\n', 'é', '\0'])('refuses the key %j', (key) => {
    const refused = { code: 'BAD_INPUT', details: { field: 'idempotencyKey', min: 1, max: 64 } };
    expect(() => keyedAct(ACTOR, key, 'challenge', {})).toThrow(expect.objectContaining(refused));
  });

  it('is forgotten after its retention time', async () => {
    const [old, recent] = [act({}, 'old'), act({}, 'recent')];
    const before = time.now();
    await prisma.transaction((tx) => idempotency.claim(tx, old, uuid(), before));
    time.forward(1);
    await prisma.transaction((tx) => idempotency.claim(tx, recent, uuid(), time.now()));
    await store.deleteBefore(time.now());
    expect(await idempotency.made(old)).toBeNull();
    expect(await idempotency.made(recent)).not.toBeNull();
  });
});
