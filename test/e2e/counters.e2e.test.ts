import { randomUUID } from 'node:crypto';
import { restDesk } from '../support/desk.js';
import { restInbox } from '../support/inbox.js';
import { begin, type Body, type Person, type Play, register, TRANSPORTS } from '../support/play.js';
import { closeChallenges, restSeeks, SEEKS, type Seeks } from '../support/seeks.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/shown.js';
import { restWaiting } from '../support/waiting.js';

/** A challenge back, on other terms. */

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await startServer();
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
  side: 'second',
  clientSeed: 'ben',
  expiresIn: 86_400,
};

describe.each(TRANSPORTS)('over %s', (transport, over) => {
  let play: Play;
  let seeks: Seeks;
  beforeAll(() => {
    play = over(server.http);
    seeks = SEEKS[transport]!(server.http);
  });

  const toBen = async (terms: Body = {}): Promise<Challenge> =>
    (await play.createChallenge(ann, { ...TERMS, opponent: ben.username, ...terms })).data;
  const newsOf = async (by: Person, id: string) =>
    (await restInbox(server.http).page(by, { first: 100 })).data.edges
      .map(({ node }) => node)
      .filter(({ gameId }) => gameId === id);

  it('closes the one and opens the other, and tells who made the first', async () => {
    const made = await toBen();
    const back = (await seeks.counterChallenge(ben, made.id, OTHERS)).data;
    expect(back).toMatchObject({
      kind: 'direct',
      status: 'open',
      counterTo: made.id,
      creator: { id: ben.id },
      opponent: { id: ann.id },
      ruleset: 'banqi-hongkong',
      options: { quietLimit: 77 },
      rated: true,
      side: 'second',
      rematchOf: null,
    });
    expect(Date.parse(back.expiresAt) - Date.parse(back.createdAt)).toBe(86_400_000);
    const old = (await play.challenge(ann, made.id)).data;
    expect(old).toEqual({ ...made, status: 'countered', answeredAt: back.createdAt });
    expect(await newsOf(ann, back.id)).toMatchObject([
      { type: 'challenge', data: { from: ben.username, counterTo: made.id }, readAt: null },
    ]);
    expect(await newsOf(ben, made.id)).toMatchObject([{ type: 'challenge', readAt: back.createdAt }]);
    expect((await restWaiting(server.http).inbox(ann)).data.edges[0]!.node.challengeId).toBe(back.id);

    for (const answer of [
      await play.acceptChallenge(ben, made.id),
      await play.declineChallenge(ben, made.id),
      await play.cancelChallenge(ann, made.id),
      await seeks.counterChallenge(ben, made.id, OTHERS),
    ]) {
      expect(answer.refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
      expect(answer.message).toMatch(/it is countered/);
    }
    const game = (await play.acceptChallenge(ann, back.id)).data;
    expect(game).toMatchObject({ id: back.id, rated: true, creator: 'second', you: 'first' });
  });

  it('goes to and fro', async () => {
    const made = await toBen();
    const back = (await seeks.counterChallenge(ben, made.id, TERMS)).data;
    const forth = (await seeks.counterChallenge(ann, back.id, TERMS)).data;
    expect(forth).toMatchObject({ counterTo: back.id, creator: { id: ann.id } });
    expect((await play.acceptChallenge(ben, forth.id)).data.id).toBe(forth.id);
  });

  it('answers a rematch as well, and leaves it free to be offered again', async () => {
    const waiting = restWaiting(server.http);
    const { id } = await begin(play, ann, ben);
    await play.resign(ann, id);
    const { data: rematch } = await waiting.offerRematch(ann, id);
    const back = (await seeks.counterChallenge(ben, rematch.id, TERMS)).data;
    expect(back).toMatchObject({ counterTo: rematch.id, rematchOf: null });
    expect((await waiting.offerRematch(ann, id)).data).toMatchObject({ status: 'open', rematchOf: id });
  });

  it('is welcome to whoever takes no challenges, but not over a block', async () => {
    const [dan, eva] = [await register(server.http, 'dan'), await register(server.http, 'eva')];
    const set = (challengesFrom: string) => restSeeks(server.http).updateProfile(dan, { challengesFrom });
    await set('nobody');
    const made = (await play.createChallenge(dan, { ...TERMS, opponent: eva.username })).data;
    await restDesk(server.http).blockUser(dan, eva.username);
    expect((await seeks.counterChallenge(eva, made.id, TERMS)).refusal).toEqual({ code: 'BLOCKED' });
    await restDesk(server.http).unblockUser(dan, eva.username);
    const direct = await play.createChallenge(eva, { ...TERMS, opponent: dan.username });
    expect(direct.refusal!.code).toBe('CHALLENGES_REFUSED');
    expect((await seeks.counterChallenge(eva, made.id, TERMS)).data.counterTo).toBe(made.id);
  });

  it('is made by the challenged player alone, of a challenge to him', async () => {
    const made = await toBen();
    expect((await seeks.counterChallenge(ann, made.id, TERMS)).refusal).toEqual({ code: 'FORBIDDEN' });
    expect((await seeks.counterChallenge(cid, made.id, TERMS)).refusal!.code).toBe('NOT_FOUND');
    expect((await seeks.counterChallenge(null, made.id, TERMS)).refusal!.code).toBe('UNAUTHENTICATED');
    const nowhere = await seeks.counterChallenge(ben, randomUUID(), TERMS);
    expect(nowhere.refusal).toEqual({ code: 'NOT_FOUND', field: 'id' });
    const seek = (await restSeeks(server.http).createSeek(ann, TERMS)).data;
    expect((await seeks.counterChallenge(ben, seek.id, TERMS)).refusal).toEqual({ code: 'FORBIDDEN' });
    await play.cancelChallenge(ann, seek.id);
    expect((await play.challenge(ann, made.id)).data).toEqual(made);
  });

  it.each<[Body, string, string | null]>([
    [{ ruleset: 'draughts' }, 'INVALID_RULESET', 'ruleset'],
    [{ options: { size: 9 } }, 'INVALID_OPTIONS', 'options'],
    [{ timeControl: { type: 'none', seconds: 1 } }, 'INVALID_TIME_CONTROL', 'timeControl'],
    [{ timeControl: undefined }, 'BAD_INPUT', null],
    [{ expiresIn: 1 }, 'BAD_INPUT', 'expiresIn'],
    [{ minRating: 1500 }, 'BAD_INPUT', null],
    [{ opponent: 'cid' }, 'BAD_INPUT', null],
    [{ clientSeedHash: 'x' }, 'INVALID_SEED', 'clientSeedHash'],
  ])('refuses %j, and nothing is closed', async (wrong, code, field) => {
    const made = await toBen();
    const { refusal } = await seeks.counterChallenge(ben, made.id, { ...TERMS, ...wrong });
    expect(refusal!.code).toBe(code);
    if (field !== null) expect(refusal!.field).toBe(field);
    expect((await play.challenge(ann, made.id)).data).toEqual(made);
  });

  it('happens once, however often it is sent', async () => {
    const made = await toBen();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => seeks.counterChallenge(ben, made.id, TERMS, key)),
    );
    expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1);
    const other = await seeks.counterChallenge(ben, made.id, OTHERS, key);
    expect(other.refusal).toEqual({ code: 'IDEMPOTENCY_KEY_REUSED', field: 'idempotencyKey' });
  });

  it('of an answer and a counter-offer at once one counts', async () => {
    const made = await toBen();
    const [back, game] = await Promise.all([
      seeks.counterChallenge(ben, made.id, TERMS),
      play.acceptChallenge(ben, made.id),
    ]);
    expect([back.refusal?.code, game.refusal?.code].sort()).toEqual(['CHALLENGE_CLOSED', undefined]);
    const outgoing = (await play.challenges(ben, { box: 'outgoing', first: 100 })).data.edges;
    expect(outgoing.some(({ node }) => node.counterTo === made.id)).toBe(back.refusal === undefined);
  });
});
