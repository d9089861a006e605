import { playerAt } from '../support/api-types.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { sides } from '../../src/fairness/deal.js';
import { SeeksService } from '../../src/features/matchmaking/seeks.service.js';
import { TRANSPORTS } from '../support/api.js';
import { announcing, BANQI, HOURS, overEach, rootOf, WRONG_SEED } from '../support/client-seeds.js';
import { newSeed } from '../support/chosen-deals.js';
import { begin, playMoves } from '../support/play.js';
import { chainOf } from '../support/record.js';
import { sample } from '../support/scale.js';
import { ownTerms } from '../support/seeks.js';
import { must } from '../support/transport.js';

/** A client seed that is announced, and given after the acceptance. */

overEach(sample(TRANSPORTS, 'GraphQL'), (play) => {
  it('is awaited, and starts the game when it comes', async () => {
    const [hers, his] = [newSeed(), newSeed()];
    const { id } = await play.open({ seat: 'any', ...announcing(hers) });
    const waiting = await play.accept(id, his);
    expect(waiting).toMatchObject({
      status: 'pending',
      version: 1,
      turn: null,
      fairness: {
        awaitingSeed: true,
        dealRoot: null,
        creatorSeed: 'sealed',
        accepterSeed: 'given',
        clientSeedHash: clientSeedHash(hers),
      },
    });
    expect(Object.values(waiting.fairness.clientSeeds).sort()).toEqual([his, null].sort());
    expect((await play.api.legalMoves(play.ann, id)).data).toEqual([]);
    const before = await play.record(id);
    expect(before).toMatchObject({ format: 2, id, players: null, outcome: null, serverSeed: null });
    expect(chainOf(before)).toEqual([[0, 'create'], [1, 'accept']]); // prettier-ignore
    expect(before.rows[1]!.data).toMatchObject({ clientSeed: his, earlier: { creator: 0, accepter: 0 } });

    const { challenge, game: begun } = await play.give(play.ann, id, hers);
    const game = begun!;
    expect(challenge).toMatchObject({ id, status: 'accepted', gameId: id });
    expect(game).toMatchObject({
      status: 'active',
      fairness: { awaitingSeed: false },
      turn: 'first',
      version: 2,
    });
    expect(game.fairness.clientSeeds[game.fairness.creator]).toBe(hers);
    expect(playerAt(game, game.fairness.creator).id).toBe(play.ann.id);
    expect((await play.give(play.ann, id, hers)).game).toEqual(game);
    const after = await play.record(id);
    expect(chainOf(after)).toEqual([[0, 'create'], [1, 'accept'], [2, 'seed'], [2, 'start']]); // prettier-ignore
    expect(after.rows.slice(0, 2)).toEqual(before.rows);
    expect(after.rows[2]!.data).toEqual({
      by: 'creator',
      clientSeedHash: clientSeedHash(hers),
      clientSeed: hers,
    });

    await playMoves(play.api, game, ['a1', 'b1', 'c1'], play.seatsOf(game));
    const { serverSeed } = must(await play.api.resign(play.ben, id)).fairness;
    const drawn = sides({
      gameId: id,
      serverSeed: Buffer.from(serverSeed!, 'hex'),
      creatorSeed: hers,
      accepterSeed: his,
    });
    expect(game.fairness.creator).toBe(drawn === 'creator' ? 'first' : 'second');
    expect(game.fairness.dealRoot).toBe(rootOf(must(await play.api.game(null, id))));
    expect(chainOf(await play.record(id)).slice(-2).map(([, type]) => type)).toEqual(['resign', 'end']); // prettier-ignore
    expect(await play.findings(id)).toMatchObject({
      clientSeeds: true,
      sides: true,
      deal: true,
      dealRoot: true,
      chain: true,
      plies: true,
    });
  });

  it('is not accepted from others, nor if it does not match', async () => {
    const seed = newSeed();
    const waiting = await begin(play.api, play.ann, play.ben, { ...BANQI, ...announcing(seed) });
    const { id } = waiting;
    expect((await play.api.giveClientSeed(play.ann, id, newSeed())).refusal).toEqual(WRONG_SEED);
    const his = await play.api.giveClientSeed(play.ben, id, seed);
    expect([his.refusal, his.message]).toEqual([
      WRONG_SEED,
      expect.stringMatching(/announced no client seed for this game/),
    ]);
    expect((await play.api.giveClientSeed(play.cid, id, seed)).refusal!.code).toBe('NOT_FOUND');
    expect((await play.api.giveClientSeed(null, id, seed)).refusal!.code).toBe('UNAUTHENTICATED');
    expect((await play.api.game(play.ben, id)).data).toEqual(waiting);
  });

  it('is refused if it was not announced, since the server chose that part', async () => {
    const { id } = await play.open();
    const game = await play.accept(id, null);
    for (const by of [play.ann, play.ben]) {
      const late = await play.api.giveClientSeed(by, id, newSeed());
      expect(late.refusal).toEqual(WRONG_SEED);
      expect(late.message).toMatch(/announced no client seed for this game/);
    }
    expect((await play.api.game(play.ben, id)).data).toEqual(game);
  });

  it('starts the clock when it comes', async () => {
    const seed = newSeed();
    const waiting = await begin(play.api, play.ann, play.ben, { ...BANQI, ...HOURS, ...announcing(seed) });
    play.time.forward(100_000);
    const { game } = await play.give(play.ann, waiting.id, seed);
    expect(Date.parse(game!.deadlineAt!) - play.time.now().getTime()).toBe(3_600_000);
  });

  it.each([
    ['the creator first', 0],
    ['the accepter first', 1],
    ['both at once', 2],
  ])('are both awaited for two paired seeks: %s', async (_name, which) => {
    const [hers, his] = [newSeed(), newSeed()];
    const waiting = await play.paired(announcing(hers), announcing(his));
    expect(waiting).toMatchObject({
      status: 'pending',
      fairness: { creatorSeed: 'sealed', accepterSeed: 'sealed' },
    });
    const gifts = [() => play.give(play.ann, waiting.id, hers), () => play.give(play.ben, waiting.id, his)];
    if (which === 2) await Promise.all(gifts.map((gift) => gift()));
    else {
      await gifts[which]!();
      const between = must(await play.api.game(null, waiting.id));
      expect(between).toMatchObject({
        status: 'pending',
        version: 2,
        fairness: {
          dealRoot: null,
          creatorSeed: which === 0 ? 'given' : 'sealed',
          accepterSeed: which === 1 ? 'given' : 'sealed',
        },
      });
      await gifts[1 - which]!();
    }
    const game = must(await play.api.game(null, waiting.id));
    expect(game).toMatchObject({ status: 'active', version: 3 });
    expect([
      game.fairness.clientSeeds[game.fairness.creator],
      playerAt(game, game.fairness.creator).id,
    ]).toEqual([hers, play.ann.id]);
    expect(Object.values(game.fairness.clientSeeds).sort()).toEqual([hers, his].sort());
    expect(game.fairness.dealRoot).toBe(rootOf(game, await play.secretOf(game.id)));
    const whole = await play.record(game.id);
    expect(chainOf(whole)).toEqual([[0, 'create'], [1, 'accept'], [2, 'seed'], [3, 'seed'], [3, 'start']]); // prettier-ignore
    expect(whole.rows[1]!.data).toMatchObject({ clientSeed: null, clientSeedHash: clientSeedHash(his) });
    must(await play.api.resign(play.ben, game.id));
    expect(await play.findings(game.id)).toMatchObject({ chain: true, clientSeeds: true, sides: true });
  });

  it('comes with the acceptance if given to the newer of two seeks before pairing', async () => {
    const [seed, terms] = [newSeed(), ownTerms(BANQI)];
    const older = must(await play.api.createSeek(play.ann, terms));
    must(await play.api.blockUser(play.ann, play.ben.username));
    play.time.forward(1);
    const younger = must(await play.api.createSeek(play.ben, terms));
    await play.give(play.ben, younger.id, seed);
    must(await play.api.unblockUser(play.ann, play.ben.username));
    await play.server.app.get(SeeksService, { strict: false }).sweep();
    const { rows } = await play.record(older.id);
    expect(rows.map(({ type }) => type)).toEqual(['create', 'accept', 'start']);
    expect(rows[1]!.data).toMatchObject({ accepter: play.ben.id, seek: younger.id, clientSeed: seed });
    expect(rows[2]!.data).toMatchObject({ creatorSeed: null, accepterSeed: seed });
    must(await play.api.resign(play.ben, older.id));
    expect(await play.findings(older.id)).toMatchObject({ begin: true, clientSeeds: true, sides: true });
  });

  it('are awaited for a rematch that both offer, too', async () => {
    const old = must(await play.api.resign(play.ben, (await begin(play.api, play.ann, play.ben, BANQI)).id));
    const [hers, his] = [newSeed(), newSeed()];
    const { id } = must(await play.api.offerRematch(play.ann, old.id, announcing(hers)));
    must(await play.api.offerRematch(play.ben, old.id, announcing(his)));
    expect(must(await play.api.game(null, id))).toMatchObject({
      status: 'pending',
      fairness: { creatorSeed: 'sealed', accepterSeed: 'sealed' },
    });
    expect((await play.give(play.ben, id, his)).game!.status).toBe('pending');
    const game = (await play.give(play.ann, id, hers)).game!;
    expect(game.status).toBe('active');
    expect(game.fairness.dealRoot).toBe(rootOf(game, await play.secretOf(id)));
    const { rows } = await play.record(id);
    expect(rows.map(({ type }) => type)).toEqual(['create', 'accept', 'seed', 'seed', 'start']);
    expect(rows[1]!.data).toMatchObject({ clientSeed: null, clientSeedHash: clientSeedHash(his), earlier: null }); // prettier-ignore
    expect(await play.findings(id)).toMatchObject({ begin: true, chain: true, clientSeeds: true });
  });
});
