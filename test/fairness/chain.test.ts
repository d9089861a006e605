import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { plyHash, termsHash, type PlyContent, type Terms } from '../../src/fairness/chain.js';

const TERMS: Terms = {
  game: 'g1',
  ruleset: 'banqi-taiwan',
  options: { quietLimit: 60, perpetualAttack: 'draw', darkCaptures: false },
  players: { second: 'u-2', first: 'u-1' },
  timeControl: { seconds: 86400, kind: 'perMove' },
  commitment: 'ae7ef3c42e4bd253efaad9bb3c04edc5639b31a3767efbc489f926bfafaf7453',
};

const PLY: PlyContent = {
  game: 'g1',
  seq: 1,
  ply: 1,
  player: 'first',
  move: 'c5',
  reveals: 'N',
  san: 'c5(N)',
  position: 'xxxx/xxxx/xxxx/xxNx/xxxx/xxxx/xxxx/xxxx second r - 0 2',
  timeUsed: 3600,
  automatic: false,
  playedAt: '2026-01-31T09:05:00.000Z',
};

/** The canonical texts written by hand; their hashes come from `printf '%s' TEXT | openssl dgst -sha256`. */
const TERMS_TEXT =
  '{"commitment":"ae7ef3c42e4bd253efaad9bb3c04edc5639b31a3767efbc489f926bfafaf7453","game":"g1",' +
  '"options":{"darkCaptures":false,"perpetualAttack":"draw","quietLimit":60},' +
  '"players":{"first":"u-1","second":"u-2"},"ruleset":"banqi-taiwan",' +
  '"timeControl":{"kind":"perMove","seconds":86400}}';
const TERMS_HASH = 'aa4f9f6c5cf64df0f33e1ffbbdf8bc19e9748a1d08018a21f86eedda168865c6';
const PLY_TEXT =
  '{"automatic":false,"game":"g1","move":"c5","playedAt":"2026-01-31T09:05:00.000Z","player":"first","ply":1,' +
  '"position":"xxxx/xxxx/xxxx/xxNx/xxxx/xxxx/xxxx/xxxx second r - 0 2",' +
  `"previousHash":"${TERMS_HASH}","reveals":"N","san":"c5(N)","seq":1,"timeUsed":3600}`;
const PLY_HASH = '991e2842e2951daf51fd514e9859d6c4d64c03f2696ed0e99010a594dd65e042';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('known answers', () => {
  it('of the terms', () => {
    expect(sha256(TERMS_TEXT)).toBe(TERMS_HASH);
    expect(termsHash(TERMS)).toBe(TERMS_HASH);
  });

  it('of a ply', () => {
    expect(sha256(PLY_TEXT)).toBe(PLY_HASH);
    expect(plyHash(TERMS_HASH, PLY)).toBe(PLY_HASH);
  });
});

describe('termsHash', () => {
  const changes: readonly Partial<Terms>[] = [
    { game: 'g2' },
    { ruleset: 'banqi-hongkong' },
    { options: { ...TERMS.options, quietLimit: 61 } },
    { options: { ...TERMS.options, quietLimit: '60' } },
    { players: { first: 'u-2', second: 'u-1' } },
    { timeControl: { kind: 'none' } },
    { timeControl: { kind: 'perMove', seconds: 86401 } },
    { commitment: '0'.repeat(64) },
  ];

  it.each(changes)('changes with %j', (change) => {
    expect(termsHash({ ...TERMS, ...change })).not.toBe(TERMS_HASH);
  });

  it('leaves out what is not part of the terms', () => {
    const row = { ...TERMS, players: { ...TERMS.players, moderator: 'u-3' }, rated: true };
    expect(termsHash(row)).toBe(TERMS_HASH);
  });
});

describe('plyHash', () => {
  const changes: { readonly [Field in keyof PlyContent]: PlyContent[Field] } = {
    game: 'g2',
    seq: 2,
    ply: 2,
    player: 'second',
    move: 'c6',
    reveals: null,
    san: 'c5(n)',
    position: 'xxxx/xxxx/xxxx/xxnx/xxxx/xxxx/xxxx/xxxx second b - 0 2',
    timeUsed: 3601,
    automatic: true,
    playedAt: '2026-01-31T09:05:00.001Z',
  };

  it.each(Object.entries(changes))('changes with %s', (field, value) => {
    expect(plyHash(TERMS_HASH, { ...PLY, [field]: value })).not.toBe(PLY_HASH);
  });

  it('changes with the previous hash', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const previous = Buffer.from(bytes).toString('hex');
        expect(plyHash(previous, PLY) === PLY_HASH).toBe(previous === TERMS_HASH);
      }),
    );
  });

  it('leaves out what is not public', () => {
    const row = { ...PLY, hash: PLY_HASH, id: 77, note: 'private' };
    expect(plyHash(TERMS_HASH, row)).toBe(PLY_HASH);
  });

  it('does not depend on the order of the fields', () => {
    const reversed = Object.fromEntries(Object.entries(PLY).reverse()) as unknown as PlyContent;
    expect(plyHash(TERMS_HASH, reversed)).toBe(PLY_HASH);
  });
});
