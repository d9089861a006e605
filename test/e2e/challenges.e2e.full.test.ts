import { randomUUID } from 'node:crypto';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { closeChallenges } from '../support/seeks.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/api-types.js';
import { type Body, type By, isMissing } from '../support/transport.js';

/** Challenges, from the invitation to the game or the end without one. */

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterEach(() => closeChallenges(server.app));
afterAll(() => server.close());

const NOT_FOUND = { code: 'NOT_FOUND', field: 'id' };
const CLOSED = { code: 'CHALLENGE_CLOSED' };
const UNAUTHENTICATED = { code: 'UNAUTHENTICATED' };
const DAYS = 86_400_000;

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
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

  it('shows a direct challenge to both users, and to no one else', async () => {
    const made = await toBen({ opponent: ben.username.toUpperCase(), seat: 'second' });
    expect(made).toMatchObject({ status: 'open', linkToken: null, seat: 'second', answeredAt: null });
    expect([made.creator.id, made.opponent!.id]).toEqual([ann.id, ben.id]);
    expect(made.commitment).toMatch(/^[0-9a-f]{64}$/);
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(14 * DAYS);
    for (const by of [ann, ben]) expect((await api.challenge(by, made.id)).data).toEqual(made);
    for (const by of [cid, null]) expect(isMissing(await api.challenge(by, made.id))).toBe(true);
    const inBox = async (by: Person, box: string) =>
      (await api.challenges(by, { box })).data.edges.some(({ node }) => node.id === made.id);
    expect([await inBox(ann, 'outgoing'), await inBox(ann, 'incoming')]).toEqual([true, false]);
    expect([await inBox(ben, 'incoming'), await inBox(cid, 'incoming')]).toEqual([true, false]);

    const game = (await api.acceptChallenge(ben, made.id)).data;
    expect(game).toMatchObject({
      id: made.id,
      fairness: { commitment: made.commitment, creator: 'second' },
      viewer: { seat: 'first' },
      status: 'active',
    });
    expect((await api.challenge(ann, made.id)).data).toMatchObject({
      status: 'accepted',
      answeredAt: expect.any(String),
    });
    expect(await inBox(ben, 'incoming')).toBe(false);
  });

  it('opens a link challenge to everyone who has the link, and one user accepts it', async () => {
    const made = await byLink();
    const token = made.linkToken!;
    expect(made.url).toBe(`http://localhost:${new URL(server.url).port}/challenges/${made.id}#${token}`);
    expect(made.opponent).toBeNull();
    expect((await api.challenge(ann, made.id)).data).toEqual(made);
    for (const by of [null, ben]) {
      expect((await api.challenge(by, made.id, token)).data).toEqual({ ...made, linkToken: null, url: null });
    }
    for (const wrong of [undefined, '', 'x', `${token}x`, token.slice(1), 'é'.repeat(43)]) {
      expect(isMissing(await api.challenge(null, made.id, wrong))).toBe(true);
      expect(
        (await api.acceptChallenge(ben, made.id, wrong === undefined ? {} : { linkToken: wrong })).refusal,
      ).toEqual(NOT_FOUND);
    }
    expect((await api.acceptChallenge(null, made.id, { linkToken: token })).refusal).toEqual(UNAUTHENTICATED);
    expect((await api.acceptChallenge(ann, made.id, { linkToken: token })).refusal).toEqual({
      code: 'OWN_CHALLENGE',
    });
    expect((await api.acceptChallenge(ann, made.id)).refusal).toEqual({ code: 'OWN_CHALLENGE' });

    const game = (await api.acceptChallenge(ben, made.id, { linkToken: token })).data;
    expect(game.id).toBe(made.id);
    expect((await api.acceptChallenge(cid, made.id, { linkToken: token })).refusal).toEqual(CLOSED);
    expect((await api.acceptChallenge(ben, made.id, { linkToken: token })).data).toEqual(game);
  });

  it('gives the game to one of several who accept at once', async () => {
    const made = await byLink();
    const takers = [ben, cid, ben, cid, ben, cid];
    const answers = await Promise.all(
      takers.map((by) => api.acceptChallenge(by, made.id, { linkToken: made.linkToken })),
    );
    const games = answers
      .filter(({ refusal }) => refusal === undefined)
      .map(({ data }) => data.fairness.headHash);
    expect([games.length, new Set(games).size]).toEqual([3, 1]);
    for (const { refusal } of answers) if (refusal) expect(refusal).toEqual(CLOSED);
  });

  it.each([
    ['decline', 'ben', 'declined'],
    ['cancel', 'ann', 'cancelled'],
  ] as const)('allows %s only to %s, once', async (verb, name, status) => {
    const act = (by: By, id: string) =>
      verb === 'decline' ? api.declineChallenge(by, id) : api.cancelChallenge(by, id);
    const made = await toBen();
    const [right, wrong] = name === 'ben' ? [ben, ann] : [ann, ben];
    expect((await act(wrong, made.id)).refusal).toEqual({ code: 'FORBIDDEN' });
    expect((await act(cid, made.id)).refusal).toEqual(NOT_FOUND);
    expect((await act(null, made.id)).refusal).toEqual(UNAUTHENTICATED);
    expect((await api.challenge(ann, made.id)).data).toEqual(made);

    const { data } = await act(right, made.id);
    const declineReason = verb === 'decline' ? 'generic' : null;
    expect(data).toEqual({ ...made, status, declineReason, answeredAt: expect.any(String) });
    expect((await act(right, made.id)).data).toEqual(data);
    expect((await api.acceptChallenge(ben, made.id)).refusal).toEqual(CLOSED);
    const other = verb === 'decline' ? api.cancelChallenge(ann, made.id) : api.declineChallenge(ben, made.id);
    expect((await other).refusal).toEqual(CLOSED);
    expect(isMissing(await api.game(ann, made.id))).toBe(true);
  });

  it('refuses to decline or cancel an accepted one', async () => {
    const { id } = await toBen();
    await api.acceptChallenge(ben, id);
    expect((await api.declineChallenge(ben, id)).refusal).toEqual(CLOSED);
    expect((await api.cancelChallenge(ann, id)).refusal).toEqual(CLOSED);
  });

  it('fills in the options, which the game takes over', async () => {
    const banqi = { ruleset: 'banqi-taiwan', options: { quietLimit: 99 } };
    const made = await toBen(banqi);
    expect(made.options).toEqual({
      darkCaptures: false,
      multipleCaptures: false,
      slidingChariots: false,
      perpetualAttack: 'draw',
      quietLimit: 99,
      adjacentCannons: false,
    });
    expect((await api.acceptChallenge(ben, made.id)).data.options).toEqual(made.options);
    expect((await toBen({ options: null })).options).toEqual({});
  });

  it.each<[Body, string, string | null]>([
    [{ ruleset: 'draughts' }, 'INVALID_RULESET', 'ruleset'],
    [{ ruleset: '__proto__' }, 'INVALID_RULESET', 'ruleset'],
    [{ options: { size: 9 } }, 'INVALID_OPTIONS', 'options'],
    [{ ruleset: 'banqi-hongkong', options: { quietLimit: 19 } }, 'INVALID_OPTIONS', 'options.quietLimit'],
    [{ ruleset: 'banqi-hongkong', options: { quietLimit: '60' } }, 'INVALID_OPTIONS', 'options.quietLimit'],
    [{ ruleset: 'banqi-hongkong', options: { adjacentCannons: true } }, 'INVALID_OPTIONS', 'options'],
    [{ options: [] }, 'BAD_INPUT', 'options'],
    [{ options: 'none' }, 'BAD_INPUT', 'options'],
    [{ opponent: 'nobody-here' }, 'NOT_FOUND', 'opponent'],
    [{ opponent: 'no\0body' }, 'NOT_FOUND', 'opponent'],
    [{ opponent: '' }, 'NOT_FOUND', 'opponent'],
    [{ timeControl: { type: 'none', seconds: 60 } }, 'BAD_INPUT', null],
    [{ timeControl: { type: 'perMove' } }, 'BAD_INPUT', null],
    [{ timeControl: {} }, 'BAD_INPUT', null],
    [{ timeControl: { none: {}, perMove: { seconds: 60 } } }, 'BAD_INPUT', null],
    [
      { timeControl: { type: 'perMove', seconds: 59 } },
      'INVALID_TIME_CONTROL',
      'timeControl.perMove.seconds',
    ],
    [
      { timeControl: { type: 'perMove', seconds: 5_184_001 } },
      'INVALID_TIME_CONTROL',
      'timeControl.perMove.seconds',
    ],
    [
      { timeControl: { type: 'perMove', seconds: -60 } },
      'INVALID_TIME_CONTROL',
      'timeControl.perMove.seconds',
    ],
    [{ timeControl: { type: 'perMove', seconds: 60.5 } }, 'BAD_INPUT', null],
    [{ timeControl: { type: 'perMove', seconds: '60' } }, 'BAD_INPUT', null],
    [{ timeControl: { type: 'sandglass', seconds: 60 } }, 'BAD_INPUT', null],
    [{ timeControl: { type: 'bank', initial: 60, increment: 1.5 } }, 'BAD_INPUT', null],
    [{ timeControl: { type: 'none', noVacation: 'yes' } }, 'BAD_INPUT', null],
    [{ timeControl: { type: 'none', more: 1 } }, 'BAD_INPUT', null],
    [{ timeControl: 'none' }, 'BAD_INPUT', null],
    [{ timeControl: null }, 'BAD_INPUT', null],
    [{ seat: 'white' }, 'BAD_INPUT', null],
    [{ side: 'purple' }, 'BAD_INPUT', null],
    [{ rated: 'yes' }, 'BAD_INPUT', null],
    // The seed itself comes after the server's commitment.
    [{ clientSeed: '0'.repeat(32) }, 'BAD_INPUT', null],
    [{ clientSeedHash: 'x' }, 'INVALID_SEED', 'clientSeedHash'],
    [{ clientSeedHash: 'A'.repeat(64) }, 'INVALID_SEED', 'clientSeedHash'],
    [{ clientSeedHash: `${'a'.repeat(64)}\n` }, 'INVALID_SEED', 'clientSeedHash'],
    [{ clientSeedHash: 'a'.repeat(64), clientSeed: '0'.repeat(32) }, 'BAD_INPUT', null],
  ])('refuses %j', async (wrong, code, field) => {
    const before = await count();
    const { refusal, message } = await api.createChallenge(ann, {
      ...CHESS,
      opponent: ben.username,
      ...wrong,
    });
    expect(refusal!.code).toBe(code);
    if ('clientSeed' in wrong) expect(message).toMatch(/give it with giveClientSeed/);
    if (field !== null) expect(refusal!.field).toBe(field);
    expect(await count()).toBe(before);
  });

  it('refuses challenges to oneself and by anonymous users', async () => {
    const { refusal } = await api.createChallenge(ann, { ...CHESS, opponent: ann.username });
    expect(refusal).toEqual({ code: 'BAD_INPUT', field: 'opponent' });
    expect((await api.createChallenge(null, CHESS)).refusal).toEqual(UNAUTHENTICATED);
    expect((await api.challenges(null, { box: 'incoming' })).refusal).toEqual(UNAUTHENTICATED);
  });

  it.each<[string, Body, Body, number | null]>([
    ['a minute per move', { type: 'perMove', seconds: 60 }, {}, 60],
    ['60 days per move', { type: 'perMove', seconds: 5_184_000 }, {}, 5_184_000],
    [
      'a time per move without vacations',
      { type: 'perMove', seconds: 86_400, noVacation: true },
      { noVacation: true },
      86_400,
    ],
    ['a bank', { type: 'bank', initial: 600, increment: 30, cap: 900 }, {}, 600],
    ['the smallest bank', { type: 'bank', initial: 60 }, { increment: 0, cap: 60 }, 60],
    [
      'the largest bank',
      { type: 'bank', initial: 5_184_000, increment: 5_184_000 },
      { cap: 5_184_000 },
      5_184_000,
    ],
    [
      'a bank without vacations',
      { type: 'bank', initial: 90, cap: null, noVacation: true },
      { increment: 0, cap: 90 },
      90,
    ],
    ['no time', { type: 'none', noVacation: false }, {}, null],
  ])(
    'accepts %s, complete in challenge and game, and starts the first deadline with the game',
    async (_name, given, more, first) => {
      const made = await toBen({ timeControl: given });
      const { type, ...parts }: Body = { noVacation: false, ...given, ...more };
      expect(made.timeControl).toEqual({ [type as string]: parts });
      const game = (await api.acceptChallenge(ben, made.id)).data;
      expect(game.timeControl).toEqual(made.timeControl);
      const again = await toBen({ timeControl: made.timeControl });
      expect(again.timeControl).toEqual(made.timeControl);
      const deadline = first === null ? null : Date.parse(game.turnStartedAt) + first * 1000;
      expect(game.deadlineAt && Date.parse(game.deadlineAt)).toBe(deadline);
    },
  );

  it.each<[Body, RegExp]>([
    [
      { type: 'perMove', seconds: 59 },
      /^timeControl\.perMove\.seconds must be .* from 60 \(1 minute\) to 5184000 \(60 days\); got 59\.$/,
    ],
    [{ type: 'bank', initial: 59 }, /^timeControl\.bank\.initial must be .* from 60 /],
    [{ type: 'bank', initial: 5_184_001 }, /^timeControl\.bank\.initial must be .* got 5184001\.$/],
    [
      { type: 'bank', initial: 600, cap: 599 },
      /^timeControl\.bank\.cap must be .* from 600 \(initial\) to 5184000 /,
    ],
    [{ type: 'bank', initial: 600, cap: 5_184_001 }, /^timeControl\.bank\.cap must be /],
    [
      { type: 'bank', initial: 600, increment: -1 },
      /^timeControl\.bank\.increment must be .* from 0 to 600 \(cap\); got -1\.$/,
    ],
    [{ type: 'bank', initial: 600, increment: 601 }, /^timeControl\.bank\.increment must be /],
  ])('explains what is wrong with the time control %j', async (timeControl, words) => {
    const before = await count();
    const answer = await api.createChallenge(ann, { ...CHESS, opponent: ben.username, timeControl });
    expect(answer.refusal).toEqual({
      code: 'INVALID_TIME_CONTROL',
      field: expect.stringMatching(/^timeControl\.(perMove\.seconds|bank\.(initial|cap|increment))$/),
    });
    expect(answer.message).toMatch(words);
    expect(await count()).toBe(before);
  });

  it('is rated or casual as requested, and casual by default', async () => {
    for (const [given, rated] of [
      [{}, false],
      [{ rated: null }, false],
      [{ rated: false }, false],
      [{ rated: true }, true],
    ] as const) {
      const made = await toBen(given);
      expect(made.rated).toBe(rated);
      expect((await api.acceptChallenge(ben, made.id)).data.rated).toBe(rated);
    }
  });

  describe('with an idempotency key', () => {
    const input = () => ({ ...CHESS, opponent: ben.username });

    it('makes one challenge from the same request, also when sent ten times at once', async () => {
      const key = randomUUID();
      const before = await count();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => api.createChallenge(ann, input(), key)),
      );
      answers.push(await api.createChallenge(ann, { ...input(), options: undefined }, key));
      expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1);
      expect(await count()).toBe(before + 1);
    });

    it('refuses another request, and does not change the challenge', async () => {
      const key = randomUUID();
      const made = (await api.createChallenge(ann, input(), key)).data;
      const reused = { code: 'IDEMPOTENCY_KEY_REUSED', field: 'idempotencyKey' };
      for (const change of [
        { seat: 'first' },
        { opponent: cid.username },
        { options: { x: 1 } },
        { opponent: undefined },
      ]) {
        expect((await api.createChallenge(ann, { ...input(), ...change }, key)).refusal).toEqual(reused);
      }
      expect((await api.createChallenge(ann, input(), key)).data).toEqual(made);
      await api.cancelChallenge(ann, made.id);
      expect((await api.createChallenge(ann, input(), key)).data).toMatchObject({
        id: made.id,
        status: 'cancelled',
      });
    });

    it('recognises the key over the other transport', async () => {
      const key = randomUUID();
      const [one, two] = TRANSPORTS.map(([, make]) => make(server.http)) as [Api, Api];
      const made = (await one.createChallenge(ann, input(), key)).data;
      expect((await two.createChallenge(ann, input(), key)).data).toEqual(made);
    });

    it('keeps keys per user', async () => {
      const key = randomUUID();
      const terms = { ...CHESS, opponent: cid.username };
      const [one, two] = [
        await api.createChallenge(ann, terms, key),
        await api.createChallenge(ben, terms, key),
      ];
      expect(two.data.id).not.toBe(one.data.id);
    });

    it('leaves the key free after a refused request', async () => {
      const key = randomUUID();
      expect((await api.createChallenge(ann, { ...input(), ruleset: 'go' }, key)).refusal!.code).toBe(
        'INVALID_RULESET',
      );
      expect((await api.createChallenge(ann, input(), key)).refusal).toBeUndefined();
    });

    it.each(['', 'x'.repeat(65), 'two words', 'clé'])('refuses the key %j', async (key) => {
      const before = await count();
      const { refusal } = await api.createChallenge(ann, input(), key);
      expect(refusal).toEqual({ code: 'BAD_INPUT', field: 'idempotencyKey' });
      expect(await count()).toBe(before);
    });
  });
});
