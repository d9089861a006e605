import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { closeChallenges, setRating } from '../support/seeks.js';
import type { Body } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** Whose challenges a user accepts. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  beforeEach(async () => {
    api = over(server.http);
    [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  });

  const challenge = (ruleset = 'chess') =>
    api.createChallenge(ben, { ruleset, timeControl: NO_CLOCK, opponent: ann.username });
  const REFUSED = { code: 'CHALLENGES_REFUSED', field: 'opponent' };

  it('everyone’s, by default; the setting is shown to the user and to others', async () => {
    const everybody = { challengesFrom: 'everybody', challengesWithin: null };
    expect((await api.me(ann)).data).toMatchObject(everybody);
    expect((await challenge()).refusal).toBeUndefined();
    const rated = { challengesFrom: 'rated', challengesWithin: 200 };
    const nobody = { challengesFrom: 'nobody', challengesWithin: null };
    const { data: before } = await api.me(ann);
    const displayName = `Dr ${ann.username}`;
    for (const [input, expected] of [
      [rated, rated],
      [{ displayName }, { ...rated, displayName }],
      [nobody, { ...nobody, displayName }],
      [{ challengesFrom: 'everybody' }, { ...everybody, displayName }],
    ] as const) {
      const { data } = await api.updateProfile(ann, input);
      expect(data).toEqual({ ...before, ...expected });
      expect((await api.me(ann)).data).toEqual(data);
      expect((await api.user(null, ann.username)).data).toEqual(data);
    }
  });

  it('no one’s: then links, seeks and answers are left', async () => {
    const { id } = await begin(api, ann, ben);
    await api.resign(ann, id);
    await api.updateProfile(ann, { challengesFrom: 'nobody' });
    const answer = await challenge();
    expect(answer.refusal).toEqual(REFUSED);
    expect(answer.message).toBe(
      `The user ${ann.username} does not accept challenges. Challenge another user, or create a seek.`,
    );
    const { data: link } = await api.createChallenge(ben, { ruleset: 'chess', timeControl: NO_CLOCK });
    expect((await api.acceptChallenge(ann, link.id, { linkToken: link.linkToken })).data.id).toBe(link.id);
    const rematch = await graphqlApi(server.http).offerRematch(ben, id);
    expect(rematch.data).toMatchObject({ status: 'open', rematchOf: id });
    // She can still challenge others.
    const own = await api.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username }); // prettier-ignore
    expect((await api.acceptChallenge(ben, own.data.id)).refusal).toBeUndefined();
  });

  it('those of similar rating, in the pool of the challenge', async () => {
    await api.updateProfile(ann, { challengesFrom: 'rated', challengesWithin: 100 });
    for (const [rating, welcome] of [
      [1599.6, true],
      [1600.4, true],
      [1600.5, false],
      [1400, true],
      [1399.4, false],
    ] as const) {
      await closeChallenges(server.app);
      await setRating(server.app, ben, rating);
      const answer = await challenge();
      expect([rating, answer.refusal]).toEqual([rating, welcome ? undefined : REFUSED]);
      if (!welcome) expect(answer.message).toMatch(/between 1400 and 1600; yours is (1601|1399)\./);
      expect((await challenge('banqi-taiwan')).refusal).toBeUndefined();
    }
    await setRating(server.app, ann, 1300);
    expect((await challenge()).refusal).toBeUndefined();
  });

  it('a block takes precedence in the error, and a refusal changes nothing', async () => {
    await api.updateProfile(ann, { challengesFrom: 'nobody' });
    expect((await challenge()).refusal).toEqual(REFUSED);
    await restApi(server.http).blockUser(ann, ben.username);
    expect((await challenge()).refusal).toEqual({ code: 'BLOCKED' });
    expect((await api.challenges(ann, { box: 'incoming' })).data.edges).toEqual([]);
  });

  it.each<[Body, string | null]>([
    [{}, 'displayName'],
    [{ challengesFrom: null, displayName: null }, 'displayName'],
    [{ challengesFrom: 'friends' }, null],
    [{ challengesFrom: 1 }, null],
    [{ challengesFrom: 'rated' }, 'challengesWithin'],
    [{ challengesFrom: 'rated', challengesWithin: 0 }, 'challengesWithin'],
    [{ challengesFrom: 'rated', challengesWithin: 4001 }, 'challengesWithin'],
    [{ challengesFrom: 'rated', challengesWithin: -200 }, 'challengesWithin'],
    [{ challengesFrom: 'rated', challengesWithin: 1.5 }, null],
    [{ challengesFrom: 'rated', challengesWithin: '200' }, null],
    [{ challengesFrom: 'nobody', challengesWithin: 200 }, 'challengesWithin'],
    [{ challengesWithin: 200 }, 'challengesWithin'],
    [{ challengesFrom: 'nobody', displayName: '' }, 'displayName'],
  ])('refuses %j', async (input, field) => {
    const before = (await api.me(ann)).data;
    const { refusal } = await api.updateProfile(ann, input);
    expect(refusal!.code).toBe('BAD_INPUT');
    if (field !== null) expect(refusal!.field).toBe(field);
    expect((await api.me(ann)).data).toEqual(before);
  });

  it('requires a session', async () => {
    const { refusal } = await api.updateProfile(null, { challengesFrom: 'nobody' });
    expect(refusal).toEqual({ code: 'UNAUTHENTICATED' });
  });
});
