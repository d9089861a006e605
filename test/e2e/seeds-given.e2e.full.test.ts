import { clientSeedHash } from '../../src/fairness/commitment.js';
import { restApi, TRANSPORTS } from '../support/api.js';
import { announcing, BANQI, overEach, rootOf, WRONG_SEED } from '../support/client-seeds.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, renewed } from '../support/people.js';
import { begin } from '../support/play.js';
import { chainOf } from '../support/record.js';
import { rounds } from '../support/scale.js';
import { ownTerms } from '../support/seeks.js';
import { type Answer, must } from '../support/transport.js';

/** A client seed that is given before the acceptance. */

overEach(TRANSPORTS, (play) => {
  const NO_SEEDS = [
    '',
    '0'.repeat(31),
    '0'.repeat(33),
    'A'.repeat(32),
    'g'.repeat(32),
    `${'0'.repeat(32)}\n`,
    ` ${'0'.repeat(31)}`,
    'ü'.repeat(32),
    '0'.repeat(64),
  ];
  it.each(NO_SEEDS)('refuses an invalid seed wherever it is given: %j', async (clientSeed) => {
    const { id } = await play.open();
    expect((await play.api.acceptChallenge(play.ben, id, { clientSeed })).refusal).toEqual(WRONG_SEED);
    expect((await play.api.giveClientSeed(play.ann, id, clientSeed)).refusal).toEqual(WRONG_SEED);
    expect((await play.api.challenge(play.ben, id)).data).toMatchObject({
      status: 'open',
      clientSeedHash: null,
    });
    const waiting = await begin(play.api, play.ann, play.ben, { ...BANQI, ...announcing(newSeed()) });
    expect((await play.api.giveClientSeed(play.ann, waiting.id, clientSeed)).refusal).toEqual(WRONG_SEED);
    expect((await play.api.game(play.ben, waiting.id)).data).toEqual(waiting);
  });

  describe('given before the acceptance', () => {
    it.each([
      ['announced', true],
      ['not announced', false],
    ])('is in the game, %s', async (_name, isAnnounced) => {
      const seed = newSeed();
      const made = await play.open({ seat: 'first', ...(isAnnounced ? announcing(seed) : {}) });
      const { challenge, game: none } = await play.give(play.ann, made.id, seed);
      expect(none).toBeNull();
      expect(challenge).toEqual({
        ...made,
        clientSeedHash: clientSeedHash(seed),
        receipt: expect.stringContaining(`\nversion 1\n`),
      });
      for (const by of [play.ann, play.ben])
        expect((await play.api.challenge(by, made.id)).data).toEqual(challenge);
      const game = await play.accept(made.id);
      expect(game).toMatchObject({ status: 'active', version: 2, fairness: { creatorSeed: 'given' } });
      expect(game.fairness.clientSeeds.first).toBe(seed);
      const { rows } = await play.record(made.id);
      expect(chainOf(await play.record(made.id))).toEqual([[0, 'create'], [1, 'seed'], [2, 'accept'], [2, 'start']]); // prettier-ignore
      expect(rows[0]!.data).toMatchObject({
        format: 2,
        commitment: made.commitment,
        clientSeedHash: isAnnounced ? clientSeedHash(seed) : null,
      });
      expect(rows[1]!.data).toEqual({
        by: 'creator',
        clientSeedHash: clientSeedHash(seed),
        clientSeed: null,
      });
      expect(rows[2]!.data).toEqual({
        ...{ accepter: play.ben.id, side: 'any', seek: null, creator: 'first', earlier: null },
        clientSeed: game.fairness.clientSeeds.second,
        clientSeedHash: clientSeedHash(game.fairness.clientSeeds.second!),
      });
      expect(rows[3]!.data).toMatchObject({
        creatorSeed: seed,
        accepterSeed: game.fairness.clientSeeds.second,
      });
      expect([game.fairness.termsHash, game.fairness.headHash]).toEqual([rows[0]!.hash, rows[3]!.hash]);
    });

    it('may be repeated, but not changed', async () => {
      const seed = newSeed();
      const { id } = await play.open();
      const { challenge } = await play.give(play.ann, id, seed);
      expect(await play.give(play.ann, id, seed)).toEqual({ challenge, game: null });
      const other = await play.api.giveClientSeed(play.ann, id, newSeed());
      expect(other.refusal).toEqual(WRONG_SEED);
      expect(other.message).toMatch(/already given another client seed/);
      const { id: gameId } = await play.accept(id);
      const again = await play.give(play.ann, id, seed);
      expect([again.challenge.status, again.game!.id]).toEqual(['accepted', gameId]);
      expect((await play.api.giveClientSeed(play.ann, id, newSeed())).refusal).toEqual(WRONG_SEED);
      expect((await play.record(id)).rows.filter(({ type }) => type === 'seed')).toHaveLength(1);
    });

    it('must match the announced one', async () => {
      const seed = newSeed();
      const made = await play.open(announcing(seed));
      const other = await play.api.giveClientSeed(play.ann, made.id, newSeed());
      expect([other.refusal, other.message]).toEqual([WRONG_SEED, expect.stringMatching(/^The SHA-256 of this client seed is not the announced [0-9a-f]{64}\. Send the seed that you announced\.$/)]); // prettier-ignore
      expect((await play.api.challenge(play.ann, made.id)).data).toEqual(made);
      await play.give(play.ann, made.id, seed);
    });

    it('is accepted from the creator only', async () => {
      const [made, seek] = [await play.open(), must(await play.api.createSeek(play.ann, ownTerms(BANQI)))];
      const codes = async (id: string) =>
        Promise.all(
          [play.ben, play.cid, null].map(
            async (by) => (await play.api.giveClientSeed(by as Person, id, newSeed())).refusal!.code,
          ),
        );
      expect(await codes(made.id)).toEqual(['FORBIDDEN', 'NOT_FOUND', 'UNAUTHENTICATED']);
      expect(await codes(seek.id)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'UNAUTHENTICATED']);
      for (const each of [made, seek])
        expect((await play.api.challenge(play.ann, each.id)).data).toEqual(each);
      await play.api.cancelChallenge(play.ann, seek.id);
    });

    it('is refused for a closed challenge', async () => {
      const [cancelled, declined, expired] = [
        await play.open(),
        await play.open(),
        await play.open({ expiresIn: 3600 }),
      ];
      must(await play.api.cancelChallenge(play.ann, cancelled.id));
      must(await play.api.declineChallenge(play.ben, declined.id));
      play.time.forward(3600_000);
      [play.ann] = [await renewed(play.server.http, play.ann)];
      for (const { id } of [cancelled, declined, expired]) {
        expect((await play.api.giveClientSeed(play.ann, id, newSeed())).refusal).toEqual({
          code: 'CHALLENGE_CLOSED',
        });
      }
    });

    it('is in no answer before the end, and neither is the server’s seed', async () => {
      const seed = newSeed();
      const terms = ownTerms(BANQI);
      const made = [
        await play.open({ seat: 'first', ...announcing(seed) }),
        must(await play.api.createSeek(play.ann, terms)),
        must(await play.api.createChallenge(play.ann, terms)),
      ] as const;
      const seeds = [seed, newSeed(), newSeed()];
      for (const [i, { id }] of made.entries()) await play.give(play.ann, id, seeds[i]!);
      const rest = restApi(play.server.http);
      const told: Answer<unknown>[] = [];
      for (const by of [play.ben, play.cid, null] as readonly Person[]) {
        for (const { id, linkToken } of made) {
          told.push(await play.api.challenge(by, id, linkToken ?? undefined), await play.api.game(by, id));
          told.push(await play.api.events(by, id), await rest.record(by, id));
        }
        for (const box of ['incoming', 'outgoing']) told.push(await play.api.challenges(by, { box }));
        told.push(
          await play.api.lobby(by, { first: 100 }),
          await play.api.inbox(by),
          await play.api.notifications(by),
        );
      }
      const before = told.map(({ text }) => text).join('\n');
      expect(before).toContain(clientSeedHash(seed));
      for (const each of seeds) expect(before).not.toContain(each);

      const { id } = await play.accept(made[0].id);
      const secret = (await play.secretOf(id)).toString('hex');
      const running = [
        await play.api.game(play.ben, id),
        await play.api.events(play.ben, id),
        await rest.record(play.ben, id),
      ];
      const shown = [before, ...running.map(({ text }) => text)].join('\n');
      expect(shown).not.toContain(secret);
      expect(must(await play.api.game(play.ben, id)).fairness.serverSeed).toBeNull();
      must(await play.api.abort(play.ben, id));
      expect([must(await play.api.game(null, id)).fairness.serverSeed, (await play.record(id)).serverSeed]).toEqual([secret, secret]); // prettier-ignore
      for (const { id: other } of made.slice(1)) await play.api.cancelChallenge(play.ann, other);
    });

    it(`at the same time as the acceptance it is in the game or refused, and the chain is valid`, async () => {
      const came: Record<string, number> = { given: 0, refused: 0 };
      for (let i = 0; i < rounds(150, 6); i += 1) {
        const [hers, his] = [newSeed(), newSeed()];
        const { id } = await play.open({ seat: 'first' });
        const both = [
          () => play.api.giveClientSeed(play.ann, id, hers) as Promise<Answer<unknown>>,
          () => play.api.acceptChallenge(play.ben, id, { clientSeed: his }) as Promise<Answer<unknown>>,
        ];
        // Which of the two is first changes from round to round.
        const order = i % 2 === 0 ? both : [...both].reverse();
        const answers = await Promise.all(order.map((send) => send()));
        const [given, accepted] = i % 2 === 0 ? answers : [answers[1]!, answers[0]!];
        expect(accepted!.refusal).toBeUndefined();
        const game = must(await play.api.game(null, id));
        const isIn = given!.refusal === undefined;
        came[isIn ? 'given' : 'refused']! += 1;
        if (!isIn) expect(given!.refusal).toEqual(WRONG_SEED);
        expect(game).toMatchObject({
          status: 'active',
          fairness: {
            clientSeeds: { first: isIn ? hers : null, second: his },
            creatorSeed: isIn ? 'given' : 'leftToServer',
          },
        });
        expect(game.fairness.dealRoot).toBe(rootOf(game, await play.secretOf(id)));
        const types = chainOf(await play.record(id)).map(([, type]) => type);
        expect(types).toEqual(['create', ...(isIn ? ['seed'] : []), 'accept', 'start']);
        must(await play.api.abort(play.ann, id));
      }
      expect(came['given']! + came['refused']!).toBe(rounds(150, 6));
    });
  });
});
