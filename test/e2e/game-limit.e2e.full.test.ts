import { clientSeedHash } from '../../src/fairness/commitment.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { type Answer, isMissing } from '../support/transport.js';

/** How many running games a user may have. */

const MOST = 2;
const LIMIT_REACHED = { code: 'LIMIT_REACHED' };
const YOURS = 'You have 2 running games, which is the limit. Finish one of them, then try again.';
const THEIRS =
  'The creator of the challenge has 2 running games, which is the limit. Try again when one of them has ended.';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ MAX_RUNNING_GAMES: String(MOST) });
});
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  beforeEach(async () => {
    api = over(server.http);
    [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  });

  const challenge = async (
    from: Person,
    to: Person | null,
  ): Promise<{ id: string; linkToken: string | null }> => {
    const input = { ruleset: 'chess', timeControl: NO_CLOCK, seat: 'first', opponent: to?.username };
    return (await api.createChallenge(from, input)).data;
  };
  const start = async (from: Person, to: Person): Promise<Answer<Game>> =>
    api.acceptChallenge(to, (await challenge(from, to)).id);
  const running = async (by: Person): Promise<number> =>
    (await api.myGames(by, { list: 'running' })).data.games.length;
  const unread = async (by: Person): Promise<number> =>
    (await restApi(server.http).notifications(by)).data.unreadCount;

  /** As many games as a user may have, each against another opponent. */
  async function fill(person: Person): Promise<Game[]> {
    const others = await Promise.all(Array.from({ length: MOST }, () => register(server.http, 'other')));
    const games = [];
    for (const other of others) games.push((await start(other, person)).data);
    return games;
  }

  it('refuses an acceptance by a user at the limit, with the reason', async () => {
    const [game] = await fill(ben);
    const { id } = await challenge(ann, ben);
    const news = await unread(ben);
    const refused = await api.acceptChallenge(ben, id);
    expect([refused.refusal, refused.message]).toEqual([LIMIT_REACHED, YOURS]);
    expect((await api.challenge(ben, id)).data).toMatchObject({ status: 'open', answeredAt: null });
    expect(isMissing(await api.game(ben, id))).toBe(true);
    expect([await running(ben), await running(ann), await unread(ben)]).toEqual([MOST, 0, news]);

    await api.resign(ben, game!.id);
    expect((await api.acceptChallenge(ben, id)).data.status).toBe('active');
  });

  it('does not reveal who is to move where both are at the limit', async () => {
    for (let i = 0; i < MOST; i += 1) await start(ann, ben);
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK, seat: 'any', opponent: ben.username };
    const { id } = (await api.createChallenge(ann, terms)).data;
    const words = new Set<string>();
    for (let n = 0; n < 12; n += 1) {
      words.add((await api.acceptChallenge(ben, id, { clientSeed: newSeed() })).message!);
    }
    expect([...words]).toEqual([THEIRS]);
  });

  it('refuses to accept the challenge of a user at the limit, by name or by link', async () => {
    const [toBen, link] = [await challenge(ann, ben), await challenge(ann, null)];
    const [game] = await fill(ann);
    for (const answer of [
      await api.acceptChallenge(ben, toBen.id),
      await api.acceptChallenge(ben, link.id, { linkToken: link.linkToken }),
    ]) {
      expect([answer.refusal, answer.message]).toEqual([LIMIT_REACHED, THEIRS]);
    }
    expect([await running(ann), await running(ben)]).toEqual([MOST, 0]);

    await api.abort(ann, game!.id);
    expect((await api.acceptChallenge(ben, toBen.id)).data.status).toBe('active');
  });

  it('counts a game that waits for a client seed', async () => {
    const input = { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username };
    for (let i = 0; i < MOST; i++) {
      const { id } = (await api.createChallenge(ann, { ...input, clientSeedHash: clientSeedHash(newSeed()) }))
        .data;
      expect((await api.acceptChallenge(ben, id)).data.status).toBe('pending');
    }
    expect((await start(ann, ben)).refusal).toEqual(LIMIT_REACHED);
  });

  it('allows the offer of a rematch, which begins once below the limit', async () => {
    const old = (await start(ann, ben)).data;
    await api.resign(ann, old.id);
    const [game] = await fill(ben);
    const { data: offered } = await api.offerRematch(ben, old.id);
    expect(offered.status).toBe('open');
    const refused = await api.offerRematch(ann, old.id);
    expect([refused.refusal, refused.message]).toEqual([LIMIT_REACHED, THEIRS]);
    expect((await api.rematch(ann, old.id)).data).toEqual(offered);
    await api.resign(ben, game!.id);
    expect((await api.offerRematch(ann, old.id)).data.status).toBe('accepted');
  });

  it('accepts as many simultaneous acceptances as the limit allows', async () => {
    await start(ann, ben);
    const others = await Promise.all(Array.from({ length: 6 }, () => register(server.http, 'other')));
    const toBen = await Promise.all(others.map((other) => challenge(other, ben)));
    const byBen = await Promise.all(others.map((other) => challenge(ben, other)));
    const answers = await Promise.all([
      ...toBen.map(({ id }) => api.acceptChallenge(ben, id)),
      ...byBen.map(({ id }, i) => api.acceptChallenge(others[i]!, id)),
    ]);
    const refused = answers.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal]));
    expect(refused).toEqual(Array.from({ length: 11 }, () => LIMIT_REACHED));
    expect(await running(ben)).toBe(MOST);
    const open = await server.app.get(PrismaService).db.challenge.count({
      where: { id: { in: [...toBen, ...byBen].map(({ id }) => id) }, status: 'open' },
    });
    expect(open).toBe(11);
  });
});
