import { randomUUID } from 'node:crypto';
import { Passwords } from '../../src/features/auth/passwords.js';
import { ImportQueue } from '../../src/features/imports/import-queue.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { Quotas } from '../../src/platform/limits/quotas.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { bearer, PASSWORD, type Person, register } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** Work that is under way when its session ends is refused at its end, and leaves nothing. */

let server: TestServer;
let ann: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ann = await register(server.http, 'ann');
});
afterAll(() => server.close());

/** Ends all sessions of a user as a request here does, or as another process of which this one has not heard. */
const ENDS: readonly (readonly [string, (who: { id: string; authorization: string }) => Promise<unknown>])[] =
  [
    ['here', (who) => restApi(server.http).logout(who)],
    ['by another process', ({ id: userId }) => server.app.get(PrismaService).db.session.updateMany({ where: { userId }, data: { revokedAt: new Date() } })], // prettier-ignore
  ];

/** Holds up the only place where texts are read, until it is called. */
function holdImports(): () => void {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  const queue = server.app.get(ImportQueue, { strict: false });
  void queue.run({ address: '192.0.2.1', user: randomUUID() }, new Quotas(), () => held);
  return go;
}

const PGN = '[Event "x"]\n\n1. e4 e5 1-0';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  it.each(ENDS)('an import, when the session ends %s', async (_where, end) => {
    const go = holdImports();
    const importing = api.importGames(ann, { text: PGN });
    await pause(200);
    await end(ann);
    go();
    expect((await importing).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    const again = await register(server.http, 'ann');
    must(await api.importGames(again, { text: PGN }));
    const { db } = server.app.get(PrismaService);
    expect(await db.importedGame.count({ where: { userId: { in: [ann.id, again.id] } } })).toBe(1);
  });

  it.each(ENDS)('a claim, when the session ends %s', async (_where, end) => {
    const session = must(await api.createGuest(null));
    const { refreshToken } = session;
    const guest = { id: session.user.id, ...bearer(session) };
    const passwords = server.app.get(Passwords, { strict: false });
    const hash = passwords.hash.bind(passwords);
    passwords.hash = async (...of) => {
      Reflect.deleteProperty(passwords, 'hash');
      await end(guest);
      return hash(...of);
    };
    const username = `gus-${randomUUID().slice(0, 8)}`;
    const claimed = await api.claimAccount(guest, { username, password: PASSWORD, refreshToken });
    expect(claimed.refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await api.user(null, session.user.username)).data).toMatchObject({ guest: true });
    expect((await api.login(null, { username, password: PASSWORD })).refusal).toEqual({
      code: 'INVALID_CREDENTIALS',
    });
  });
});
