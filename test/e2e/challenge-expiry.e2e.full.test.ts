import { TRANSPORTS } from '../support/api.js';
import { overEach } from '../support/client-seeds.js';
import { type Person, renewed } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import type { Challenge } from '../support/api-types.js';

/** Challenges that are not answered. */

overEach(sample(TRANSPORTS, 'REST'), (play) => {
  it('a challenge expires after 14 days, whether it was read or not', async () => {
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
    const made = [];
    for (const opponent of [play.ben.username, undefined]) {
      made.push((await play.api.createChallenge(play.ann, { ...terms, opponent })).data);
    }
    const [direct, link] = made as [Challenge, Challenge];
    play.time.moment = new Date(Date.parse(direct.expiresAt) - 1);
    [play.ann, play.ben] = (await Promise.all([play.ann, play.ben].map((person) => renewed(play.server.http, person)))) as [Person, Person]; // prettier-ignore
    expect((await play.api.challenge(play.ben, direct.id)).data.status).toBe('open');

    play.time.moment = new Date(link.expiresAt);
    for (const { id, linkToken } of made) {
      expect((await play.api.challenge(play.ann, id)).data).toMatchObject({
        status: 'expired',
        answeredAt: null,
      });
      const accepted = await play.api.acceptChallenge(play.ben, id, linkToken === null ? {} : { linkToken });
      expect(accepted.refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
      expect(accepted.message).toMatch(/expired/);
      expect((await play.api.cancelChallenge(play.ann, id)).refusal).toEqual({ code: 'CHALLENGE_CLOSED' });
    }
    expect((await play.api.declineChallenge(play.ben, direct.id)).refusal).toEqual({
      code: 'CHALLENGE_CLOSED',
    });
    const outgoing = (await play.api.challenges(play.ann, { box: 'outgoing', first: 100 })).data.edges;
    expect(outgoing.map(({ node }) => node.id)).not.toEqual(expect.arrayContaining([direct.id]));
  });
});
