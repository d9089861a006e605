import { createHash } from 'node:crypto';
import fc from 'fast-check';
import * as browser from '../../src/fairness/digest.browser.js';
import * as node from '../../src/fairness/digest.js';

/** Both digests have one contract: the server's with node:crypto, and the browsers' with a package. */

const bytes = fc.uint8Array({ maxLength: 300 });
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constant('half \ud83c'));
const parts = fc.array(fc.oneof(bytes, text), { maxLength: 5 });

// RFC 4231, test case 2, and FIPS 180-2, appendix B.1.
const HMAC_2 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
const SHA_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('both export the same names', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
});

describe.each([
  ['node', node],
  ['browser', browser],
])('the digest for %s', (_, { sha256, hmac, hexOf, bytesOfHex, isHex32 }) => {
  it('is SHA-256 and HMAC-SHA-256', () => {
    expect(hexOf(sha256('abc'))).toBe(SHA_ABC);
    expect(hexOf(hmac(new TextEncoder().encode('Jefe'), 'what do ya want for nothing?'))).toBe(HMAC_2);
  });

  it('encodes text as UTF-8, and concatenates parts', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const whole = Buffer.concat(given.map((part) => Buffer.from(part as string)));
        const expected = createHash('sha256').update(whole).digest('hex');
        expect(hexOf(sha256(...given))).toBe(expected);
        expect(hexOf(sha256(Uint8Array.from(whole)))).toBe(expected);
      }),
    );
  });

  it('writes bytes as hex, and reads them again', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (given) => {
        expect(hexOf(given)).toBe(Buffer.from(given).toString('hex'));
        expect(isHex32(hexOf(given))).toBe(true);
        expect(bytesOfHex(hexOf(given))).toEqual(given);
      }),
    );
  });
});

test('both give the same results', () => {
  fc.assert(
    fc.property(parts, bytes, text, (given, key, message) => {
      expect(browser.hexOf(browser.sha256(...given))).toBe(node.hexOf(node.sha256(...given)));
      expect(browser.hexOf(browser.hmac(key, message))).toBe(node.hexOf(node.hmac(key, message)));
    }),
  );
});
