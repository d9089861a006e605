import { playerAt } from '../support/api-types.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { sides } from '../../src/fairness/deal.js';
import { TRANSPORTS } from '../support/api.js';
import { BANQI, overEach, rootOf } from '../support/client-seeds.js';
import { newSeed } from '../support/chosen-deals.js';
import { begin } from '../support/play.js';
import { chainOf } from '../support/record.js';
import { sample } from '../support/scale.js';
import { must } from '../support/transport.js';

/** What client seeds decide: the sides, and the deal. */

overEach(sample(TRANSPORTS, 'REST'), (play) => {
  describe('sides', () => {
    it.each([
      ['first', 'first'],
      ['second', 'second'],
    ] as const)('a creator who asks to be %s is %s', async (seat, creator) => {
      const game = await begin(play.api, play.ann, play.ben, { seat });
      expect(game.fairness.creator).toBe(creator);
      expect(playerAt(game, creator).id).toBe(play.ann.id);
      expect(game.viewer?.seat).toBe(creator === 'first' ? 'second' : 'first');
    });

    it.each([
      ['both seeds', true, true],
      ["the creator's", true, false],
      ["the accepter's", false, true],
      ['neither of their seeds', false, false],
    ])('without a preference are drawn with %s, and everyone can verify it', async (_name, hers, his) => {
      const seen = new Set<string>();
      // It is practically impossible that so many draws all give one side.
      for (let i = 0; i < 40 && seen.size < 2; i += 1) {
        const [creatorSeed, accepterSeed] = [hers ? newSeed() : null, his ? newSeed() : null];
        const { id } = await play.open({ seat: 'any' });
        if (creatorSeed !== null) await play.give(play.ann, id, creatorSeed);
        const game = await play.accept(id, accepterSeed);
        seen.add(game.fairness.creator);
        // An aborted game does not affect the next one.
        const { serverSeed } = must(await play.api.abort(play.ann, id)).fairness;
        const seeds = { gameId: id, creatorSeed, accepterSeed } as const;
        const drawn = sides({ ...seeds, serverSeed: Buffer.from(serverSeed!, 'hex') });
        expect(playerAt(game, 'first').id).toBe(drawn === 'creator' ? play.ann.id : play.ben.id);
        expect((await play.record(id)).rows.at(-3)).toMatchObject({
          type: 'start',
          data: { first: playerAt(game, 'first').id, creator: game.fairness.creator, sidesBy: 'seeds' },
        });
        expect(await play.findings(id)).toMatchObject({
          sides: true,
          commitment: true,
          clientSeeds: true,
          dealRoot: true,
        });
      }
      expect(seen.size).toBe(2);
    });
  });

  it('both client seeds are in the game, in the order of the seats', async () => {
    const [hers, his] = [newSeed(), newSeed()];
    const game = await begin(
      play.api,
      play.ann,
      play.ben,
      { ...BANQI, clientSeed: hers, seat: 'second' },
      { clientSeed: his },
    );
    expect(game).toMatchObject({
      fairness: {
        clientSeeds: { first: his, second: hers },
        creatorSeed: 'given',
        accepterSeed: 'given',
        clientSeedHash: clientSeedHash(hers),
        awaitingSeed: false,
      },
    });
    expect(game.fairness.dealRoot).toBe(rootOf(game, await play.secretOf(game.id)));
  });

  it('are optional: without them the game starts at once with the server’s seed', async () => {
    const { id, clientSeedHash: hash } = await play.open({ seat: 'first' });
    const game = await play.accept(id, null);
    expect(game).toMatchObject({
      status: 'active',
      version: 1,
      fairness: {
        clientSeeds: { first: null, second: null },
        creatorSeed: 'leftToServer',
        accepterSeed: 'leftToServer',
        clientSeedHash: null,
      },
    });
    expect([hash, game.fairness.dealRoot]).toEqual([null, rootOf(game, await play.secretOf(id))]);
    expect(chainOf(await play.record(id))).toEqual([[0, 'create'], [1, 'accept'], [1, 'start']]); // prettier-ignore
  });
});
