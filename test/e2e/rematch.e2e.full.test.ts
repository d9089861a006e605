import { clientSeedHash } from '../../src/fairness/commitment.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Player } from '../../src/rules/ruleset.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type Challenge, type Game, playerAt } from '../support/api-types.js';
import { type Body, isMissing, must } from '../support/transport.js';

/** Another game on the same terms, between the same players. */

const DAY_MS = 86_400_000;
const NOWHERE = '01890000-0000-7000-8000-000000000000';

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

/** A game of Ann, who makes ply 1, and Ben, which Ben wins. */
async function ended(api: Api, terms: Body = {}, accept: Body = {}): Promise<Game> {
  const game = await begin(api, ann, ben, terms, accept);
  return (await api.resign(ann, game.id)).data;
}

async function drawn(api: Api, terms: Body, moves: readonly string[]): Promise<Game> {
  const game = await begin(api, ann, ben, terms);
  await playMoves(api, game, moves, { first: ann, second: ben });
  await api.plain(ann, 'offerDraw', game.id);
  return (await api.plain(ben, 'acceptDraw', game.id)).data;
}

const count = (gameId: string) =>
  server.app.get(PrismaService).db.challenge.count({ where: { rematchOf: gameId } });

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (transport, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const offer = async (by: Person, { id }: Game, seed?: Body): Promise<Challenge> => {
    const answer = await api.offerRematch(by, id, seed);
    if (answer.refusal) throw new Error(answer.text);
    return answer.data;
  };
  const newsOf = async (by: Person, id: string) =>
    (await restApi(server.http).notifications(by, { first: 100 })).data.edges
      .map(({ node }) => node)
      .filter(({ gameId }) => gameId === id);

  it('is a challenge on the same terms, which the opponent accepts like any other', async () => {
    const terms = {
      ruleset: 'banqi-hongkong',
      options: { quietLimit: 77 },
      rated: true,
      timeControl: { type: 'bank', initial: 600, increment: 5, cap: 900, noVacation: true },
    };
    const old = await ended(api, terms);
    const made = await offer(ann, old);
    expect(made).toMatchObject({
      status: 'open',
      ruleset: old.ruleset,
      options: old.options,
      timeControl: old.timeControl,
      rated: true,
      rematchOf: old.id,
      linkToken: null,
      clientSeedHash: null,
    });
    expect([made.creator.id, made.opponent!.id]).toEqual([ann.id, ben.id]);
    expect(made.commitment).not.toBe(old.fairness.commitment);
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(14 * DAY_MS);
    expect((await api.challenge(ben, made.id)).data).toEqual(made);

    const { options, timeControl, rated } = old;
    const game = (await api.acceptChallenge(ben, made.id, { clientSeed: newSeed() })).data;
    expect(game).toMatchObject({ id: made.id, status: 'active', options, timeControl, rated });
    expect((await api.rematch(ben, old.id)).data).toMatchObject({ id: made.id, status: 'accepted' });
    expect((await api.game(null, old.id)).data).toEqual({ ...old, viewer: null });
  });

  it.each<[string, Player, () => Promise<Game>]>([
    ['in chess the sides are swapped after a win', 'second', () => ended(api)],
    ['in chess they are swapped after a draw', 'second', () => drawn(api, {}, ['e2e4', 'e7e5'])],
    [
      'in chess they are swapped after an abort',
      'second',
      async () => (await api.abort(ben, (await begin(api, ann, ben)).id)).data,
    ],
    [
      'in Banqi a winner who moved first starts',
      'first',
      async () => {
        const { id } = await begin(api, ann, ben, { ruleset: 'banqi-taiwan' });
        return (await api.resign(ben, id)).data;
      },
    ],
    ['in Banqi a winner who moved second starts', 'second', () => ended(api, { ruleset: 'banqi-taiwan' })],
    ['in Banqi a draw swaps sides', 'second', () => drawn(api, { ruleset: 'banqi-taiwan' }, ['a1', 'd8'])],
  ])('%s', async (_name, annsSide, play1) => {
    const old = await play1();
    const other = annsSide === 'first' ? 'second' : 'first';
    for (const [by, seat] of [
      [ann, annsSide],
      [ben, other],
    ] as const) {
      const made = await offer(by, old);
      expect(made.seat).toBe(seat);
      await api.cancelChallenge(by, made.id);
    }
    const made = await offer(ann, old);
    const game = (await api.acceptChallenge(ben, made.id)).data;
    expect(playerAt(game, annsSide).id).toBe(ann.id);
    expect(playerAt(game, other).id).toBe(ben.id);
  });

  it('draws a drawn set-up again, and keeps a chosen one', async () => {
    const half = { ruleset: 'half-court-chess', options: { setup: 'random' } };
    const rematchOf = async (old: Game): Promise<Game> => {
      await offer(ann, old);
      return (await api.game(null, (await offer(ben, old)).id)).data;
    };
    const setups = new Set<string | null>();
    for (let i = 0, old = await ended(api, half); i < 4; i++) {
      const game = await rematchOf(old);
      expect(game.options).toEqual(old.options);
      setups.add(game.setup);
      old = (await api.resign(ann, game.id)).data;
    }
    expect(setups.size).toBeGreaterThan(1);
    const chosen = await ended(api, { ...half, options: { setup: [...setups][0] } });
    expect((await rematchOf(chosen)).setup).toBe(chosen.setup);
  });

  it('is the same when offered again, and becomes a game when both offer it', async () => {
    const old = await ended(api);
    expect((await api.rematch(ann, old.id)).data ?? null).toBeNull();
    const made = await offer(ann, old);
    expect(await offer(ann, old)).toEqual(made);
    for (const by of [ann, ben]) expect((await api.rematch(by, old.id)).data).toEqual(made);

    const accepted = await offer(ben, old);
    const answered = { status: 'accepted', gameId: made.id, answeredAt: expect.any(String), receipt: null };
    expect(accepted).toEqual({ ...made, ...answered });
    const game = (await api.game(ben, made.id)).data;
    expect(game.fairness.clientSeeds).toEqual({ first: null, second: null });
    expect(game).toMatchObject({ fairness: { creatorSeed: 'leftToServer', accepterSeed: 'leftToServer' } });
    for (const by of [ann, ben]) expect(await offer(by, old)).toEqual(accepted);
    expect((await api.acceptChallenge(ben, made.id)).data).toEqual(game);
    expect(await count(old.id)).toBe(1);
  });

  it('refuses another hash when offered or accepted again, and returns the existing one', async () => {
    const [old, seedless] = [await ended(api), await ended(api)];
    const [hers, his, other] = [newSeed(), newSeed(), newSeed()].map(clientSeedHash);
    const wrong = { code: 'INVALID_SEED', field: 'clientSeedHash' };
    const again = (by: Person, game: Game) => api.offerRematch(by, game.id, { clientSeedHash: other });
    for (const [by, hash] of [
      [ann, hers],
      [ben, his],
    ] as const) {
      // prettier-ignore
      const made = await offer(by, old, { clientSeedHash: hash });
      for (const same of [{ clientSeedHash: hash }, {}]) expect(await offer(by, old, same)).toEqual(made);
      const { refusal, message } = await again(by, old);
      expect(refusal).toEqual(wrong);
      expect(message).toContain(hash);
    }
    await offer(ann, seedless);
    expect((await again(ann, seedless)).message).toMatch(/giveClientSeed/);
    await offer(ben, seedless);
    for (const by of [ann, ben]) expect((await again(by, seedless)).refusal).toEqual(wrong);
  });

  it('takes a client seed, or its hash in advance, with the offer and with the acceptance', async () => {
    const [one, two] = [await ended(api), await ended(api)];
    const [hers, his, later] = [newSeed(), newSeed(), newSeed()];
    const { id } = await offer(ann, one);
    must(await api.giveClientSeed(ann, id, hers));
    await offer(ben, one, { clientSeedHash: clientSeedHash(his) });
    expect((await api.game(ann, id)).data).toMatchObject({
      status: 'pending',
      fairness: { creatorSeed: 'given', accepterSeed: 'sealed', clientSeeds: { first: null, second: hers } },
    });
    expect(must(await api.giveClientSeed(ben, id, his)).game).toMatchObject({
      status: 'active',
      fairness: { clientSeeds: { first: his, second: hers } },
    });

    const made = await offer(ann, two, { clientSeedHash: clientSeedHash(later) });
    expect(made.clientSeedHash).toBe(clientSeedHash(later));
    await offer(ben, two);
    expect((await api.game(ann, made.id)).data).toMatchObject({
      status: 'pending',
      fairness: { creatorSeed: 'sealed', accepterSeed: 'leftToServer' },
    });
    expect(must(await api.giveClientSeed(ann, made.id, later)).game).toMatchObject({
      status: 'active',
      fairness: { clientSeeds: { first: null, second: later } },
    });
  });

  it.each(['x', 'A'.repeat(64)])('refuses the hash %s', async (hash) => {
    const old = await ended(api);
    const { refusal } = await api.offerRematch(ann, old.id, { clientSeedHash: hash });
    expect(refusal).toMatchObject({ code: 'INVALID_SEED', field: 'clientSeedHash' });
    expect(await count(old.id)).toBe(0);
  });

  it('refuses a hash that was announced before, and keeps the offer open', async () => {
    const [old, other] = [await ended(api), await ended(api)];
    const clientHash = { clientSeedHash: clientSeedHash(newSeed()) };
    await offer(ben, other, clientHash);
    const made = await offer(ann, old);
    const answer = await api.offerRematch(ben, old.id, clientHash);
    expect(answer.refusal).toEqual({ code: 'INVALID_SEED', field: 'clientSeedHash' });
    expect((await api.challenge(ben, made.id)).data).toEqual(made);
  });

  it('can be offered only by the two players, after the end', async () => {
    const running = await begin(api, ann, ben);
    const awaited = await begin(api, ann, ben, { clientSeedHash: clientSeedHash(newSeed()) });
    for (const game of [running, awaited]) {
      const answer = await api.offerRematch(ann, game.id);
      expect(answer.refusal).toEqual({ code: 'GAME_RUNNING' });
      expect(answer.message).toMatch(/Offer a rematch when it is over/);
      expect((await api.rematch(ann, game.id)).data ?? null).toBeNull();
    }
    const old = await ended(api);
    expect((await api.offerRematch(cid, old.id)).refusal).toEqual({ code: 'NOT_YOUR_GAME' });
    expect((await api.offerRematch(null, old.id)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await api.offerRematch(ann, NOWHERE)).refusal!.code).toBe('NOT_FOUND');
    expect((await api.offerRematch(ann, 'x')).refusal!.code).toBe(
      transport === 'REST' ? 'NOT_FOUND' : 'BAD_INPUT',
    );
    for (const { id } of [running, awaited, old]) expect(await count(id)).toBe(0);
  });

  it('is visible only to the two players', async () => {
    const old = await ended(api);
    const made = await offer(ann, old);
    for (const by of [cid, null]) {
      expect(isMissing(await api.challenge(by, made.id))).toBe(true);
      expect((await api.rematch(by, old.id)).data ?? null).toBeNull();
    }
    expect((await api.rematch(cid, old.id)).text).not.toContain(made.id);
  });

  it('refuses further offers by a declined player, who may still accept one', async () => {
    const old = await ended(api);
    const made = await offer(ann, old);
    expect((await api.declineChallenge(ben, made.id)).data.status).toBe('declined');
    const refused = await api.offerRematch(ann, old.id);
    expect(refused.refusal).toEqual({ code: 'REMATCH_DECLINED' });
    expect(refused.message).toMatch(/Wait for their offer/);
    expect(await count(old.id)).toBe(1);
    expect((await api.rematch(ann, old.id)).data ?? null).toBeNull();

    const second = await offer(ben, old);
    expect(second).toMatchObject({ status: 'open', seat: 'first' });
    expect(await offer(ann, old)).toMatchObject({ id: second.id, status: 'accepted' });
  });

  it('refuses all offers once both were declined', async () => {
    const old = await ended(api);
    for (const [by, other] of [
      [ann, ben],
      [ben, ann],
    ] as const) {
      await api.declineChallenge(other, (await offer(by, old)).id);
    }
    for (const by of [ann, ben]) {
      expect((await api.offerRematch(by, old.id)).refusal).toEqual({ code: 'REMATCH_DECLINED' });
    }
    expect(await count(old.id)).toBe(2);
  });

  it('can be offered again after it was taken back', async () => {
    const old = await ended(api);
    const made = await offer(ann, old);
    await api.cancelChallenge(ann, made.id);
    expect((await api.rematch(ann, old.id)).data ?? null).toBeNull();
    const again = await offer(ann, old);
    expect([again.id === made.id, again.status]).toEqual([false, 'open']);
  });

  it('is prevented by a block', async () => {
    const api = restApi(server.http);
    const [old, offered] = [await ended(api), await ended(api)];
    const made = await offer(ann, offered);
    await api.blockUser(ben, ann.username);
    try {
      for (const by of [ann, ben]) {
        expect((await api.offerRematch(by, old.id)).refusal).toEqual({ code: 'BLOCKED' });
      }
      expect((await api.offerRematch(ben, offered.id)).refusal).toEqual({ code: 'BLOCKED' });
      expect(await count(old.id)).toBe(0);
      expect((await api.challenge(ann, made.id)).data.status).toBe('open');
    } finally {
      await api.unblockUser(ben, ann.username);
    }
    expect((await offer(ben, offered)).status).toBe('accepted');
  });

  it('notifies the opponent, and is read with the answer', async () => {
    for (const [answer, told] of [
      [(id: string) => api.declineChallenge(ben, id), ['challengeAnswered']],
      [(id: string) => api.cancelChallenge(ann, id), []],
      [(id: string) => api.acceptChallenge(ben, id), ['gameStarted', 'yourTurn']],
    ] as const) {
      const old = await begin(api, ben, ann);
      await api.resign(ben, old.id);
      const made = await offer(ann, old);
      expect(await newsOf(ben, made.id)).toMatchObject([
        {
          type: 'rematch',
          data: { challengeId: made.id, ruleset: 'chess', from: ann.username, rematchOf: old.id },
          createdAt: made.createdAt,
          readAt: null,
        },
      ]);
      await offer(ann, old);
      expect((await newsOf(ben, made.id)).length).toBe(1);
      await answer(made.id);
      const { answeredAt, status } = (await api.challenge(ann, made.id)).data;
      // An offer that was taken back has no notification.
      const left = status === 'cancelled' ? [] : [{ type: 'rematch', readAt: answeredAt }];
      expect(await newsOf(ben, made.id)).toMatchObject(left);
      expect((await newsOf(ann, made.id)).map(({ type }) => type).sort()).toEqual(told);
    }
  });
});
