import { createHash } from 'node:crypto';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Player } from '../../src/rules/ruleset.js';
import { restDesk } from '../support/desk.js';
import { restInbox } from '../support/inbox.js';
import {
  begin,
  type Body,
  type Person,
  type Play,
  playMoves,
  register,
  TRANSPORTS,
} from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Challenge, Game } from '../support/shown.js';
import { graphqlWaiting, restWaiting, type Waiting } from '../support/waiting.js';

/** Another game on the same terms, between the same two. */

const DAY_MS = 86_400_000;
const NOWHERE = '01890000-0000-7000-8000-000000000000';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await startServer();
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
}, 180_000);
afterAll(() => server.close());

/** A game of Ann, who makes ply 1, and Ben, that Ben wins. */
async function ended(play: Play, terms: Body = {}, accept: Body = {}): Promise<Game> {
  const game = await begin(play, ann, ben, terms, accept);
  return (await play.resign(ann, game.id)).data;
}

async function drawn(play: Play, terms: Body, moves: readonly string[]): Promise<Game> {
  const game = await begin(play, ann, ben, terms);
  await playMoves(play, game, moves, { first: ann, second: ben });
  await play.plain(ann, 'offerDraw', game.id);
  return (await play.plain(ben, 'acceptDraw', game.id)).data;
}

const count = (gameId: string) =>
  server.app.get(PrismaService).db.challenge.count({ where: { rematchOf: gameId } });

describe.each(TRANSPORTS)('over %s', (transport, over) => {
  let play: Play;
  let waiting: Waiting;
  beforeAll(() => {
    play = over(server.http);
    waiting = (transport === 'REST' ? restWaiting : graphqlWaiting)(server.http);
  });

  const offer = async (by: Person, { id }: Game, seed?: Body): Promise<Challenge> => {
    const answer = await waiting.offerRematch(by, id, seed);
    if (answer.refusal) throw new Error(answer.text);
    return answer.data;
  };
  const newsOf = async (by: Person, id: string) =>
    (await restInbox(server.http).page(by, { first: 100 })).data.edges
      .map(({ node }) => node)
      .filter(({ gameId }) => gameId === id);

  it('is a challenge on the same terms, which the other accepts as any', async () => {
    const terms = {
      ruleset: 'banqi-hongkong',
      options: { quietLimit: 77 },
      rated: true,
      timeControl: { type: 'bank', initial: 600, increment: 5, cap: 900, noVacation: true },
    };
    const old = await ended(play, terms);
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
    expect(made.commitment).not.toBe(old.commitment);
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(14 * DAY_MS);
    expect((await play.challenge(ben, made.id)).data).toEqual(made);

    const { options, timeControl, rated } = old;
    const game = (await play.acceptChallenge(ben, made.id, { clientSeed: 'ben' })).data;
    expect(game).toMatchObject({ id: made.id, status: 'active', options, timeControl, rated });
    expect((await waiting.rematch(ben, old.id)).data).toMatchObject({ id: made.id, status: 'accepted' });
    expect((await play.game(null, old.id)).data).toEqual({ ...old, you: null });
  });

  it.each<[string, Player, () => Promise<Game>]>([
    ['in chess the sides are swapped after a win', 'second', () => ended(play)],
    ['and after a draw', 'second', () => drawn(play, {}, ['e2e4', 'e7e5'])],
    [
      'and when the game was called off',
      'second',
      async () => (await play.abort(ben, (await begin(play, ann, ben)).id)).data,
    ],
    [
      'in Banqi the winner starts, if he started already',
      'first',
      async () => {
        const { id } = await begin(play, ann, ben, { ruleset: 'banqi-taiwan' });
        return (await play.resign(ben, id)).data;
      },
    ],
    ['or if he did not', 'second', () => ended(play, { ruleset: 'banqi-taiwan' })],
    ['and after a draw they swap', 'second', () => drawn(play, { ruleset: 'banqi-taiwan' }, ['a1', 'd8'])],
  ])('%s', async (_name, annsSide, play1) => {
    const old = await play1();
    const other = annsSide === 'first' ? 'second' : 'first';
    for (const [by, side] of [
      [ann, annsSide],
      [ben, other],
    ] as const) {
      const made = await offer(by, old);
      expect(made.side).toBe(side);
      await play.cancelChallenge(by, made.id);
    }
    const made = await offer(ann, old);
    const game = (await play.acceptChallenge(ben, made.id)).data;
    expect(game.players[annsSide].id).toBe(ann.id);
    expect(game.players[other].id).toBe(ben.id);
  });

  it('a set-up that was drawn is drawn anew, a chosen one stays', async () => {
    const half = { ruleset: 'half-court-chess', options: { setup: 'random' } };
    const rematchOf = async (old: Game): Promise<Game> => {
      await offer(ann, old);
      return (await play.game(null, (await offer(ben, old)).id)).data;
    };
    const setups = new Set<string | null>();
    for (let i = 0, old = await ended(play, half); i < 4; i++) {
      const game = await rematchOf(old);
      expect(game.options).toEqual(old.options);
      setups.add(game.setup);
      old = (await play.resign(ann, game.id)).data;
    }
    expect(setups.size).toBeGreaterThan(1);
    const chosen = await ended(play, { ...half, options: { setup: [...setups][0] } });
    expect((await rematchOf(chosen)).setup).toBe(chosen.setup);
  });

  it('offered again it is the same, and offered by both it is the game', async () => {
    const old = await ended(play);
    expect((await waiting.rematch(ann, old.id)).data ?? null).toBeNull();
    const made = await offer(ann, old);
    expect(await offer(ann, old, { clientSeed: 'another' })).toEqual(made);
    for (const by of [ann, ben]) expect((await waiting.rematch(by, old.id)).data).toEqual(made);

    const accepted = await offer(ben, old, { clientSeed: 'from ben' });
    const answered = { status: 'accepted', gameId: made.id, answeredAt: expect.any(String) };
    expect(accepted).toEqual({ ...made, ...answered });
    const game = (await play.game(ben, made.id)).data;
    expect(game.clientSeeds).toEqual({ first: 'from ben', second: '' });
    for (const by of [ann, ben]) expect(await offer(by, old)).toEqual(accepted);
    expect((await play.acceptChallenge(ben, made.id)).data).toEqual(game);
    expect(await count(old.id)).toBe(1);
  });

  it('takes a client seed, or its hash in advance', async () => {
    const [one, two] = [await ended(play), await ended(play)];
    await offer(ann, one, { clientSeed: 'of ann' });
    expect((await play.game(ann, (await offer(ben, one)).id)).data.clientSeeds).toEqual({
      first: '',
      second: 'of ann',
    });
    const made = await offer(ann, two, { clientSeedHash: sha256('later') });
    expect(made.clientSeedHash).toBe(sha256('later'));
    await offer(ben, two);
    expect((await play.game(ann, made.id)).data.status).toBe('pending');
    expect((await play.revealClientSeed(ann, made.id, 'later')).data).toMatchObject({
      status: 'active',
      clientSeeds: { first: '', second: 'later' },
    });
  });

  it.each<[Body, string]>([
    [{ clientSeed: 'x'.repeat(65) }, 'clientSeed'],
    [{ clientSeed: 'é' }, 'clientSeed'],
    [{ clientSeedHash: 'x' }, 'clientSeedHash'],
    [{ clientSeedHash: sha256(''), clientSeed: '' }, 'clientSeedHash'],
  ])('refuses the seed %j', async (seed, field) => {
    const old = await ended(play);
    expect((await waiting.offerRematch(ann, old.id, seed)).refusal).toEqual({ code: 'INVALID_SEED', field });
    expect(await count(old.id)).toBe(0);
  });

  it('a hash is no part in a game that begins at once', async () => {
    const old = await ended(play);
    const made = await offer(ann, old);
    const answer = await waiting.offerRematch(ben, old.id, { clientSeedHash: sha256('') });
    expect(answer.refusal).toEqual({ code: 'INVALID_SEED', field: 'clientSeedHash' });
    expect(answer.message).toMatch(/to accept it, give the client seed itself/);
    expect((await play.challenge(ben, made.id)).data).toEqual(made);
  });

  it('is offered by the two players alone, after the end', async () => {
    const running = await begin(play, ann, ben);
    const awaited = await begin(play, ann, ben, { clientSeedHash: sha256('') });
    for (const game of [running, awaited]) {
      const answer = await waiting.offerRematch(ann, game.id);
      expect(answer.refusal).toEqual({ code: 'GAME_RUNNING' });
      expect(answer.message).toMatch(/offered after its end/);
      expect((await waiting.rematch(ann, game.id)).data ?? null).toBeNull();
    }
    const old = await ended(play);
    expect((await waiting.offerRematch(cid, old.id)).refusal).toEqual({ code: 'NOT_YOUR_GAME' });
    expect((await waiting.offerRematch(null, old.id)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await waiting.offerRematch(ann, NOWHERE)).refusal!.code).toBe('NOT_FOUND');
    expect((await waiting.offerRematch(ann, 'x')).refusal!.code).toBe('BAD_INPUT');
    for (const { id } of [running, awaited, old]) expect(await count(id)).toBe(0);
  });

  it('is seen by the two players alone', async () => {
    const old = await ended(play);
    const made = await offer(ann, old);
    for (const by of [cid, null]) {
      expect((await play.challenge(by, made.id)).refusal).toEqual({ code: 'NOT_FOUND', field: 'id' });
      expect((await waiting.rematch(by, old.id)).data ?? null).toBeNull();
    }
    expect((await waiting.rematch(cid, old.id)).text).not.toContain(made.id);
  });

  it('whose offer was declined offers no more, but accepts one', async () => {
    const old = await ended(play);
    const made = await offer(ann, old);
    expect((await play.declineChallenge(ben, made.id)).data.status).toBe('declined');
    const refused = await waiting.offerRematch(ann, old.id);
    expect(refused.refusal).toEqual({ code: 'REMATCH_DECLINED' });
    expect(refused.message).toMatch(/up to them to offer one/);
    expect(await count(old.id)).toBe(1);
    expect((await waiting.rematch(ann, old.id)).data ?? null).toBeNull();

    const second = await offer(ben, old);
    expect(second).toMatchObject({ status: 'open', side: 'first' });
    expect(await offer(ann, old)).toMatchObject({ id: second.id, status: 'accepted' });
  });

  it('when both were declined nobody offers one any more', async () => {
    const old = await ended(play);
    for (const [by, other] of [
      [ann, ben],
      [ben, ann],
    ] as const) {
      await play.declineChallenge(other, (await offer(by, old)).id);
    }
    for (const by of [ann, ben]) {
      expect((await waiting.offerRematch(by, old.id)).refusal).toEqual({ code: 'REMATCH_DECLINED' });
    }
    expect(await count(old.id)).toBe(2);
  });

  it('one that was taken back is offered anew', async () => {
    const old = await ended(play);
    const made = await offer(ann, old);
    await play.cancelChallenge(ann, made.id);
    expect((await waiting.rematch(ann, old.id)).data ?? null).toBeNull();
    const again = await offer(ann, old);
    expect([again.id === made.id, again.status]).toEqual([false, 'open']);
  });

  it('a block keeps them from it', async () => {
    const desk = restDesk(server.http);
    const [old, offered] = [await ended(play), await ended(play)];
    const made = await offer(ann, offered);
    await desk.blockUser(ben, ann.username);
    try {
      for (const by of [ann, ben]) {
        expect((await waiting.offerRematch(by, old.id)).refusal).toEqual({ code: 'BLOCKED' });
      }
      expect((await waiting.offerRematch(ben, offered.id)).refusal).toEqual({ code: 'BLOCKED' });
      expect(await count(old.id)).toBe(0);
      expect((await play.challenge(ann, made.id)).data.status).toBe('open');
    } finally {
      await desk.unblockUser(ben, ann.username);
    }
    expect((await offer(ben, offered)).status).toBe('accepted');
  });

  it('is news for the other, and read with the answer', async () => {
    for (const [answer, told] of [
      [(id: string) => play.declineChallenge(ben, id), ['challengeAnswered']],
      [(id: string) => play.cancelChallenge(ann, id), []],
      [(id: string) => play.acceptChallenge(ben, id), ['gameStarted', 'yourTurn']],
    ] as const) {
      const old = await begin(play, ben, ann);
      await play.resign(ben, old.id);
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
      const { answeredAt } = (await play.challenge(ann, made.id)).data;
      expect(await newsOf(ben, made.id)).toMatchObject([{ type: 'rematch', readAt: answeredAt }]);
      expect((await newsOf(ann, made.id)).map(({ type }) => type).sort()).toEqual(told);
    }
  });
});
