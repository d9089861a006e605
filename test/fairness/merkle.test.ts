import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { squareName } from '../../src/rules/board.js';
import { dealRoot, prove, verifyProof, type Proof, type SealedDeal } from '../../src/fairness/merkle.js';

/** A deal of Banqi; the tree does not ask how it was drawn. */
const BANQI: SealedDeal = {
  gameId: 'g1',
  serverSeed: Buffer.from('62377bbc3fa9bb96df0fc0c0e1f419e396906d916e95bcd0d95692f2e6873c44', 'hex'),
  board: { files: 4, ranks: 8 },
  deal: 'ApanPpPnpcCBaBPrpkRCNKRPbNcrpPAb',
};

const letters = fc.constantFrom(...'KABRNCPkabrncp');

const sealedDeals: fc.Arbitrary<SealedDeal> = fc
  .record({ files: fc.integer({ min: 1, max: 8 }), ranks: fc.integer({ min: 1, max: 8 }) })
  .chain((board) => {
    const squares = board.files * board.ranks;
    return fc.record({
      gameId: fc.uuid(),
      serverSeed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      board: fc.constant(board),
      deal: fc.string({ unit: letters, minLength: squares, maxLength: squares }),
    });
  });

const squaresOf = ({ board, deal }: SealedDeal): readonly string[] =>
  [...deal].map((_, index) => squareName(board, index));

/** The text with the hex digit at one position changed. */
const altered = (hex: string, at: number): string => {
  const place = at % hex.length;
  const digit = hex[place] === '0' ? '1' : '0';
  return hex.slice(0, place) + digit + hex.slice(place + 1);
};

describe('dealRoot', () => {
  // Computed by a short Python program that shares nothing with this code.
  it('of a Banqi deal', () => {
    expect(dealRoot(BANQI)).toBe('2264dc23c82739e57b1e39c1ff9f97fecddd6e6660c36f046e5a5f0955d015df');
  });

  it('of three squares: the third moves up a level', () => {
    const sealed: SealedDeal = { ...BANQI, board: { files: 3, ranks: 1 }, deal: 'KaP' };
    const leaf = (square: string, piece: string): Buffer => {
      const salt = createHmac('sha256', sealed.serverSeed)
        .update(`["halfmove salt 2","g1","${square}"]`)
        .digest('hex');
      return createHash('sha256').update(`leaf:${square}:${piece}:${salt}`).digest();
    };
    const node = (left: Buffer, right: Buffer): Buffer =>
      createHash('sha256')
        .update(Buffer.concat([Buffer.from([1]), left, right]))
        .digest();
    const root = node(node(leaf('a1', 'K'), leaf('b1', 'a')), leaf('c1', 'P'));
    expect(dealRoot(sealed)).toBe(root.toString('hex'));
    expect(prove(sealed, 'c1').path).toEqual([node(leaf('a1', 'K'), leaf('b1', 'a')).toString('hex')]);
  });
});

describe('prove', () => {
  it('gives the salt of its square and five siblings for 32 squares', () => {
    const proof = prove(BANQI, 'c5');
    // Checked with `printf '["halfmove salt 2","g1","c5"]' | openssl dgst -sha256 -mac HMAC -macopt hexkey:6237...`.
    expect(proof.salt).toBe('1bc9b19b933a2539ff73567c0688254b7c9adf72173c24b1a3d7f0b5cb0d202e');
    expect(proof.path).toHaveLength(5);
  });

  it('reveals no salt of another square', () => {
    const salts = new Map(squaresOf(BANQI).map((square) => [square, prove(BANQI, square).salt]));
    for (const [square] of salts) {
      const shown = JSON.stringify(prove(BANQI, square));
      for (const [other, salt] of salts) expect(shown.includes(salt)).toBe(other === square);
    }
  });

  it('proves every square of every board', () => {
    fc.assert(
      fc.property(sealedDeals, (sealed) => {
        const root = dealRoot(sealed);
        squaresOf(sealed).forEach((square, index) => {
          expect(verifyProof(root, sealed.board, square, sealed.deal[index]!, prove(sealed, square))).toBe(
            true,
          );
        });
      }),
    );
  });
});

describe('verifyProof', () => {
  const root = dealRoot(BANQI);
  const holds = (square: string, piece: string, proof: Proof, under = root): boolean =>
    verifyProof(under, BANQI.board, square, piece, proof);

  it('fails when any digit of salt, path or root is altered', () => {
    fc.assert(
      fc.property(fc.nat(31), fc.nat(4), fc.nat(63), (index, level, at) => {
        const square = squareName(BANQI.board, index);
        const piece = BANQI.deal[index]!;
        const { salt, path } = prove(BANQI, square);
        expect(holds(square, piece, { salt, path })).toBe(true);
        expect(holds(square, piece, { salt: altered(salt, at), path })).toBe(false);
        expect(holds(square, piece, { salt, path: path.with(level, altered(path[level]!, at)) })).toBe(false);
        expect(holds(square, piece, { salt, path }, altered(root, at))).toBe(false);
      }),
    );
  });

  it('fails for any other piece and any other square', () => {
    fc.assert(
      fc.property(fc.nat(31), fc.nat(31), letters, (index, other, piece) => {
        const square = squareName(BANQI.board, index);
        const proof = prove(BANQI, square);
        expect(holds(square, piece, proof)).toBe(piece === BANQI.deal[index]);
        expect(holds(squareName(BANQI.board, other), BANQI.deal[index]!, proof)).toBe(other === index);
      }),
    );
  });

  it('fails for anything malformed', () => {
    const { salt, path } = prove(BANQI, 'a1');
    expect(holds('a1', 'A', { salt, path })).toBe(true);
    expect(holds('a1', 'A', { salt, path: path.slice(1) })).toBe(false);
    expect(holds('a1', 'A', { salt, path: [...path, salt] })).toBe(false);
    expect(holds('a1', 'A', { salt, path: path.with(0, path[0]!.toUpperCase()) })).toBe(false);
    expect(holds('a1', 'A', { salt: 'zz', path })).toBe(false);
    expect(holds('a9', 'A', { salt, path })).toBe(false);
    expect(holds('a1', '', { salt, path })).toBe(false);
    expect(holds('a1', 'A', { salt, path }, '')).toBe(false);
  });
});
