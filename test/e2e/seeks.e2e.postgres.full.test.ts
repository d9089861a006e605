import { randomUUID } from 'node:crypto';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { SeeksService } from '../../src/features/matchmaking/seeks.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { ownTerms, setRating } from '../support/seeks.js';
import { sample } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Challenge, Game } from '../support/api-types.js';
import { type Body, must } from '../support/transport.js';

/** Seeks: which are paired with each other, and which are not. */
// Both databases: pairing depends on row locks.

const MOST_GAMES = 30;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '3600', MAX_RUNNING_GAMES: String(MOST_GAMES) });
});
afterAll(() => server.close());

const sweep = () => server.app.get(SeeksService, { strict: false }).sweep();

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  let cid: Person;
  beforeAll(() => {
    api = over(server.http);
  });
  // New users each time, so that earlier games, seeks and blocks have no effect.
  beforeEach(async () => {
    [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
  });

  const seek = async (by: Person, terms: Body): Promise<Challenge> => {
    const answer = await api.createSeek(by, terms);
    if (answer.refusal) throw new Error(answer.text);
    return answer.data;
  };
  const now = async (id: string): Promise<Challenge> => (await api.challenge(null, id)).data;
  const gameOf = async ({ gameId }: Challenge): Promise<Game> => (await api.game(null, gameId!)).data;
  const seats = ({ players }: Game) => players.map(({ player }) => player.id);

  it('without a match is open, listed, and visible to everyone', async () => {
    const terms = ownTerms({ rated: true, seat: 'second', minRating: 1300, maxRating: 1700 });
    const made = await seek(ann, terms);
    expect(made).toMatchObject({
      kind: 'seek',
      status: 'open',
      opponent: null,
      linkToken: null,
      rated: true,
      seat: 'second',
      ratingRange: { min: 1300, max: 1700 },
      creatorRating: { rating: 1500, provisional: true },
      gameId: null,
      answeredAt: null,
    });
    expect(made.commitment).toMatch(/^[0-9a-f]{64}$/);
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(14 * 86_400_000);
    for (const by of [ann, ben, null]) expect((await api.challenge(by, made.id)).data).toEqual(made);
    const own = (await api.challenges(ann, { box: 'outgoing' })).data.edges;
    expect(own.map(({ node }) => node)).toEqual([made]);
    expect((await api.challenges(ben, { box: 'incoming' })).data.edges).toEqual([]);
  });

  it('is paired at once with the oldest match, and both become one game under its commitment', async () => {
    const terms = ownTerms({ rated: true });
    const [older, younger] = [await seek(ann, terms), await seek(ben, { ...terms, seat: 'first', maxRating: 1400 })]; // prettier-ignore
    expect([older.status, younger.status]).toEqual(['open', 'open']);
    const seed = newSeed();
    must(await api.giveClientSeed(ann, older.id, seed));
    const third = await seek(cid, { ...terms, seat: 'first' });
    expect(third).toMatchObject({ status: 'accepted', gameId: older.id, opponent: { id: ann.id } });
    expect(await now(older.id)).toMatchObject({
      status: 'accepted',
      gameId: older.id,
      opponent: { id: cid.id },
      answeredAt: third.answeredAt,
    });
    expect((await now(younger.id)).status).toBe('open');
    const game = await gameOf(third);
    expect(game).toMatchObject({
      id: older.id,
      status: 'active',
      rated: true,
      timeControl: older.timeControl,
      fairness: {
        commitment: older.commitment,
        creator: 'second',
        clientSeeds: { first: null, second: seed },
        creatorSeed: 'given',
        accepterSeed: 'leftToServer',
      },
    });
    expect(seats(game)).toEqual([cid.id, ann.id]);
    // A player of the game who now tries to accept it gets the game.
    expect((await api.acceptChallenge(cid, older.id)).data.id).toBe(game.id);
    expect((await api.acceptChallenge(cid, third.id)).refusal).toEqual({ code: 'OWN_CHALLENGE' });
    expect((await api.acceptChallenge(ben, older.id)).refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
    const told = async (by: Person) =>
      (await restApi(server.http).notifications(by)).data.edges.map(({ node }) => [node.type, node.gameId]);
    expect(await told(ann)).toEqual([['gameStarted', game.id]]);
    expect((await told(cid)).sort()).toEqual([
      ['gameStarted', game.id],
      ['yourTurn', game.id],
    ]);
  });

  it.each<[string, Body, Body]>([
    ['another rule set', {}, { ruleset: 'half-court-chess' }],
    [
      'other options',
      { ruleset: 'banqi-hongkong' },
      { ruleset: 'banqi-hongkong', options: { quietLimit: 77 } },
    ],
    ['another time control', {}, { timeControl: { type: 'perMove', seconds: 59_999 } }],
    ['no vacations', {}, { timeControl: { type: 'none', noVacation: true } }],
    ['a rated game', {}, { rated: true }],
    ['the same seat', { seat: 'first' }, { seat: 'first' }],
    ['the same seat, the second', { seat: 'second' }, { seat: 'second' }],
    ['a stronger opponent', { minRating: 1501 }, {}],
    ['a weaker opponent', {}, { maxRating: 1499 }],
  ])('is not paired with one that wants %s', async (_what, one, other) => {
    const terms = ownTerms();
    const made = [await seek(ann, { ...terms, ...one }), await seek(ben, { ...terms, ...other })];
    await sweep();
    for (const { id } of made) expect(await now(id)).toMatchObject({ status: 'open', gameId: null });
    await api.cancelChallenge(ann, made[0]!.id);
    await api.cancelChallenge(ben, made[1]!.id);
  });

  it.each<[string, Body, Body]>([
    [
      'the defaults spelled out',
      { ruleset: 'banqi-hongkong' },
      { ruleset: 'banqi-hongkong', options: { quietLimit: 60 } },
    ],
    ['the other seat', { seat: 'first' }, { seat: 'second' }],
    ['any seat', { seat: 'second' }, {}],
    [
      'a range that includes the other rating',
      { minRating: 1500, maxRating: 1500 },
      { minRating: 0, maxRating: 4000 },
    ],
  ])('is paired with one that wants %s', async (_what, one, other) => {
    const terms = ownTerms();
    const { id } = await seek(ann, { ...terms, ...one });
    const { gameId } = await seek(ben, { ...terms, ...other });
    expect(gameId).toBe(id);
    const [first] = seats((await api.game(null, id)).data);
    if (one['seat'] !== undefined) expect(first).toBe(one['seat'] === 'first' ? ann.id : ben.id);
  });

  it('compares ranges with the rating in the pool as it is shown', async () => {
    const terms = ownTerms();
    const { id } = await seek(ann, { ...terms, minRating: 1600, maxRating: 1700 });
    await setRating(server.app, ben, 1599.4);
    const theirs = { ...terms, seat: 'second' };
    expect(await seek(ben, theirs)).toMatchObject({ status: 'open', creatorRating: { rating: 1599 } });
    await setRating(server.app, cid, 1650, 'half-court-chess');
    expect((await seek(cid, theirs)).status).toBe('open');
    await setRating(server.app, ben, 1599.5);
    await sweep();
    expect((await now(id)).opponent!.id).toBe(ben.id);
    expect((await now(id)).status).toBe('accepted');
  });

  it('is not paired with the same user’s seeks or across a block; the sweep pairs them once it is lifted', async () => {
    const terms = ownTerms();
    const own = [await seek(ann, terms), await seek(ann, terms)];
    const api = restApi(server.http);
    await api.blockUser(ann, ben.username);
    await api.blockUser(cid, ann.username);
    const theirs = await seek(ben, { ...terms, seat: 'first' });
    const others = await seek(cid, { ...terms, seat: 'first' });
    await sweep();
    for (const { id } of [...own, theirs, others]) expect((await now(id)).status).toBe('open');
    await api.unblockUser(ann, ben.username);
    await sweep();
    expect(await now(theirs.id)).toMatchObject({ status: 'accepted', gameId: own[0]!.id });
    expect((await now(own[1]!.id)).status).toBe('open');
    await api.unblockUser(cid, ann.username);
    await sweep();
    expect((await now(others.id)).gameId).toBe(own[1]!.id);
  });

  it.each([
    ['the newer', false, true],
    ['the older', true, false],
    ['both', true, true],
  ])(
    'keeps the older seek as the game although %s has only announced a seed',
    async (_who, first, second) => {
      const terms = ownTerms();
      const [hers, his] = [newSeed(), newSeed()];
      const part = (isIt: boolean, seed: string) => (isIt ? { clientSeedHash: clientSeedHash(seed) } : {});
      const older = await seek(ann, { ...terms, seat: 'first', ...part(first, hers) });
      const younger = await seek(ben, { ...terms, ...part(second, his) });
      expect([younger.gameId, (await now(older.id)).gameId]).toEqual([older.id, older.id]);
      expect(await gameOf(younger)).toMatchObject({
        id: older.id,
        status: 'pending',
        fairness: {
          creator: 'first',
          awaitingSeed: true,
          creatorSeed: first ? 'sealed' : 'leftToServer',
          accepterSeed: second ? 'sealed' : 'leftToServer',
        },
      });
      // Each player gives their own seed, by their seek or by the game.
      if (second) {
        expect((await api.giveClientSeed(ann, older.id, his)).refusal?.code).toBe('INVALID_SEED');
        expect((await api.giveClientSeed(ann, younger.id, his)).refusal?.code).toBe('INVALID_SEED');
        const { challenge, game } = must(await api.giveClientSeed(ben, younger.id, his));
        expect([challenge.id, game!.status]).toEqual([younger.id, first ? 'pending' : 'active']);
      }
      if (first) {
        expect((await api.giveClientSeed(ben, older.id, hers)).refusal?.code).toBe('INVALID_SEED');
        const { challenge, game } = must(await api.giveClientSeed(ann, older.id, hers));
        expect([challenge.id, game!.status]).toEqual([older.id, 'active']);
        // The other player's seek accepts it, too.
        expect(must(await api.giveClientSeed(ann, younger.id, hers)).game).toEqual(game);
      }
      const game = await gameOf(younger);
      expect(game).toMatchObject({
        status: 'active',
        fairness: { clientSeeds: { first: first ? hers : null, second: second ? his : null } },
      });
      expect(seats(game)).toEqual([ann.id, ben.id]);
    },
  );

  describe('taken from the lobby', () => {
    it('goes to one matching user', async () => {
      const made = await seek(ann, ownTerms({ minRating: 1501 }));
      expect((await api.acceptChallenge(null, made.id)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
      expect((await api.acceptChallenge(ann, made.id)).refusal).toEqual({ code: 'OWN_CHALLENGE' });
      const refused = await api.acceptChallenge(ben, made.id);
      expect(refused.refusal).toEqual({ code: 'RATING_OUT_OF_RANGE' });
      expect(refused.message).toMatch(/is 1500; the creator asks for at least 1501/);
      await setRating(server.app, ben, 1501);
      await setRating(server.app, cid, 2000);
      await restApi(server.http).blockUser(ann, cid.username);
      expect((await api.acceptChallenge(cid, made.id)).refusal).toEqual({ code: 'BLOCKED' });
      const game = (await api.acceptChallenge(ben, made.id, { clientSeed: newSeed() })).data;
      expect(game).toMatchObject({ id: made.id, fairness: { commitment: made.commitment } });
      expect((await api.acceptChallenge(ben, made.id)).data).toEqual(game);
    });

    it('can be cancelled only by its creator', async () => {
      const made = await seek(ann, ownTerms());
      expect((await api.cancelChallenge(ben, made.id)).refusal).toEqual({ code: 'FORBIDDEN' });
      expect((await api.declineChallenge(ben, made.id)).refusal).toEqual({ code: 'FORBIDDEN' });
      expect((await api.cancelChallenge(ann, made.id)).data.status).toBe('cancelled');
      expect((await api.acceptChallenge(ben, made.id)).refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
    });
  });

  it('are limited to ten open ones, however they are made', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.createSeek(ann, ownTerms())));
    const refused = answers.filter(({ refusal }) => refusal !== undefined);
    expect(refused.map(({ refusal }) => refusal!.code)).toEqual(['LIMIT_REACHED', 'LIMIT_REACHED']);
    expect(refused[0]!.message).toMatch(/10 open seeks, and the limit is 10\. Cancel one/);
    const made = answers.find(({ data }) => data !== undefined)!.data;
    await api.cancelChallenge(ann, made.id);
    expect((await api.createSeek(ann, ownTerms())).refusal).toBeUndefined();
  });

  it('of a user at the game limit is skipped', async () => {
    const terms = ownTerms();
    const full = await seek(ann, terms);
    const { db } = server.app.get(PrismaService);
    const begun = await seek(ann, ownTerms({ seat: 'first' }));
    await api.acceptChallenge(ben, begun.id);
    const game = await db.game.findUniqueOrThrow({ where: { id: begun.id } });
    const { setup: _s, ...row } = game;
    const copies = Array.from({ length: MOST_GAMES - 1 }, () => ({ ...row, id: randomUUID() }));
    await db.game.createMany({ data: copies as never });
    const waiting = await seek(cid, terms);
    expect(waiting.status).toBe('open');
    await sweep();
    expect([(await now(full.id)).status, (await now(waiting.id)).status]).toEqual(['open', 'open']);
    await api.resign(ann, game.id);
    await sweep();
    expect((await now(waiting.id)).gameId).toBe(full.id);
  });

  describe('with an idempotency key', () => {
    it('makes one seek from the same request, also many times at once', async () => {
      const [key, terms] = [randomUUID(), ownTerms()];
      const answers = await Promise.all(Array.from({ length: 5 }, () => api.createSeek(ann, terms, key)));
      expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1);
      const { gameId } = await seek(ben, terms);
      expect((await api.createSeek(ann, terms, key)).data).toMatchObject({ status: 'accepted', gameId });
      const other = await api.createSeek(ann, { ...terms, rated: true }, key);
      expect(other.refusal).toEqual({ code: 'IDEMPOTENCY_KEY_REUSED', field: 'idempotencyKey' });
    });
  });

  it('stays open for the requested time', async () => {
    for (const expiresIn of [3600, 1_209_600]) {
      const made = await seek(ann, ownTerms({ expiresIn }));
      expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(expiresIn * 1000);
    }
  });

  it.each<[Body, string, string | null]>([
    [{ ruleset: 'draughts' }, 'INVALID_RULESET', 'ruleset'],
    [{ options: { size: 9 } }, 'INVALID_OPTIONS', 'options'],
    [
      { timeControl: { type: 'perMove', seconds: 59 } },
      'INVALID_TIME_CONTROL',
      'timeControl.perMove.seconds',
    ],
    [{ timeControl: null }, 'BAD_INPUT', null],
    [{ seat: 'white' }, 'BAD_INPUT', null],
    [{ rated: 1 }, 'BAD_INPUT', null],
    [{ minRating: -1 }, 'BAD_INPUT', 'minRating'],
    [{ maxRating: 4001 }, 'BAD_INPUT', 'maxRating'],
    [{ minRating: 1500.5 }, 'BAD_INPUT', null],
    [{ minRating: '1500' }, 'BAD_INPUT', null],
    [{ minRating: 1e15 }, 'BAD_INPUT', null],
    [{ minRating: 1600, maxRating: 1500 }, 'BAD_INPUT', 'maxRating'],
    [{ expiresIn: 3599 }, 'BAD_INPUT', 'expiresIn'],
    [{ expiresIn: 1_209_601 }, 'BAD_INPUT', 'expiresIn'],
    [{ expiresIn: -1 }, 'BAD_INPUT', 'expiresIn'],
    [{ expiresIn: 'a day' }, 'BAD_INPUT', null],
    [{ opponent: 'ben' }, 'BAD_INPUT', null],
    [{ clientSeed: '0'.repeat(32) }, 'BAD_INPUT', null],
    [{ clientSeedHash: 'x' }, 'INVALID_SEED', 'clientSeedHash'],
  ])('refuses %j', async (wrong, code, field) => {
    const count = () => server.app.get(PrismaService).db.challenge.count();
    const before = await count();
    const { refusal } = await api.createSeek(ann, { ...ownTerms(), ...wrong });
    expect(refusal!.code).toBe(code);
    if (field !== null) expect(refusal!.field).toBe(field);
    expect(await count()).toBe(before);
  });

  it('requires a session', async () => {
    expect((await api.createSeek(null, ownTerms())).refusal).toEqual({ code: 'UNAUTHENTICATED' });
  });

  describe('the terms of a link', () => {
    it('include a range and a time, like those of a seek', async () => {
      const terms = ownTerms({ maxRating: 1499, expiresIn: 7200 });
      const { data: made } = await api.createChallenge(ann, terms);
      expect(made).toMatchObject({ kind: 'link', ratingRange: { min: null, max: 1499 } });
      expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(7_200_000);
      const { linkToken } = made;
      const { refusal } = await api.acceptChallenge(ben, made.id, { linkToken });
      expect(refusal).toEqual({ code: 'RATING_OUT_OF_RANGE' });
      await setRating(server.app, ben, 1400);
      expect((await api.acceptChallenge(ben, made.id, { linkToken })).data.id).toBe(made.id);
    });

    it('have no range for a challenge to one user', async () => {
      for (const [range, field] of [
        [{ minRating: 1 }, 'minRating'],
        [{ maxRating: 1 }, 'maxRating'],
      ] as const) {
        const answer = await api.createChallenge(ann, { ...ownTerms(range), opponent: ben.username });
        expect(answer.refusal).toEqual({ code: 'BAD_INPUT', field });
      }
    });
  });
});
