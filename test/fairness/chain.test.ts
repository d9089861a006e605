import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { chained, rowHash, type RowContent } from '../../src/fairness/chain.js';

const GAME = '0198c0de-0000-7000-8000-000000000001';
const PREVIOUS = 'ae7ef3c42e4bd253efaad9bb3c04edc5639b31a3767efbc489f926bfafaf7453';

const ROW: RowContent = {
  seq: 3,
  type: 'ply',
  player: 'first',
  data: { reveals: 'N', move: 'c5', ply: 1 },
  at: '2026-01-31T09:05:00.000Z',
};

/** The canonical text written by hand; its hash comes from `printf '%s' TEXT | openssl dgst -sha256`. */
const TEXT =
  '{"at":"2026-01-31T09:05:00.000Z","data":{"move":"c5","ply":1,"reveals":"N"},' +
  `"game":"${GAME}","player":"first","previousHash":"${PREVIOUS}","seq":3,"type":"ply"}`;
const HASH = 'c485b48972ca2fdfd03b4090341886a6509e4cb37a60be79ff6c787e29f9c16f';

test('a row has the hash of its canonical text', () => {
  expect(createHash('sha256').update(TEXT).digest('hex')).toBe(HASH);
  expect(rowHash(GAME, ROW, PREVIOUS)).toBe(HASH);
  expect(chained(GAME, ROW, PREVIOUS)).toEqual({ ...ROW, previousHash: PREVIOUS, hash: HASH });
});

describe('the hash of a row', () => {
  const changes: { readonly [Field in keyof RowContent]: RowContent[Field] } = {
    seq: 4,
    type: 'seed',
    player: 'second',
    data: { ...ROW.data, reveals: null },
    at: '2026-01-31T09:05:00.001Z',
  };

  it.each(Object.entries(changes))('changes with %s', (field, value) => {
    expect(rowHash(GAME, { ...ROW, [field]: value }, PREVIOUS)).not.toBe(HASH);
  });

  it('changes with the game and with the previous hash', () => {
    expect(rowHash(GAME.replace('1', '2'), ROW, PREVIOUS)).not.toBe(HASH);
    expect(rowHash(GAME, ROW, null)).not.toBe(HASH);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const previous = Buffer.from(bytes).toString('hex');
        expect(rowHash(GAME, ROW, previous) === HASH).toBe(previous === PREVIOUS);
      }),
    );
  });

  it('leaves out further fields, and does not depend on their order', () => {
    const reversed = Object.fromEntries(Object.entries(ROW).reverse()) as unknown as RowContent;
    expect(rowHash(GAME, reversed, PREVIOUS)).toBe(HASH);
    const row = { ...ROW, hash: HASH, id: 77, note: 'private' };
    expect(rowHash(GAME, row, PREVIOUS)).toBe(HASH);
  });
});
