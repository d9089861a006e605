import { clientSeedHash } from '../../src/fairness/commitment.js';
import { sides } from '../../src/fairness/deal.js';
import { verify } from '../../src/fairness/verify.js';
import { SHOWN_LATE_MS } from '../../src/features/games/as-of-now.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Challenge, Game } from '../support/shown.js';
import { type Body, must } from '../support/transport.js';
import { stopTime, type StoppedTime } from '../support/stopped-time.js';

/** Sides, client seeds and the wait for an announced one; and what an expired challenge is worth. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

const record = (id: string) => restApi(server.http).record(null, id);

async function findings(id: string): Promise<Readonly<Record<string, boolean | null>>> {
  return Object.fromEntries(verify(must(await record(id))).map(({ check, ok }) => [check, ok]));
}

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const BANQI = { ruleset: 'banqi-hongkong' };

  it.each([
    ['first', 'first'],
    ['second', 'second'],
  ] as const)('a creator who wishes to be %s is %s', async (side, creator) => {
    const game = await begin(api, ann, ben, { side });
    expect(game.creator).toBe(creator);
    expect(game.players[creator].id).toBe(ann.id);
    expect(game.you).toBe(creator === 'first' ? 'second' : 'first');
  });

  /** Two who have not played yet: no game of theirs decides who sits where. */
  const newcomers = async (): Promise<[Person, Person]> => [
    await register(server.http, 'new'),
    await register(server.http, 'new'),
  ];

  it('without a wish the seeds decide, and everybody can check it', async () => {
    const [dan, eva] = await newcomers();
    const seen = new Set<string>();
    // That all of so many draws fall to one side is as good as never.
    for (let i = 0; i < 40 && seen.size < 2; i += 1) {
      const game = await begin(
        api,
        dan,
        eva,
        { ...BANQI, side: 'any', clientSeed: 'ann' },
        { clientSeed: 'ben' },
      );
      seen.add(game.creator);
      // A game that is called off decides nothing about the next one.
      const { serverSeed } = (await api.abort(dan, game.id)).data;
      const drawn = sides(game.id, Buffer.from(serverSeed!, 'hex'), 'ann', 'ben');
      expect(game.players.first.id).toBe(drawn === 'creator' ? dan.id : eva.id);
      expect(await findings(game.id)).toMatchObject({
        sides: true,
        commitment: true,
        clientSeeds: true,
        dealRoot: true,
      });
    }
    expect(seen.size).toBe(2);
  });

  it('both client seeds go into the game, in the order of the seats', async () => {
    const seeds = { clientSeed: 'a'.repeat(64) };
    const game = await begin(api, ann, ben, { ...BANQI, ...seeds, side: 'second' }, { clientSeed: ' ~' });
    expect(game.clientSeeds).toEqual({ first: ' ~', second: seeds.clientSeed });
    expect(game).toMatchObject({ clientSeedHash: null, awaitingSeed: false, dealRoot: expect.any(String) });
    const empty = await begin(api, ann, ben, BANQI);
    expect(empty.clientSeeds).toEqual({ first: '', second: '' });
  });

  it.each(['x'.repeat(65), 'ü', 'tab\t'])(
    'whoever accepts with the seed %j is refused',
    async (clientSeed) => {
      const { id } = (
        await api.createChallenge(ann, { ...BANQI, timeControl: NO_CLOCK, opponent: ben.username })
      ).data;
      expect((await api.acceptChallenge(ben, id, { clientSeed })).refusal).toEqual({
        code: 'INVALID_SEED',
        field: 'clientSeed',
      });
      expect((await api.challenge(ben, id)).data.status).toBe('open');
    },
  );

  describe('an announced seed', () => {
    const announced = (terms: Body = {}, [dan, eva] = [ann, ben]): Promise<Game> =>
      begin(
        api,
        dan,
        eva,
        { ...BANQI, side: 'any', clientSeedHash: clientSeedHash('later'), ...terms },
        { clientSeed: 'ben' },
      );

    it('is awaited, and starts the game when it comes', async () => {
      const [dan, eva] = await newcomers();
      const waiting = await announced({}, [dan, eva]);
      expect(waiting).toMatchObject({
        status: 'pending',
        awaitingSeed: true,
        turn: null,
        dealRoot: null,
        termsHash: null,
      });
      expect(waiting.clientSeedHash).toBe(clientSeedHash('later'));
      expect(Object.values(waiting.clientSeeds).sort()).toEqual(['ben', null]);
      expect((await api.legalMoves(dan, waiting.id)).data).toEqual([]);
      const noRecord = await record(waiting.id);
      expect([noRecord.status, noRecord.refusal?.code]).toEqual([409, 'GAME_PENDING']);

      const game = (await api.revealClientSeed(dan, waiting.id, 'later')).data;
      expect(game).toMatchObject({ status: 'active', awaitingSeed: false, turn: 'first', version: 2 });
      expect(game.clientSeeds[game.creator]).toBe('later');
      expect(game.players[game.creator].id).toBe(dan.id);
      expect((await api.revealClientSeed(dan, waiting.id, 'later')).data).toEqual(game);
      const events = (await api.events(null, game.id)).data;
      expect(events.map(({ type }) => type)).toEqual(['accept', 'start']);

      const [first, second] = game.creator === 'first' ? [dan, eva] : [eva, dan];
      await playMoves(api, game, ['a1', 'b1', 'c1'], { first, second });
      await api.resign(eva, game.id);
      expect(await findings(game.id)).toMatchObject({
        clientSeeds: true,
        sides: true,
        deal: true,
        dealRoot: true,
        chain: true,
        plies: true,
      });
    });

    it('is not taken from others, nor another one', async () => {
      const waiting = await announced();
      const { id } = waiting;
      for (const wrong of ['Later', '', 'later ']) {
        expect((await api.revealClientSeed(ann, id, wrong)).refusal).toEqual({
          code: 'INVALID_SEED',
          field: 'clientSeed',
        });
      }
      expect((await api.revealClientSeed(ann, id, 'x'.repeat(65))).refusal!.code).toBe('INVALID_SEED');
      expect((await api.revealClientSeed(ben, id, 'later')).refusal).toEqual({ code: 'FORBIDDEN' });
      expect((await api.revealClientSeed(cid, id, 'later')).refusal!.code).toBe('NOT_FOUND');
      expect((await api.revealClientSeed(null, id, 'later')).refusal!.code).toBe('UNAUTHENTICATED');
      expect((await api.game(ben, id)).data).toEqual(waiting);
    });

    it('cannot come before the challenge is accepted, nor where none was announced', async () => {
      const terms = { ...BANQI, timeControl: NO_CLOCK, opponent: ben.username };
      const open = (await api.createChallenge(ann, { ...terms, clientSeedHash: clientSeedHash('later') }))
        .data;
      expect(open.clientSeedHash).toBe(clientSeedHash('later'));
      expect((await api.revealClientSeed(ann, open.id, 'later')).refusal!.code).toBe('NOT_FOUND');
      const plain = await begin(api, ann, ben, { ...BANQI, clientSeed: 'now' });
      expect((await api.revealClientSeed(ann, plain.id, 'now')).refusal!.code).toBe('INVALID_SEED');
    });

    it('that does not come within the time of a move aborts the game, as of that deadline', async () => {
      const waiting = await announced({ timeControl: { type: 'perMove', seconds: 120 } });
      expect(Date.parse(waiting.deadlineAt!) - time.now().getTime()).toBe(120_000);
      time.forward(120_000);
      expect((await api.game(null, waiting.id)).data.status).toBe('pending');
      time.forward(1 + SHOWN_LATE_MS);
      const ended = (await api.game(null, waiting.id)).data;
      expect(ended).toMatchObject({
        status: 'aborted',
        outcome: { winner: null, reason: 'aborted' },
        endedAt: waiting.deadlineAt,
      });
      expect((await api.revealClientSeed(ann, waiting.id, 'later')).refusal).toEqual({ code: 'GAME_OVER' });
      expect((await api.game(null, waiting.id)).data).toEqual(ended);
      const events = (await api.events(null, waiting.id)).data;
      expect(events.map(({ type }) => type)).toEqual(['accept', 'flag', 'end']);
    });

    it('starts the clock when it comes', async () => {
      const waiting = await announced({ timeControl: { type: 'perMove', seconds: 120 } });
      time.forward(100_000);
      const game = (await api.revealClientSeed(ann, waiting.id, 'later')).data;
      expect(Date.parse(game.deadlineAt!) - time.now().getTime()).toBe(120_000);
    });
  });

  it('a challenge expires after 14 days, whether anybody has looked or not', async () => {
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
    const made = [];
    for (const opponent of [ben.username, undefined]) {
      made.push((await api.createChallenge(ann, { ...terms, opponent })).data);
    }
    const [direct, link] = made as [Challenge, Challenge];
    time.moment = new Date(Date.parse(direct.expiresAt) - 1);
    [ann, ben, cid] = await Promise.all([ann, ben, cid].map((person) => renewed(server.http, person))) as [Person, Person, Person]; // prettier-ignore
    expect((await api.challenge(ben, direct.id)).data.status).toBe('open');

    time.moment = new Date(link.expiresAt);
    for (const { id, linkToken } of made) {
      expect((await api.challenge(ann, id)).data).toMatchObject({ status: 'expired', answeredAt: null });
      const accepted = await api.acceptChallenge(ben, id, linkToken === null ? {} : { linkToken });
      expect(accepted.refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
      expect(accepted.message).toMatch(/expired/);
      expect((await api.cancelChallenge(ann, id)).refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
    }
    expect((await api.declineChallenge(ben, direct.id)).refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
    const open = (await api.challenges(ann, { box: 'outgoing', first: 100 })).data.edges;
    expect(open.map(({ node }) => node.id)).not.toEqual(expect.arrayContaining([direct.id]));
  });
});
