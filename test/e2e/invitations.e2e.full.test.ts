import { ChallengesService } from '../../src/features/matchmaking/challenges.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register, renewed } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, startServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/api-types.js';
import { stopTime } from '../support/stopped-time.js';
import { type Body, isMissing } from '../support/transport.js';

/** Who may challenge whom, and what both users are told. */

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const CHESS = { ruleset: 'chess', timeControl: NO_CLOCK };
  const toBen = async (terms: Body = {}): Promise<Challenge> =>
    (await api.createChallenge(ann, { ...CHESS, opponent: ben.username, ...terms })).data;
  const byLink = async (terms: Body = {}): Promise<Challenge> =>
    (await api.createChallenge(ann, { ...CHESS, ...terms })).data;
  const count = () => server.app.get(PrismaService).db.challenge.count();

  describe('between two users, one of whom blocks the other', () => {
    const NOT_HEARD = /^This user has blocked you/;
    const UNBLOCK = /^You have blocked this user. Unblock them first/;

    it.each([
      ['the challenged user', () => [ben, ann] as const, NOT_HEARD, UNBLOCK],
      ['the creator', () => [ann, ben] as const, UNBLOCK, NOT_HEARD],
    ])('refuses offers and acceptances when the block is by %s', async (_who, people, toCreator, toTaker) => {
      const [waiting, link] = [await toBen(), await byLink()];
      const [blocker, blocked] = people();
      await api.blockUser(blocker, blocked.username);
      const before = await count();
      const created = await api.createChallenge(ann, { ...CHESS, opponent: ben.username });
      expect(created.refusal).toEqual({ code: 'BLOCKED' });
      expect(created.message).toMatch(toCreator);
      for (const [id, input] of [
        [waiting.id, {}],
        [link.id, { linkToken: link.linkToken }],
      ] as const) {
        const taken = await api.acceptChallenge(ben, id, input);
        expect(taken.refusal).toEqual({ code: 'BLOCKED' });
        expect(taken.message).toMatch(toTaker);
        expect((await api.challenge(ann, id)).data.status).toBe('open');
        expect(isMissing(await api.game(ann, id))).toBe(true);
      }
      expect(await count()).toBe(before);

      expect((await api.acceptChallenge(cid, link.id, { linkToken: link.linkToken })).data.id).toBe(link.id);
      await api.unblockUser(blocker, blocked.username);
      const game = (await api.acceptChallenge(ben, waiting.id)).data;
      await api.blockUser(blocker, blocked.username);
      expect((await api.acceptChallenge(ben, waiting.id)).data).toEqual(game);
      await api.unblockUser(blocker, blocked.username);
    });
  });

  describe('its notification', () => {
    const newsOf = async (by: Person, id: string) =>
      (await restApi(server.http).notifications(by, { first: 100 })).data.edges
        .map(({ node }) => node)
        .filter(({ gameId }) => gameId === id);

    it('goes to the challenged user, and is read when the challenge is answered', async () => {
      for (const [answer, told] of [
        [(id: string) => api.declineChallenge(ben, id), ['challengeAnswered']],
        [(id: string) => api.cancelChallenge(ann, id), []],
        [(id: string) => api.acceptChallenge(ben, id), ['gameStarted']],
      ] as const) {
        const made = await toBen({ seat: 'second' });
        expect(await newsOf(ben, made.id)).toEqual([
          {
            id: `${made.id}:challenge`,
            type: 'challenge',
            gameId: made.id,
            data: { challengeId: made.id, ruleset: 'chess', from: ann.username },
            createdAt: made.createdAt,
            readAt: null,
          },
        ]);
        expect(await newsOf(ann, made.id)).toEqual([]);
        expect((await answer(made.id)).refusal).toBeUndefined();
        const { answeredAt, status } = (await api.challenge(ann, made.id)).data;
        const read = (await newsOf(ben, made.id)).filter(({ type }) => type === 'challenge');
        // A challenge that was taken back has no notification.
        expect(read).toMatchObject(status === 'cancelled' ? [] : [{ readAt: answeredAt }]);
        expect((await newsOf(ann, made.id)).map(({ type }) => type)).toEqual(told);
      }
    });

    it('reports once that it was declined', async () => {
      const { id } = await toBen();
      await api.declineChallenge(ben, id);
      const [told] = await newsOf(ann, id);
      expect(told).toMatchObject({ type: 'challengeAnswered', data: { accepted: false }, readAt: null });
      await api.declineChallenge(ben, id);
      expect(await newsOf(ann, id)).toEqual([told]);
    });

    it('goes to no one for a link until the game begins', async () => {
      const { id, linkToken } = await byLink({ seat: 'first' });
      expect([await newsOf(ann, id), await newsOf(ben, id)]).toEqual([[], []]);
      await api.acceptChallenge(ben, id, { linkToken });
      expect((await newsOf(ann, id)).map(({ type }) => type).sort()).toEqual(['gameStarted', 'yourTurn']);
    });
  });

  it('its notification is read when it expires, whichever way that is noticed', async () => {
    const own = await startServer();
    try {
      const [dan, eva] = await Promise.all([register(own.http, 'dan'), register(own.http, 'eva')]);
      const there = over(own.http);
      const { data: made } = await there.createChallenge(dan, { ...CHESS, opponent: eva.username });
      const time = stopTime(own.app);
      const news = async () =>
        (await restApi(own.http).notifications(eva)).data.edges.map(({ node }) => node);
      const sweep = () => own.app.get(ChallengesService, { strict: false }).expire();
      await sweep();
      expect(await news()).toMatchObject([{ gameId: made.id, readAt: null }]);

      time.moment = new Date(made.expiresAt);
      const later = await renewed(own.http, eva);
      await Promise.all([sweep(), sweep()]);
      const answeredAt = made.expiresAt;
      expect((await there.challenge(later, made.id)).data).toMatchObject({ status: 'expired', answeredAt });
      const read = (await restApi(own.http).notifications(later)).data.edges.map(({ node }) => node);
      expect(read).toMatchObject([{ gameId: made.id, readAt: answeredAt }]);
    } finally {
      await own.close();
    }
  });
});
