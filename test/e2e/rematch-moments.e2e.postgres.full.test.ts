import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { serverPlace } from '../support/databases.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { onEmbedded, onServer, sample } from '../support/scale.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { stopTime } from '../support/stopped-time.js';

/** Rematches that both offer at once, and expired ones. */

const DAY_MS = 86_400_000;

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

onEmbedded.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  it('two simultaneous offers make one game or one open offer, also when repeated', async () => {
    for (let round = 0; round < 4; round++) {
      const old = await begin(api, ann, ben);
      await api.resign(ann, old.id);
      const by = [ann, ben, ann, ben, ann, ben];
      const answers = await Promise.all(by.map((person) => api.offerRematch(person, old.id)));
      for (const { refusal } of answers) expect(refusal).toBeUndefined();
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
      const stored = await server.app.get(PrismaService).db.challenge.findMany({
        where: { rematchOf: old.id },
      });
      expect(stored).toMatchObject([{ status: 'accepted' }]);
      const secrets = await server.app.get(PrismaService).db.dealSecret.count();
      expect(secrets).toBe(await server.app.get(PrismaService).db.challenge.count());
    }
  });

  it('is valid for 14 days, and can then be offered again', async () => {
    const own = await startServer();
    try {
      const [dan, eva] = await Promise.all([register(own.http, 'dan'), register(own.http, 'eva')]);
      const there = over(own.http);
      const rematches = over(own.http);
      const time = stopTime(own.app);
      const { id } = await begin(there, dan, eva, { timeControl: NO_CLOCK });
      await there.resign(dan, id);
      time.forward(30 * DAY_MS);
      let [later, evaLater] = [await renewed(own.http, dan), await renewed(own.http, eva)];
      const made = (await rematches.offerRematch(later, id)).data;
      time.forward(14 * DAY_MS - 1);
      [later, evaLater] = [await renewed(own.http, later), await renewed(own.http, evaLater)];
      expect((await rematches.rematch(later, id)).data).toEqual(made);

      time.forward(1);
      expect((await rematches.rematch(later, id)).data ?? null).toBeNull();
      expect((await there.acceptChallenge(evaLater, made.id)).refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
      const anew = (await rematches.offerRematch(evaLater, id)).data;
      expect(anew).toMatchObject({ status: 'open', creator: { id: eva.id } });
      expect((await there.challenge(later, made.id)).data).toMatchObject({
        status: 'expired',
        answeredAt: made.expiresAt,
      });
      expect((await rematches.offerRematch(later, id)).data).toMatchObject({
        id: anew.id,
        status: 'accepted',
      });
    } finally {
      await own.close();
    }
  });
});

onServer('on two instances of one database', () => {
  it('two simultaneous offers make one game', async () => {
    const place = await serverPlace();
    const servers = [await startServer({}, place), await startServer({}, place)] as const;
    try {
      const [here, there] = servers.map(({ http }) => restApi(http)) as [Api, Api];
      const api = restApi(servers[0].http);
      const [dan, eva] = await Promise.all([
        register(servers[0].http, 'dan'),
        register(servers[1].http, 'eva'),
      ]);
      for (let round = 0; round < 10; round++) {
        const { id } = await begin(api, dan, eva);
        await api.resign(dan, id);
        const answers = await Promise.all([
          here.offerRematch(dan, id),
          there.offerRematch(eva, id),
          there.offerRematch(dan, id),
          here.offerRematch(eva, id),
        ]);
        for (const { refusal } of answers) expect(refusal).toBeUndefined();
        expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
        const stored = await servers[0].app.get(PrismaService).db.challenge.findMany({
          where: { rematchOf: id },
        });
        expect(stored).toMatchObject([{ status: 'accepted' }]);
        expect((await api.game(dan, stored[0]!.id)).data.status).toBe('active');
      }
    } finally {
      for (const { close } of servers) await close();
      await place.remove();
    }
  });
});
