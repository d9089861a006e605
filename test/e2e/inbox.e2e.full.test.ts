import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { SHOWN_LATE_MS } from '../../src/features/games/as-of-now.js';
import { type Api, TRANSPORTS, VERBS } from '../support/api.js';
import type { Inbox } from '../support/operations/notifications.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Challenge, Game } from '../support/api-types.js';
import { must, select } from '../support/transport.js';
import { stopTime, type StoppedTime } from '../support/stopped-time.js';

/** Everything that waits for an answer of the user, in one list. */

const DAY = 86_400;
const INVALID_CURSOR = { code: 'INVALID_CURSOR', field: 'after' };

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let server: TestServer;
  let time: StoppedTime;
  let api: Api;
  let ann: Person;
  let ben: Person;
  let cid: Person;

  beforeAll(async () => {
    server = await sharedServer();
    time = stopTime(server.app);
    api = over(server.http);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    [ann, ben, cid] = await Promise.all(
      ['ann', 'ben', 'cid'].map((name) => register(server.http, name)),
    ) as [Person, Person, Person]; // prettier-ignore
  });

  const CHESS = { ruleset: 'chess', timeControl: { type: 'perMove', seconds: 3 * DAY } };
  const challenge = async (from: Person, to: Person | null): Promise<Challenge> =>
    (await api.createChallenge(from, { ...CHESS, opponent: to?.username })).data;
  const page = async (by: Person, more = {}): Promise<Inbox> => (await api.inbox(by, more)).data;
  const items = async (by: Person) => (await page(by)).edges.map(({ node }) => node);
  const kinds = async (by: Person) => (await items(by)).map(({ kind }) => kind);
  /** A game of Ann and Ben with Ann to move; a second later. */
  const game = async (terms = {}): Promise<Game> => {
    const begun = await begin(api, ann, ben, { ...CHESS, ...terms });
    const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6'];
    const played = await playMoves(api, begun, moves, { first: ann, second: ben });
    time.forward(1000);
    return played;
  };
  const stored = async () => ({
    challenges: await server.app.get(PrismaService).db.challenge.findMany({ orderBy: { id: 'asc' } }),
    games: await server.app.get(PrismaService).db.game.findMany({ orderBy: { id: 'asc' } }),
  });

  it('is empty for a new user, and requires a session', async () => {
    const info = { hasNextPage: false, startCursor: null, endCursor: null };
    expect(await page(ann)).toMatchObject({ edges: [], pageInfo: info, totalCount: 0 });
    expect((await api.inbox(null)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
  });

  it('lists what others ask, newest first, each with what identifies it', async () => {
    const old = await begin(api, ben, ann);
    await api.resign(ann, old.id);
    const made = await challenge(cid, ben);
    time.forward(1000);
    const rematch = (await api.offerRematch(ann, old.id)).data;
    const { id } = await game();
    await api.plain(ann, 'offerDraw', id);
    time.forward(1000);
    await api.plain(ann, 'offerPause', id);
    time.forward(1000);
    const { offers, deadlineAt } = (await api.plain(ann, 'offerTakeback', id)).data;

    const from = (person: Person) => expect.objectContaining({ id: person.id, username: person.username });
    const offer = { gameId: id, challengeId: null, from: from(ann), expiresAt: deadlineAt, ply: null };
    expect(await items(ben)).toEqual([
      { ...offer, kind: 'takebackOffer', at: offers.takeback!.at, ply: 2 },
      { ...offer, kind: 'pauseOffer', at: offers.pause!.at },
      { ...offer, kind: 'drawOffer', at: offers.draw!.at },
      {
        kind: 'rematch',
        at: rematch.createdAt,
        gameId: null,
        challengeId: rematch.id,
        from: from(ann),
        expiresAt: rematch.expiresAt,
        ply: null,
      },
      {
        kind: 'challenge',
        at: made.createdAt,
        gameId: null,
        challengeId: made.id,
        from: from(cid),
        expiresAt: made.expiresAt,
        ply: null,
      },
    ]);
    expect((await page(ben)).totalCount).toBe(5);
    for (const by of [ann, cid]) expect(await page(by)).toMatchObject({ edges: [], totalCount: 0 });
  });

  it('keeps the offers of a game without a deadline while the game is running', async () => {
    const { id } = await game({ timeControl: NO_CLOCK });
    await api.plain(ann, 'offerDraw', id);
    expect(await items(ben)).toMatchObject([{ kind: 'drawOffer', gameId: id, expiresAt: null }]);
  });

  it('drops what is answered or taken back', async () => {
    const { id } = await game();
    const answers = [
      ['offerDraw', () => api.plain(ben, 'declineDraw', id)],
      ['offerTakeback', () => api.plain(ben, 'acceptTakeback', id)],
      ['offerPause', () => api.plain(ben, 'declinePause', id)],
    ] as const;
    for (const [act, answer] of answers) {
      expect((await api.plain(ann, act, id)).refusal).toBeUndefined();
      expect(await kinds(ben)).toEqual([`${act.slice(5).toLowerCase()}Offer`]);
      expect((await answer()).refusal).toBeUndefined();
      expect(await kinds(ben)).toEqual([]);
    }
    await api.plain(ann, 'offerPause', id);
    await api.resign(ann, id);
    expect(await kinds(ben)).toEqual([]);

    for (const answer of [
      (made: string) => api.declineChallenge(ben, made),
      (made: string) => api.cancelChallenge(ann, made),
      (made: string) => api.acceptChallenge(ben, made),
    ]) {
      const { id: made } = await challenge(ann, ben);
      expect(await kinds(ben)).toEqual(['challenge']);
      await answer(made);
      expect(await kinds(ben)).toEqual([]);
    }
  });

  it('does not list link challenges', async () => {
    const { linkToken, id } = await challenge(ann, null);
    expect((await api.challenge(ben, id, linkToken!)).refusal).toBeUndefined();
    expect([await kinds(ann), await kinds(ben)]).toEqual([[], []]);
  });

  it('never lists what has expired, nor offers in games whose time is over', async () => {
    const made = await challenge(cid, ben);
    const { id, deadlineAt } = await game();
    await api.plain(ann, 'offerDraw', id);
    time.moment = new Date(Date.parse(deadlineAt!));
    ben = await renewed(server.http, ben);
    expect(await kinds(ben)).toEqual(['drawOffer', 'challenge']);
    time.forward(SHOWN_LATE_MS + 1);
    expect(await kinds(ben)).toEqual(['challenge']);
    expect((await api.game(ben, id)).data).toMatchObject({ status: 'finished', endedAt: deadlineAt });

    time.moment = new Date(Date.parse(made.expiresAt) - 1);
    ben = await renewed(server.http, ben);
    expect(await page(ben)).toMatchObject({ totalCount: 1 });
    time.forward(1);
    expect(await page(ben)).toMatchObject({ edges: [], totalCount: 0 });
    expect((await api.acceptChallenge(ben, made.id)).refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
  });

  describe('in pages', () => {
    /** Nine items, four of them at the same time. */
    async function fill(): Promise<void> {
      for (let i = 0; i < 2; i++) await challenge(cid, ben);
      const { id } = await game();
      for (const act of ['offerDraw', 'offerTakeback', 'offerPause'] as const) await api.plain(ann, act, id);
      await challenge(cid, ben);
      time.forward(1000);
      await challenge(ann, ben);
      const other = await game();
      await api.plain(ann, 'offerDraw', other.id);
      time.forward(1000);
      await challenge(ann, ben);
    }

    it.each([1, 2, 3, 4, 8, 9, 10])('of %d each item comes once, in one order', async (first) => {
      await fill();
      const all = await page(ben);
      expect([all.edges.length, all.totalCount]).toEqual([9, 9]);
      const moments = all.edges.map(({ node }) => Date.parse(node.at));
      expect(moments).toEqual([...moments].sort((a, b) => b - a));
      expect(new Set(moments).size).toBeLessThan(9);

      const walked = [];
      for (let after: string | null = null, more = true; more;) {
        const { edges, pageInfo, totalCount } = await page(ben, { first, ...(after ? { after } : {}) });
        expect(totalCount).toBe(9);
        expect([after !== null, undefined]).toContain(pageInfo.hasPreviousPage);
        expect(edges.length).toBeLessThanOrEqual(first);
        walked.push(...edges);
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
      }
      expect(walked).toEqual(all.edges);
    });

    it('continues after an item that has been removed', async () => {
      await fill();
      const { edges } = await page(ben);
      const at = edges.findIndex(({ node }) => node.kind === 'pauseOffer');
      const { endCursor: after } = (await page(ben, { first: at + 1 })).pageInfo;
      await api.plain(ben, 'declinePause', edges[at]!.node.gameId!);
      const rest = await page(ben, { after });
      expect(rest.edges).toEqual(edges.slice(at + 1));
      expect(rest.totalCount).toBe(8);
    });

    it('refuses invalid page sizes and cursors', async () => {
      await fill();
      const before = await stored();
      for (const first of [0, -1, 101]) {
        expect((await api.inbox(ben, { first })).refusal).toEqual({ code: 'BAD_INPUT', field: 'first' });
      }
      const others = (await page(ben, { first: 1 })).pageInfo.endCursor!;
      for (const after of ['x', '', `${others}A`]) {
        expect((await api.inbox(ben, { after })).refusal).toEqual(INVALID_CURSOR);
      }
      expect((await api.inbox(ann, { after: others })).refusal).toEqual(INVALID_CURSOR);
      expect(await stored()).toEqual(before);
    });
  });

  it('reveals nothing beyond what it lists', async () => {
    const hush = newSeed();
    const { id } = must(await api.createChallenge(cid, { ...CHESS, opponent: ben.username }));
    must(await api.giveClientSeed(cid, id, hush));
    const { text } = await api.inbox(ben);
    expect(text).toContain('challenge');
    expect(text).not.toContain(hush);
  });

  it('in GraphQL each item links to its game or its challenge', async () => {
    const made = await challenge(cid, ben);
    const { id } = await game();
    await api.plain(ann, 'offerDraw', id);
    const fields = `{ edges { node { kind
      game { id status players { player { id } } viewer { seat } }
      challenge { id status creator { id } } } } }`;
    const { data } = await select(server.http, ben, VERBS.inbox.graphql({ first: 5 }), fields);
    expect(data).toEqual({
      edges: [
        {
          node: {
            kind: 'drawOffer',
            game: {
              id,
              status: 'active',
              players: [{ player: { id: ann.id } }, { player: { id: ben.id } }],
              viewer: { seat: 'second' },
            },
            challenge: null,
          },
        },
        {
          node: {
            kind: 'challenge',
            game: null,
            challenge: { id: made.id, status: 'open', creator: { id: cid.id } },
          },
        },
      ],
    });
  });
});
