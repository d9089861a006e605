import { clientSeedHash } from '../../src/fairness/commitment.js';
import { TRANSPORTS } from '../support/api.js';
import { announcing, BANQI, overEach, WRONG_SEED } from '../support/client-seeds.js';
import { newSeed } from '../support/chosen-deals.js';
import { NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { ownTerms } from '../support/seeks.js';
import { must, isMissing } from '../support/transport.js';

/** Client seeds cannot be reused. */

overEach(sample(TRANSPORTS, 'REST'), (play) => {
  it('refuses to accept a challenge with a used seed, and keeps it open', async () => {
    const used = newSeed();
    const { id: other } = await play.open();
    await play.accept(other, used);
    const made = await play.open();
    const answer = await play.api.acceptChallenge(play.ben, made.id, { clientSeed: used });
    expect(answer.refusal).toEqual(WRONG_SEED);
    expect(answer.message).toMatch(/used before/);
    expect((await play.api.challenge(play.ben, made.id)).data).toEqual(made);
    expect(isMissing(await play.api.game(play.ben, made.id))).toBe(true);
    expect((await play.accept(made.id)).status).toBe('active');
  });

  it('repeats the acceptance with the same seed or none, and refuses another', async () => {
    const { id } = await play.open();
    const seed = newSeed();
    const game = await play.accept(id, seed);
    for (const clientSeed of [seed, null]) expect(await play.accept(id, clientSeed)).toEqual(game);
    const other = await play.api.acceptChallenge(play.ben, id, { clientSeed: newSeed() });
    expect(other.refusal).toEqual(WRONG_SEED);
    expect(other.message).toContain(clientSeedHash(seed));
    const { id: seedless } = await play.open();
    const without = await play.accept(seedless, null);
    expect(await play.accept(seedless, null)).toEqual(without);
    const late = await play.api.acceptChallenge(play.ben, seedless, { clientSeed: newSeed() });
    expect(late.refusal).toEqual(WRONG_SEED);
    expect(late.message).toMatch(/without one/);
    expect(must(await play.api.game(play.ben, seedless))).toEqual(without);
  });

  it('refuses it from the opponent, when announced again, and when given but announced elsewhere', async () => {
    const [hers, sealed] = [newSeed(), newSeed()];
    const { id } = await play.open();
    await play.give(play.ann, id, hers);
    expect((await play.api.acceptChallenge(play.ben, id, { clientSeed: hers })).refusal).toEqual(WRONG_SEED);
    await play.open(announcing(sealed));
    expect((await play.api.acceptChallenge(play.ben, id, { clientSeed: sealed })).refusal).toEqual(
      WRONG_SEED,
    );
    const { id: next } = await play.open();
    for (const seed of [hers, sealed]) {
      expect((await play.api.giveClientSeed(play.ann, next, seed)).refusal).toEqual(WRONG_SEED);
      const terms = { ...BANQI, timeControl: NO_CLOCK, opponent: play.ben.username, ...announcing(seed) };
      const field = 'clientSeedHash';
      for (const refused of [
        await play.api.createChallenge(play.ann, terms),
        await play.api.createSeek(play.ann, ownTerms(announcing(seed))),
      ]) {
        expect(refused.refusal).toEqual({ code: 'INVALID_SEED', field });
      }
    }
    expect((await play.api.challenge(play.ben, id)).data.status).toBe('open');
    expect((await play.api.challenge(play.ben, next)).data.clientSeedHash).toBeNull();
  });
});
