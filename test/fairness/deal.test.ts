import { readFileSync } from 'node:fs';
import { commitment } from '../../src/fairness/commitment.js';
import { canBeDrawn, deal, sides, type Dealt, type Seeds } from '../../src/fairness/deal.js';
import { salt } from '../../src/fairness/merkle.js';

/** A line of deals-2.jsonl. */
interface Vector extends Omit<Seeds, 'serverSeed'> {
  readonly ruleset: string;
  readonly serverSeed: string;
  readonly commitment: string;
  readonly creatorFirst: boolean;
  readonly square: string;
  readonly salt: string;
  readonly deal: string;
}

const BANQI: Dealt = { chance: 'deal', dealing: ['KAABBRRNNCCPPPPPkaabbrrnnccppppp'] };
const HALF_COURT: Dealt = { chance: 'setup', dealing: ['KQRBN', 'kqrbn'] };

/** The lists as in the text of the rules, so that the vectors do not depend on the registry. */
const DEALT: Readonly<Record<string, Dealt>> = {
  'banqi-hongkong': BANQI,
  'banqi-taiwan': BANQI,
  'half-chess': { chance: 'deal', dealing: ['KQRRBBNNPPPPPPPPkqrrbbnnpppppppp'] },
  'half-court-chess': HALF_COURT,
};

const vectors = readFileSync(new URL('../vectors/deals-2.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);

const SEED = Buffer.from('62377bbc3fa9bb96df0fc0c0e1f419e396906d916e95bcd0d95692f2e6873c44', 'hex');

const seedsFor = (gameId: string, more: Partial<Seeds> = {}): Seeds => ({
  gameId,
  serverSeed: SEED,
  creatorSeed: null,
  accepterSeed: null,
  ...more,
});

describe('the deal vectors', () => {
  it('are complete', () => expect(vectors).toHaveLength(200));

  it.each(vectors.map((vector) => [`${vector.ruleset} ${vector.gameId}`, vector] as const))(
    '%s',
    (_, { serverSeed, ...vector }) => {
      const seeds: Seeds = { ...vector, serverSeed: Buffer.from(serverSeed, 'hex') };
      expect(commitment(seeds.serverSeed)).toBe(vector.commitment);
      expect(deal(DEALT[vector.ruleset]!, seeds)).toBe(vector.deal);
      expect(sides(seeds) === 'creator').toBe(vector.creatorFirst);
      expect(salt(seeds, vector.square)).toBe(vector.salt);
    },
  );
});

describe('deal', () => {
  it('is null if nothing is random', () => {
    expect(deal({ chance: 'none', dealing: [] }, seedsFor('g1'))).toBeNull();
  });

  it('depends on each of the seeds and on the game', () => {
    const seeds = seedsFor('g1');
    const others: readonly Partial<Seeds>[] = [
      {},
      { gameId: 'g2' },
      { serverSeed: new Uint8Array(32) },
      { creatorSeed: 'x' },
      { creatorSeed: '' },
      { accepterSeed: 'x' },
      { accepterSeed: '' },
    ];
    expect(new Set(others.map((other) => deal(BANQI, { ...seeds, ...other }))).size).toBe(others.length);
  });

  it('puts every piece on every square about equally often', () => {
    const letters = 'abcdefgh';
    const games = 8000;
    const counts = new Map<string, number>();
    for (let game = 0; game < games; game++) {
      const dealt = deal({ chance: 'deal', dealing: [letters] }, seedsFor(`uniform-${game}`))!;
      [...dealt].forEach((letter, at) => counts.set(letter + at, (counts.get(letter + at) ?? 0) + 1));
    }
    const expected = games / letters.length;
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    expect(counts.size).toBe(letters.length ** 2);
    // 49 degrees of freedom: beyond 85.4 with a chance of 1 in 1000.
    expect(chiSquare).toBeLessThan(85.4);
  });

  it('gives every order of a short list about equally often', () => {
    const games = 12000;
    const counts = new Map<string, number>();
    for (let game = 0; game < games; game++) {
      const order = deal({ chance: 'deal', dealing: ['abcd'] }, seedsFor(`order-${game}`))!;
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
    expect(counts.size).toBe(24);
    // 23 degrees of freedom: beyond 49.7 with a chance of 1 in 1000.
    expect(chiSquare).toBeLessThan(49.7);
  });
});

describe('canBeDrawn', () => {
  it('accepts every drawn text', () => {
    for (const vector of vectors) {
      expect(canBeDrawn(DEALT[vector.ruleset]!, vector.deal)).toBe(true);
    }
  });

  it.each(['', 'NQRBK', 'NQRBK/', 'NQRBKqbnrk', 'nqrbk/QBNRK', 'NNRBK/qbnrk', 'NQRBK/qbnrk/', 'NQRBK/qbnrx'])(
    'refuses the set-up %j',
    (text) => expect(canBeDrawn(HALF_COURT, text)).toBe(false),
  );

  it.each(['', 'KAABBRRNNCCPPPPPkaabbrrnnccpppp', 'KAABBRRNNCCPPPPPkaabbrrnnccppppP', 'KAAB/BRRN/NCCP/PPPP'])(
    'refuses the deal %j',
    (text) => expect(canBeDrawn(BANQI, text)).toBe(false),
  );
});

describe('sides', () => {
  // First bytes by `printf '["halfmove sides 2","g1","a","x"]' | openssl dgst -sha256 -mac HMAC -macopt hexkey:6237...`: 26, 11, dd, d6.
  it.each([
    ['a', 'creator'],
    ['b', 'accepter'],
    ['c', 'accepter'],
    ['d', 'creator'],
  ])('creator seed %s, accepter seed x: the %s moves first', (creatorSeed, mover) => {
    expect(sides(seedsFor('g1', { creatorSeed, accepterSeed: 'x' }))).toBe(mover);
  });

  it('favours neither player', () => {
    const games = 4000;
    const movers = Array.from({ length: games }, (_, game) => sides(seedsFor(`g${game}`)));
    const created = movers.filter((mover) => mover === 'creator').length;
    expect(Math.abs(created - games / 2)).toBeLessThan(110);
  });
});
