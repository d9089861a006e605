import { randomUUID } from 'node:crypto';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { sample } from '../support/scale.js';
import { closeChallenges } from '../support/seeks.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/api-types.js';
import type { Body } from '../support/transport.js';

/** Counter-offers: a challenge back, on other terms. */

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

const TERMS = { ruleset: 'chess', timeControl: { type: 'perMove', seconds: 86_400 } };
const OTHERS = {
  ruleset: 'banqi-hongkong',
  options: { quietLimit: 77 },
  timeControl: { type: 'perMove', seconds: 604_800 },
  rated: true,
  seat: 'second',
  expiresIn: 86_400,
};

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const toBen = async (terms: Body = {}): Promise<Challenge> =>
    (await api.createChallenge(ann, { ...TERMS, opponent: ben.username, ...terms })).data;
  const newsOf = async (by: Person, id: string) =>
    (await restApi(server.http).notifications(by, { first: 100 })).data.edges
      .map(({ node }) => node)
      .filter(({ gameId }) => gameId === id);

  it('closes one challenge and opens the other, and notifies the first challenger', async () => {
    const made = await toBen();
    const back = (await api.counterChallenge(ben, made.id, OTHERS)).data;
    expect(back).toMatchObject({
      kind: 'direct',
      status: 'open',
      counterTo: made.id,
      creator: { id: ben.id },
      opponent: { id: ann.id },
      ruleset: { id: 'banqi-hongkong' },
      options: { quietLimit: 77 },
      rated: true,
      seat: 'second',
      rematchOf: null,
    });
    expect(Date.parse(back.expiresAt) - Date.parse(back.createdAt)).toBe(86_400_000);
    const old = (await api.challenge(ann, made.id)).data;
    expect(old).toEqual({ ...made, status: 'countered', answeredAt: back.createdAt });
    expect(await newsOf(ann, back.id)).toMatchObject([
      { type: 'challenge', data: { from: ben.username, counterTo: made.id }, readAt: null },
    ]);
    expect(await newsOf(ben, made.id)).toMatchObject([{ type: 'challenge', readAt: back.createdAt }]);
    expect((await restApi(server.http).inbox(ann)).data.edges[0]!.node.challengeId).toBe(back.id);

    for (const answer of [
      await api.acceptChallenge(ben, made.id),
      await api.declineChallenge(ben, made.id),
      await api.cancelChallenge(ann, made.id),
      await api.counterChallenge(ben, made.id, OTHERS),
    ]) {
      expect(answer.refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
      expect(answer.message).toMatch(/it was countered/);
    }
    const game = (await api.acceptChallenge(ann, back.id)).data;
    expect(game).toMatchObject({
      id: back.id,
      rated: true,
      viewer: { seat: 'first' },
      fairness: { creator: 'second' },
    });
  });

  it('can be countered in turn', async () => {
    const made = await toBen();
    const back = (await api.counterChallenge(ben, made.id, TERMS)).data;
    const forth = (await api.counterChallenge(ann, back.id, TERMS)).data;
    expect(forth).toMatchObject({ counterTo: back.id, creator: { id: ann.id } });
    expect((await api.acceptChallenge(ben, forth.id)).data.id).toBe(forth.id);
  });

  it('can answer a rematch, which may then be offered again', async () => {
    const api = restApi(server.http);
    const { id } = await begin(api, ann, ben);
    await api.resign(ann, id);
    const { data: rematch } = await api.offerRematch(ann, id);
    const back = (await api.counterChallenge(ben, rematch.id, TERMS)).data;
    expect(back).toMatchObject({ counterTo: rematch.id, rematchOf: null });
    expect((await api.offerRematch(ann, id)).data).toMatchObject({ status: 'open', rematchOf: id });
  });

  it('is allowed to a user who accepts no challenges, but not across a block', async () => {
    const [dan, eva] = [await register(server.http, 'dan'), await register(server.http, 'eva')];
    const set = (challengesFrom: string) => restApi(server.http).updateProfile(dan, { challengesFrom });
    await set('nobody');
    const made = (await api.createChallenge(dan, { ...TERMS, opponent: eva.username })).data;
    await restApi(server.http).blockUser(dan, eva.username);
    expect((await api.counterChallenge(eva, made.id, TERMS)).refusal).toEqual({ code: 'BLOCKED' });
    await restApi(server.http).unblockUser(dan, eva.username);
    const direct = await api.createChallenge(eva, { ...TERMS, opponent: dan.username });
    expect(direct.refusal!.code).toBe('CHALLENGES_REFUSED');
    expect((await api.counterChallenge(eva, made.id, TERMS)).data.counterTo).toBe(made.id);
  });

  it('is made only by the challenged player', async () => {
    const made = await toBen();
    expect((await api.counterChallenge(ann, made.id, TERMS)).refusal).toEqual({ code: 'FORBIDDEN' });
    expect((await api.counterChallenge(cid, made.id, TERMS)).refusal!.code).toBe('NOT_FOUND');
    expect((await api.counterChallenge(null, made.id, TERMS)).refusal!.code).toBe('UNAUTHENTICATED');
    const nowhere = await api.counterChallenge(ben, randomUUID(), TERMS);
    expect(nowhere.refusal).toEqual({ code: 'NOT_FOUND', field: 'id' });
    const seek = (await restApi(server.http).createSeek(ann, TERMS)).data;
    expect((await api.counterChallenge(ben, seek.id, TERMS)).refusal).toEqual({ code: 'FORBIDDEN' });
    await api.cancelChallenge(ann, seek.id);
    expect((await api.challenge(ann, made.id)).data).toEqual(made);
  });

  it.each<[Body, string, string | null]>([
    [{ ruleset: 'draughts' }, 'INVALID_RULESET', 'ruleset'],
    [{ options: { size: 9 } }, 'INVALID_OPTIONS', 'options'],
    [{ timeControl: { type: 'perMove', seconds: 1 } }, 'INVALID_TIME_CONTROL', 'timeControl.perMove.seconds'],
    [{ timeControl: undefined }, 'BAD_INPUT', null],
    [{ expiresIn: 1 }, 'BAD_INPUT', 'expiresIn'],
    [{ minRating: 1500 }, 'BAD_INPUT', null],
    [{ opponent: 'cid' }, 'BAD_INPUT', null],
    [{ clientSeedHash: 'x' }, 'INVALID_SEED', 'clientSeedHash'],
  ])('refuses %j, and closes nothing', async (wrong, code, field) => {
    const made = await toBen();
    const { refusal } = await api.counterChallenge(ben, made.id, { ...TERMS, ...wrong });
    expect(refusal!.code).toBe(code);
    if (field !== null) expect(refusal!.field).toBe(field);
    expect((await api.challenge(ann, made.id)).data).toEqual(made);
  });

  it('happens once, however often it is sent', async () => {
    const made = await toBen();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.counterChallenge(ben, made.id, TERMS, key)),
    );
    expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1);
    const other = await api.counterChallenge(ben, made.id, OTHERS, key);
    expect(other.refusal).toEqual({ code: 'IDEMPOTENCY_KEY_REUSED', field: 'idempotencyKey' });
  });

  it('one of an answer and a simultaneous counter-offer counts', async () => {
    const made = await toBen();
    const [back, game] = await Promise.all([
      api.counterChallenge(ben, made.id, TERMS),
      api.acceptChallenge(ben, made.id),
    ]);
    expect([back.refusal?.code, game.refusal?.code].sort()).toEqual(['CHALLENGE_CLOSED', undefined]);
    const outgoing = (await api.challenges(ben, { box: 'outgoing', first: 100 })).data.edges;
    expect(outgoing.some(({ node }) => node.counterTo === made.id)).toBe(back.refusal === undefined);
  });
});
