import fc from 'fast-check';
import {
  clientSeedHash,
  commitment,
  parseClientSeed,
  parseServerSeed,
} from '../../src/fairness/commitment.js';

describe('commitment', () => {
  it('is the SHA-256 of the 32 bytes, not of their hex', () => {
    expect(commitment(new Uint8Array(32))).toBe(
      '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925',
    );
  });
});

describe('clientSeedHash', () => {
  // Checked with `printf lucky | openssl dgst -sha256`.
  it('is the SHA-256 of the seed', () => {
    expect(clientSeedHash('lucky')).toBe('db9fbddbd7caeff7a326645c1bb47116eb3fd4ae3834bf5039fc5d47386786f5');
    expect(clientSeedHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});

describe('parseClientSeed', () => {
  it('accepts 32 lower-case hex digits', () => {
    const seed = '0123456789abcdef0123456789abcdef';
    expect(parseClientSeed(seed)).toEqual({ ok: true, value: seed });
  });

  it.each([
    '',
    'lucky',
    'a'.repeat(31),
    'a'.repeat(33),
    'A'.repeat(32),
    'g'.repeat(32),
    `${'a'.repeat(32)}\n`,
  ])('refuses %j', (text) => {
    expect(parseClientSeed(text)).toMatchObject({
      ok: false,
      refusal: { code: 'INVALID_SEED', field: 'clientSeed' },
    });
  });
});

describe('parseServerSeed', () => {
  it('reads 64 lower-case hex digits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        expect(parseServerSeed(Buffer.from(seed).toString('hex'))).toEqual({ ok: true, value: seed });
      }),
    );
  });

  it.each(['', 'ab', 'A'.repeat(64), 'g'.repeat(64), '0'.repeat(63), `${'0'.repeat(64)}\n`])(
    'refuses %j',
    (text) => {
      expect(parseServerSeed(text)).toMatchObject({ ok: false, refusal: { code: 'INVALID_SEED' } });
    },
  );
});
