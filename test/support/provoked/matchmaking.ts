import { newSeed } from '../chosen-deals.js';
import { register } from '../people.js';
import { NO_CLOCK } from '../play.js';
import { ownTerms } from '../seeks.js';
import { send, must, type Body } from '../transport.js';
import { row, type Rows, type World } from './row.js';

/** How games begin: challenges, seeks and their terms. */

const TERMS = { ruleset: 'chess', timeControl: NO_CLOCK };

const challenge =
  (terms: Body) =>
  ({ api, ann, ben }: World) =>
    api.createChallenge(ann, { ...TERMS, opponent: ben.username, ...terms });

const made = async (world: World, terms: Body = {}): Promise<string> =>
  must(await challenge(terms)(world)).id;

export const MATCHMAKING: Rows = {
  INVALID_RULESET: [row(challenge({ ruleset: 'chss' }), /chss|half-chess/, { field: 'ruleset' })],
  INVALID_OPTIONS: [row(challenge({ options: { handicap: 1 } }), 'handicap', { field: 'options' })],
  INVALID_SETUP: [
    row(({ server }) => send(server.http, '/v1/rulesets/half-court-chess/setups/999999'), 'got 999999', {
      field: 'number',
    }),
    row(
      ({ api }) => api.analyse(null, { ruleset: 'chess', setup: 'NQRBK/qbnrk' }),
      'Chess has no set-ups to choose from',
      { field: 'setup' },
    ),
  ],
  INVALID_SEED: [
    row(
      async (world) => {
        const id = await made(world, { ruleset: 'banqi-hongkong' });
        return world.api.giveClientSeed(world.ann, id, 'secret');
      },
      /^(?!.*secret)/,
      { field: 'clientSeed' },
    ),
  ],
  INVALID_TIME_CONTROL: [
    row(challenge({ timeControl: { perMove: { seconds: 1 } } }), /60/, {
      field: expect.stringMatching(/^timeControl/) as string,
    }),
  ],
  FORBIDDEN: [
    row(
      async (world) => world.api.cancelChallenge(world.ben, await made(world)),
      'You did not create this challenge',
    ),
    row(
      async (world) => world.api.giveClientSeed(world.ben, await made(world), newSeed()),
      'until it is accepted, only its creator can',
    ),
  ],
  CHALLENGES_REFUSED: [
    row(
      async (world) => {
        must(await world.api.updateProfile(world.ben, { challengesFrom: 'nobody' }));
        return challenge({})(world);
      },
      'does not accept challenges',
      { field: 'opponent' },
    ),
  ],
  RATING_OUT_OF_RANGE: [
    row(async ({ api, ann, ben }) => {
      const { id } = must(await api.createSeek(ann, ownTerms({ minRating: 1501 })));
      return api.acceptChallenge(ben, id);
    }, /1501.*1500|1500.*1501/),
  ],
  CHALLENGE_CLOSED: [
    row(async (world) => {
      const id = await made(world);
      must(await world.api.cancelChallenge(world.ann, id));
      return world.api.acceptChallenge(world.ben, id);
    }, 'it was cancelled'),
  ],
  OWN_CHALLENGE: [
    row(
      async (world) => world.api.acceptChallenge(world.ann, await made(world)),
      'You created this challenge',
    ),
  ],
  LIMIT_REACHED: [
    row(async ({ api, server }) => {
      const cid = await register(server.http, 'cid');
      for (let n = 0; n < 10; n += 1) must(await api.createSeek(cid, ownTerms({ minRating: 100 + n })));
      return api.createSeek(cid, ownTerms({ minRating: 200 }));
    }, '10', { retryAfter: 60 }), // prettier-ignore
  ],
};
