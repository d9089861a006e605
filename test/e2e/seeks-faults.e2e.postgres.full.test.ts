import { setTimeout as pause } from 'node:timers/promises';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { SeeksService } from '../../src/features/matchmaking/seeks.service.js';
import { SeeksStore } from '../../src/features/matchmaking/seeks.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { ownTerms, setRating } from '../support/seeks.js';
import { sample } from '../support/scale.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/api-types.js';
import type { Body } from '../support/transport.js';

/** What the pairing skips: seeks that it cannot pair, and seeks that match no other. */
// Both databases: pairing depends on row locks.

let server: TestServer;
beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
});
afterAll(() => server.close());

const sweep = () => server.app.get(SeeksService, { strict: false }).sweep();

/** Terms of a game whose set-up is drawn from the sealed seed before it begins. */
const dealt = (): Body => ownTerms({ ruleset: 'half-court-chess' });

/** Damages the sealed seed of a deal, bypassing the trigger that protects it. */
const spoil = ({ id }: Challenge): Promise<void> =>
  server.app.get(PrismaService).transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    await tx.$executeRaw`
      UPDATE deal_secrets SET sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20)) WHERE game_id = ${id}::uuid`;
  });

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let api: Api;
  let people: readonly Person[];
  beforeEach(async () => {
    api = over(server.http);
    people = await Promise.all(['ann', 'ben', 'cid', 'dan'].map((name) => register(server.http, name)));
  });

  const seek = async (by: number, terms: Body): Promise<Challenge> => {
    const { data, refusal } = await api.createSeek(people[by]!, terms);
    expect(refusal).toBeUndefined();
    return data;
  };
  const now = async ({ id }: Challenge): Promise<Challenge> => (await api.challenge(null, id)).data;

  describe('a seek with a damaged deal', () => {
    it('does not fail a matching seek, which is listed or paired with the next', async () => {
      const terms = dealt();
      const damaged = await seek(0, terms);
      await spoil(damaged);
      const listed = await seek(1, { ...terms, seat: 'second' });
      expect(listed.status).toBe('open');
      const { edges } = (await api.lobby(null, { first: 2 })).data;
      expect(edges.map(({ node }) => node.id)).toEqual([listed.id, damaged.id]);
      const paired = await seek(2, { ...terms, seat: 'first' });
      expect([paired.gameId, (await now(damaged)).status]).toEqual([listed.id, 'open']);
    });

    it('does not block the sweep', async () => {
      const [terms, others] = [dealt(), dealt()];
      const damaged = await seek(0, terms);
      await spoil(damaged);
      const waiting = await seek(1, terms);
      await restApi(server.http).blockUser(people[2]!, people[3]!.username);
      const fitting = [await seek(2, others), await seek(3, others)];
      await restApi(server.http).unblockUser(people[2]!, people[3]!.username);
      for (let i = 0; i < 2; i += 1) {
        await sweep();
        const statuses = [];
        for (const each of [damaged, waiting, ...fitting]) statuses.push((await now(each)).status);
        expect(statuses).toEqual(['open', 'open', 'accepted', 'accepted']);
      }
    });

    it('is paired by the sweep once it is repaired', async () => {
      const terms = dealt();
      const damaged = await seek(0, terms);
      await spoil(damaged);
      const waiting = await seek(1, terms);
      await spoil(damaged);
      await sweep();
      expect((await now(waiting)).gameId).toBe(damaged.id);
    });
  });

  it('a scan of all seeks that exceeds a sweep’s time still leaves time to pair some', async () => {
    const store = server.app.get(SeeksStore, { strict: false });
    const terms = ownTerms();
    await restApi(server.http).blockUser(people[0]!, people[1]!.username);
    const fitting = [await seek(0, terms), await seek(1, terms)];
    await restApi(server.http).unblockUser(people[0]!, people[1]!.username);
    const pools = store.pools.bind(store);
    const slow = jest.spyOn(store, 'pools').mockImplementation(async (search) => {
      const found = await pools(search);
      await pause(1100);
      return found;
    });
    await server.app.get(SeeksService, { strict: false }).sweep(1000);
    slow.mockRestore();
    for (const each of fitting) expect((await now(each)).status).toBe('accepted');
  });

  describe('seeks without a match are not scanned:', () => {
    const isWalked = async (made: Challenge): Promise<boolean> => {
      const search = { now: new Date(), mostGames: 100, mostOfGuests: 3 };
      const pools = await server.app.get(SeeksStore, { strict: false }).pools(search);
      return pools.some(({ seeks: ids }) => ids.includes(made.id));
    };

    const announced = (): Body => ({ clientSeedHash: clientSeedHash(newSeed()) });

    it.each<[string, readonly Body[], boolean]>([
      ['two that want the same side', [{ seat: 'first' }, { seat: 'first' }], false],
      ['two that want the other side', [{ seat: 'second' }, { seat: 'second' }], false],
      ['two that want much stronger opponents', [{ minRating: 3990 }, { minRating: 1501 }], false],
      ['two that want much weaker opponents', [{ maxRating: 10 }, { maxRating: 1499 }], false],
      ['one alone', [{}], false],
      // Only the block separates these.
      ['two that announce their seeds', [announced(), announced()], true],
      ['two that match', [{ seat: 'first', minRating: 1500 }, { maxRating: 1500 }], true],
    ])('%s', async (_, wishes, walked) => {
      const terms = ownTerms();
      await restApi(server.http).blockUser(people[0]!, people[1]!.username);
      let made!: Challenge;
      for (const [i, wish] of wishes.entries()) made = await seek(i, { ...terms, ...wish });
      expect([made.status, await isWalked(made)]).toEqual(['open', walked]);
    });

    it('two of one user', async () => {
      const terms = ownTerms();
      await seek(0, terms);
      expect(await isWalked(await seek(0, terms))).toBe(false);
    });

    it('except one that matches a changed rating', async () => {
      const terms = ownTerms();
      const made = await seek(0, { ...terms, minRating: 1600 });
      await seek(1, terms);
      expect(await isWalked(made)).toBe(false);
      await setRating(server.app, people[1]!, 1599.5);
      expect(await isWalked(made)).toBe(true);
    });
  });
});
