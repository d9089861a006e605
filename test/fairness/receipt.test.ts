import fc from 'fast-check';
import { contradiction, parseReceipt, type Receipt, receiptText } from '../../src/fairness/receipt.js';
import { PLAYERS, REASONS } from '../../src/rules/ruleset.js';

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const hashOrNull = fc.option(hash);
const receipts: fc.Arbitrary<Receipt> = fc.record({
  game: fc.uuid(),
  version: fc.nat(),
  commitment: hash,
  creatorSeed: hashOrNull,
  accepterSeed: hashOrNull,
  dealRoot: hashOrNull,
  hash,
  outcome: fc.option(
    fc.record({ reason: fc.constantFrom(...REASONS), winner: fc.constantFrom(...PLAYERS, null) }),
  ),
});

const RECEIPT: Receipt = {
  game: '01a2ed06-2495-72a0-8a5f-9190cb8ec783',
  version: 12,
  commitment: '1e6179b799291e58aa55037bf8281ad126f28ac1c1a10a34ed3c512bf7236843',
  creatorSeed: '9c'.repeat(32),
  accepterSeed: null,
  dealRoot: null,
  hash: '52b1'.repeat(16),
  outcome: { reason: 'resignation', winner: 'first' },
};
const TEXT = `halfmove receipt v1
game 01a2ed06-2495-72a0-8a5f-9190cb8ec783
version 12
commitment 1e6179b799291e58aa55037bf8281ad126f28ac1c1a10a34ed3c512bf7236843
creator-seed ${'9c'.repeat(32)}
accepter-seed none
deal-root none
hash ${'52b1'.repeat(16)}
outcome resignation first
`;

describe('a receipt', () => {
  it('is the text of docs/fairness.md', () => {
    expect(receiptText(RECEIPT)).toBe(TEXT);
    expect(parseReceipt(TEXT)).toEqual({ ok: true, value: RECEIPT });
    expect(receiptText({ ...RECEIPT, outcome: { reason: 'agreement', winner: null } })).toMatch(
      /\noutcome agreement nobody\n$/,
    );
  });

  it('is read back as it was printed', () => {
    fc.assert(
      fc.property(receipts, (receipt) => {
        expect(parseReceipt(receiptText(receipt))).toEqual({ ok: true, value: receipt });
      }),
    );
  });

  it('with a changed character is refused, or prints back to it', () => {
    fc.assert(
      fc.property(
        fc.nat(TEXT.length),
        fc.string({ unit: 'binary', maxLength: 1 }),
        fc.nat(1),
        (at, other, cut) => {
          const text = TEXT.slice(0, at) + other + TEXT.slice(at + cut);
          const parsed = parseReceipt(text);
          if (parsed.ok) expect(receiptText(parsed.value)).toBe(text);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['another title', TEXT.replace('v1', 'v2'), /first line of a receipt must be halfmove receipt v1/],
    ['a line missing', TEXT.replace(/deal-root.*\n/, ''), /must have 9 lines/],
    ['an extra line', `${TEXT}\n`, /must have 9 lines/],
    ['no newline at the end', TEXT.slice(0, -1), /must have 9 lines/],
    ['another order', TEXT.replace(/(version.*\n)(commitment.*\n)/, '$2$1'), /Line 3 .* line of version/],
    ['upper case', TEXT.replace('01a2ed', '01A2ED'), /Line 2 .* line of game/],
    ['a version with a leading zero', TEXT.replace('12\n', '012\n'), /Line 3/],
    ['a negative version', TEXT.replace('12\n', '-1\n'), /Line 3/],
    ['no commitment', TEXT.replace(/commitment .*/, 'commitment none'), /Line 4/],
    ['two spaces', TEXT.replace('none', ' none'), /Line 6/],
    ['another reason', TEXT.replace('resignation', 'boredom'), /Line 9 .* line of outcome/],
    ['another winner', TEXT.replace('first\n', 'white\n'), /Line 9/],
  ])('with %s is refused', (_, text, why) => {
    expect(parseReceipt(text)).toMatchObject({ ok: false, why: expect.stringMatching(why) });
  });
});

describe('two receipts', () => {
  it('for one game and version contradict each other if and only if their texts differ', () => {
    fc.assert(
      fc.property(receipts, receipts, ({ game, version }, other) => {
        const [a, b] = [RECEIPT, other].map((each) => ({ ...each, game, version }));
        expect(contradiction(a!, b!).proven).toBe(receiptText(a!) !== receiptText(b!));
      }),
    );
    const other: Receipt = {
      ...RECEIPT,
      hash: '0'.repeat(64),
      outcome: { reason: 'resignation', winner: null },
    };
    expect(contradiction(RECEIPT, other)).toEqual({ proven: true, lines: ['hash', 'outcome'] });
    expect(contradiction(RECEIPT, { ...RECEIPT, dealRoot: 'f'.repeat(64) })).toEqual({
      proven: true,
      lines: ['deal-root'],
    });
  });

  it.each([
    ['the same', RECEIPT, /say the same/],
    ['of another game', { ...RECEIPT, game: RECEIPT.game.replace('0', '1') }, /different games/],
    ['of another version', { ...RECEIPT, version: 13 }, /different versions: 12 and 13/],
  ])('that are %s prove nothing', (_, other, why) => {
    expect(contradiction(RECEIPT, other)).toEqual({ proven: false, why: expect.stringMatching(why) });
  });
});
