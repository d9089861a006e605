import { DECLINE_REASONS } from '../../src/features/matchmaking/challenge.row.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { closeChallenges } from '../support/seeks.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/api-types.js';

/** Reasons for declining a challenge. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterEach(() => closeChallenges(server.app));
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const toBen = async (): Promise<Challenge> =>
    (await api.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username }))
      .data;
  const told = async (id: string) =>
    (await restApi(server.http).notifications(ann, { first: 100 })).data.edges
      .map(({ node }) => node)
      .filter(({ gameId }) => gameId === id)
      .map(({ type, data }) => ({ type, data }));

  it.each([...DECLINE_REASONS, undefined, null])('the reason %s is shown and notified', async (reason) => {
    const made = await toBen();
    expect(made.declineReason).toBeNull();
    const declineReason = reason ?? 'generic';
    expect((await api.declineChallenge(ben, made.id, reason)).data.declineReason).toBe(declineReason);
    for (const by of [ann, ben]) {
      expect((await api.challenge(by, made.id)).data).toMatchObject({ status: 'declined', declineReason });
    }
    expect(await told(made.id)).toEqual([
      { type: 'challengeAnswered', data: { accepted: false, reason: declineReason } },
    ]);
  });

  it('the first reason stays', async () => {
    const { id } = await toBen();
    await api.declineChallenge(ben, id, 'later');
    expect((await api.declineChallenge(ben, id, 'rated')).data.declineReason).toBe('later');
    expect(await told(id)).toMatchObject([{ data: { reason: 'later' } }]);
  });

  it.each(['because', '', 1, 'toString'])('refuses other values, such as %j', async (reason) => {
    const made = await toBen();
    expect((await api.declineChallenge(ben, made.id, reason)).refusal!.code).toBe('BAD_INPUT');
    expect((await api.challenge(ben, made.id)).data).toEqual(made);
  });
});
