import { DECLINE_REASONS } from '../../src/matchmaking/challenge.row.js';
import { restInbox } from '../support/inbox.js';
import { NO_CLOCK, type Person, type Play, register, TRANSPORTS } from '../support/play.js';
import { closeChallenges } from '../support/seeks.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/shown.js';

/** Why a challenge is declined. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await startServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterEach(() => closeChallenges(server.app));
afterAll(() => server.close());

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let play: Play;
  beforeAll(() => {
    play = over(server.http);
  });

  const toBen = async (): Promise<Challenge> =>
    (await play.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username }))
      .data;
  const told = async (id: string) =>
    (await restInbox(server.http).page(ann, { first: 100 })).data.edges
      .map(({ node }) => node)
      .filter(({ gameId }) => gameId === id)
      .map(({ type, data }) => ({ type, data }));

  it.each([...DECLINE_REASONS, undefined, null])('the reason %s is shown and told', async (reason) => {
    const made = await toBen();
    expect(made.declineReason).toBeNull();
    const declineReason = reason ?? 'generic';
    expect((await play.declineChallenge(ben, made.id, reason)).data.declineReason).toBe(declineReason);
    for (const by of [ann, ben]) {
      expect((await play.challenge(by, made.id)).data).toMatchObject({ status: 'declined', declineReason });
    }
    expect(await told(made.id)).toEqual([
      { type: 'challengeAnswered', data: { accepted: false, reason: declineReason } },
    ]);
  });

  it('the first one stays', async () => {
    const { id } = await toBen();
    await play.declineChallenge(ben, id, 'later');
    expect((await play.declineChallenge(ben, id, 'rated')).data.declineReason).toBe('later');
    expect(await told(id)).toMatchObject([{ data: { reason: 'later' } }]);
  });

  it.each(['because', '', 1, 'toString'])('no other is taken, as %j', async (reason) => {
    const made = await toBen();
    expect((await play.declineChallenge(ben, made.id, reason)).refusal!.code).toBe('BAD_INPUT');
    expect((await play.challenge(ben, made.id)).data).toEqual(made);
  });
});
