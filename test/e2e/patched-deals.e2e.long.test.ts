import { DealsService } from '../../src/engine/deals.service.js';
import { DealsStore } from '../../src/engine/deals.store.js';
import { clientSeedHash, commitment } from '../../src/fairness/commitment.js';
import { deal } from '../../src/fairness/deal.js';
import { identity } from '../../src/rules/deal.js';
import { rulesetById } from '../../src/rules/registry.js';
import { rowOf } from '../fairness/tampering/tampering.js';
import { findSeed } from '../support/cheat.js';
import { newSeed } from '../support/chosen-deals.js';
import { CheatingServer } from '../support/cheating-server.js';
import type { Person } from '../support/people.js';
import type { Game } from '../support/api-types.js';
import { must } from '../support/transport.js';

/** Servers that cheat about the deal: what a player or a third party holds proves each case. */
// Long: it opens many databases.

const banqi = rulesetById('banqi-taiwan')!;

let scene: CheatingServer;
beforeAll(async () => {
  scene = await CheatingServer.start();
});
afterAll(() => scene.close());

/** Ben accepts with this seed, and the game ends. */
async function resignedBy(person: Person, id: string, clientSeed: string): Promise<Game> {
  must(await scene.api.acceptChallenge(scene.ben, id, { clientSeed }));
  return must(await scene.api.resign(person, id));
}

/** The piece on a1. */
const firstPiece = (gameId: string, serverSeed: Buffer, creatorSeed: string | null, accepterSeed: string | null) =>
  identity(banqi, deal(banqi, { gameId, serverSeed, creatorSeed, accepterSeed })!, 'a1'); // prettier-ignore

describe('a server that chooses the deal', () => {
  test('against the creator’s seed is exposed by the receipt of the opening, and by the log', async () => {
    const [hers, his] = [newSeed(), newSeed()];
    const opened = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    const proof = await scene.proofOf(opened.id, 'open');
    must(await scene.api.giveClientSeed(scene.ann, opened.id, hers));
    // Ben has told a friend his seed.
    await scene.cheat.reseed(opened.id, (seed) => firstPiece(opened.id, seed, hers, his) === 'K');
    must(await scene.api.acceptChallenge(scene.ben, opened.id, { clientSeed: his }));
    const game = must(await scene.api.makeMove(scene.ann, opened.id, 1, 'a1'));
    expect(game.position).toContain('K');
    const { receipt: last } = must(await scene.api.resign(scene.ben, opened.id)).fairness;
    // With only what came after her seed nothing fails, and the report names what is missing.
    const after = {
      receipts: [game.fairness.receipt, last],
      proofs: [await scene.proofOf(opened.id, 'end')],
      player: scene.ann.id,
    };
    expect(await scene.verified(opened.id, after)).toEqual({ code: 3, failed: [], open: ['committed'] });
    expect(await scene.failed(opened.id, { receipts: [opened.receipt] })).toEqual(['receipt']);
    expect(await scene.failed(opened.id, { proofs: [proof] })).toEqual(['log']);
  });

  test('against the accepter’s seed is exposed by the receipt shown before the acceptance', async () => {
    const his = newSeed();
    const opened = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    must(await scene.api.giveClientSeed(scene.ann, opened.id, newSeed()));
    const shown = must(await scene.api.challenge(scene.ben, opened.id));
    const { receipt } = (await resignedBy(scene.ann, opened.id, his)).fairness;
    const honest = { receipts: [shown.receipt, receipt], player: 'accepter' };
    expect(await scene.verified(opened.id, honest)).toEqual({ code: 0, failed: [], open: [] });
    // She has nothing from before her own seed.
    expect((await scene.verified(opened.id, { ...honest, player: 'creator' })).open).toEqual(['committed']);

    const other = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    const before = must(await scene.api.challenge(scene.ben, other.id));
    const hers = newSeed();
    must(await scene.api.giveClientSeed(scene.ann, other.id, hers));
    const known = newSeed();
    await scene.cheat.reseed(other.id, (seed) => firstPiece(other.id, seed, hers, known) === 'k');
    const after = await resignedBy(scene.ann, other.id, known);
    const held = { receipts: [after.fairness.receipt], player: scene.ben.id };
    expect(await scene.verified(other.id, held)).toEqual({ code: 3, failed: [], open: ['committed'] });
    expect((await scene.verified(other.id, { ...held, receipts: [before.receipt, after.fairness.receipt] })).failed).toEqual(['receipt']); // prettier-ignore
  });

  test('before it has committed gains nothing: the players’ seeds come after', async () => {
    const deals = scene.server.app.get(DealsService, { strict: false });
    const honest = Object.getOwnPropertyDescriptor(deals, 'commit');
    let ground: Buffer = Buffer.alloc(0);
    const grinding: DealsService['commit'] = async (tx, gameId, at) => {
      ground = findSeed((seed) => firstPiece(gameId, seed, null, null) === 'K');
      await scene.server.app.get(DealsStore).insert(tx, gameId, ground, at);
      return commitment(ground);
    };
    Object.assign(deals, { commit: grinding });
    const opened = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    if (honest === undefined) delete (deals as Partial<DealsService>).commit;
    must(await scene.api.giveClientSeed(scene.ann, opened.id, newSeed()));
    must(await scene.api.acceptChallenge(scene.ben, opened.id, { clientSeed: newSeed() }));
    must(await scene.api.resign(scene.ann, opened.id));
    const held = { receipts: [opened.receipt], proofs: [await scene.proofOf(opened.id, 'end')] };
    expect(await scene.failed(opened.id, held)).toEqual([]);
    // The favoured deal is as frequent as by chance: one deal in 32.
    const liked = Array.from({ length: 1000 }, () => firstPiece(opened.id, ground, newSeed(), newSeed()));
    expect(liked.filter((piece) => piece === 'K').length).toBeLessThan(90);
  });

  test('by denying the creator’s seed is exposed by the receipt of that seed', async () => {
    const hers = newSeed();
    const opened = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    const { challenge } = must(await scene.api.giveClientSeed(scene.ann, opened.id, hers));
    expect(challenge.receipt).toContain(`creator-seed ${clientSeedHash(hers)}`);
    await scene.cheat.reopen(opened.id, {
      creatorClientSeed: null,
      creatorClientSeedHash: null,
      creatorSeedAt: null,
    });
    must(await scene.api.acceptChallenge(scene.ben, opened.id, { clientSeed: newSeed() }));
    must(await scene.api.resign(scene.ben, opened.id));
    expect(rowOf(await scene.recordOf(opened.id), 'start').data['creatorSeed']).toBeNull();
    expect(await scene.failed(opened.id)).toEqual([]);
    expect(await scene.failed(opened.id, { receipts: [challenge.receipt] })).toEqual(['receipt']);
  });
});

describe('a server that publishes another seed or another piece', () => {
  const patch = <Name extends 'publish' | 'turnUp'>(name: Name, made: DealsService[Name]): (() => void) => {
    const deals = scene.server.app.get(DealsService, { strict: false });
    const own = Object.getOwnPropertyDescriptor(deals, name);
    Object.assign(deals, { [name]: made });
    return () => (own === undefined ? delete (deals as Partial<DealsService>)[name] : Object.defineProperty(deals, name, own)); // prettier-ignore
  };

  test.each([
    ['publishes another seed', () => Promise.resolve('5'.repeat(64)), ['commitment', 'dealRoot']],
    ['withholds the seed', () => Promise.resolve(null), ['commitment']],
  ])('that %s fails at once', async (_, publish, checks) => {
    const { id } = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    must(await scene.api.acceptChallenge(scene.ben, id));
    must(await scene.api.makeMove(scene.ann, id, 1, 'a1'));
    must(await scene.api.resign(scene.ben, id));
    const mend = patch('publish', publish);
    // The other deal may have the same piece on a1.
    const found = (await scene.failed(id)).filter((check) => check !== 'reveals');
    mend();
    expect(found).toEqual(checks);
    expect(await scene.failed(id)).toEqual([]);
  });

  test('that turns up another piece than was dealt is exposed by its proof during the game', async () => {
    const { id } = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    must(await scene.api.acceptChallenge(scene.ben, id));
    const deals = scene.server.app.get(DealsService, { strict: false });
    const honest = deals.turnUp.bind(deals);
    const mend = patch('turnUp', async (game, square) => {
      const { piece, proof } = await honest(game, square);
      return { piece: piece === 'K' ? 'A' : 'K', proof };
    });
    must(await scene.api.makeMove(scene.ann, id, 1, 'a1'));
    mend();
    expect(await scene.failed(id)).toEqual(['proofs']);
    must(await scene.api.resign(scene.ben, id));
    expect(await scene.failed(id)).toEqual(['reveals', 'proofs']);
  });
});
