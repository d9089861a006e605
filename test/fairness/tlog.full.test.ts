import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { type EndEntry, type OpenEntry, parseEntry, printEntry } from '../../src/fairness/log-entry.js';
import {
  consistencyProof,
  grown,
  hashesIn,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  rootAt,
  rootOf,
  type Tile,
  type TileReader,
  tilesFor,
} from '../../src/fairness/tlog.js';
import {
  parseBundle,
  parseCheckpoint,
  parseLogProof,
  parseTilePath,
  printBundle,
  printCheckpoint,
  printLogProof,
  printTilePath,
  provenBy,
} from '../../src/fairness/tlog-formats.js';
import { runs } from '../support/scale.js';

/** The Merkle log against the vectors of Certificate Transparency, and against a separate recursion of RFC 6962. */

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** From the tests of Google's certificate-transparency. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(bytes);
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const PATH_OF_1_IN_8 = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
];
const FROM_6_TO_8 = [
  '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
  'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
];

const digest = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 6962, 2.1, word for word. */
function mth(entries: readonly Uint8Array[]): Buffer {
  if (entries.length === 0) return digest();
  if (entries.length === 1) return digest(Uint8Array.of(0), entries[0]!);
  let k = 1;
  while (k * 2 < entries.length) k *= 2;
  return digest(Uint8Array.of(1), mth(entries.slice(0, k)), mth(entries.slice(k)));
}

const entriesOf = (size: number): Uint8Array[] =>
  Array.from({ length: size }, (_, at) => Uint8Array.from(Buffer.from(`entry ${at}`)));

/** The tiles of these entries, growing batch by batch. */
function tiled(entries: readonly Uint8Array[], batch: number): TileReader {
  const rows: Uint8Array[][] = [];
  const readTile: TileReader = ({ level, index, width }: Tile) => {
    const found = rows[level]?.slice(index * 256, index * 256 + width) ?? [];
    if (found.length < width) throw new Error(`no tile ${level}/${index} of ${width}`);
    return Uint8Array.from(Buffer.concat(found));
  };
  for (let size = 0; size < entries.length; size += batch) {
    for (const { level, index, hash } of grown(
      size,
      entries.slice(size, size + batch).map(leafHash),
      readTile,
    )) {
      (rows[level] ??= [])[index] = hash;
    }
  }
  return readTile;
}

describe('the vectors of Certificate Transparency', () => {
  const read = tiled(LEAVES, 3);

  test.each(ROOTS.map((root, size) => [size, root] as const))('the root of %i entries', (size, root) => {
    expect(hex(rootOf(LEAVES.slice(0, size).map(leafHash)))).toBe(root);
    expect(hex(rootAt(size, read))).toBe(root);
  });

  test('proofs', () => {
    expect(hex(leafHash(LEAVES[0]!))).toBe(PATH_OF_1_IN_8[0]);
    expect(inclusionProof(1, 8, read).map(hex)).toEqual(PATH_OF_1_IN_8);
    expect(inclusionProof(0, 1, read)).toEqual([]);
    expect(consistencyProof(6, 8, read).map(hex)).toEqual(FROM_6_TO_8);
    expect(consistencyProof(1, 1, read)).toEqual([]);
    expect(consistencyProof(0, 8, read)).toEqual([]);
  });
});

describe('a tree in tiles', () => {
  const MOST = 1200;
  const entries = entriesOf(MOST);
  const leaves = entries.map((entry) => leafHash(entry));
  const read = tiled(entries, 97);
  const sizes = fc.integer({ min: 1, max: MOST });
  const pair = sizes.chain((size) => fc.record({ size: fc.constant(size), at: fc.nat(size - 1) }));
  const check = <T>(property: fc.IProperty<T>): void => fc.assert(property, runs(600));
  const rootBytes = (size: number) => Uint8Array.from(mth(entries.slice(0, size)));

  test('has the roots of RFC 6962, and reads no missing tile', () => {
    for (const size of [1, 255, 256, 257, 511, 512, 513, 1024, 1025, MOST]) {
      expect([size, hex(rootAt(size, read))]).toEqual([size, hex(mth(entries.slice(0, size)))]);
    }
    check(fc.property(sizes, (size) => hex(rootAt(size, read)) === hex(mth(entries.slice(0, size)))));
  });

  test('grows identically with any batch size, also over two levels', () => {
    const many = entriesOf(256 * 256 + 300).map(leafHash);
    const grownAtOnce = grown(0, many, read);
    expect(grownAtOnce.filter(({ level }) => level === 2)).toHaveLength(1);
    expect(hex(grownAtOnce.find(({ level }) => level === 2)!.hash)).toBe(hex(rootOf(many.slice(0, 65_536))));
    check(
      fc.property(
        fc.integer({ min: 1, max: 700 }),
        (batch) => hex(rootAt(MOST, tiled(entries, batch))) === hex(rootAt(MOST, read)),
      ),
    );
  });

  test('announces which tiles it reads', () => {
    check(
      fc.property(pair, ({ size, at }) => {
        const work = (reader: TileReader) => [
          ...inclusionProof(at, size, reader),
          ...consistencyProof(at, size, reader),
        ];
        const known = new Set(tilesFor(work).map((tile) => JSON.stringify(tile)));
        work((tile) => (known.has(JSON.stringify(tile)) ? read(tile) : new Uint8Array()));
      }),
    );
    expect(tilesFor((reader) => rootAt(1200, reader))).toEqual([
      { level: 1, index: 0, width: 4 },
      { level: 0, index: 4, width: 176 },
    ]);
  });

  test('proves that an entry is in it, and nothing else', () => {
    check(
      fc.property(pair, fc.nat(), ({ size, at }, spoiler) => {
        const root = rootBytes(size);
        const proof = inclusionProof(at, size, read);
        expect(isIncluded(at, size, leaves[at]!, proof, root)).toBe(true);
        expect(isIncluded(at, size, leaves[(at + 1) % MOST]!, proof, root)).toBe(false);
        expect(isIncluded(at, size, leaves[at]!, [...proof, root], root)).toBe(false);
        expect(isIncluded(size, size, leaves[at]!, proof, root)).toBe(false);
        expect(isIncluded(-1, size, leaves[at]!, proof, root)).toBe(false);
        expect(isIncluded(at + 0.5, size, leaves[at]!, proof, root)).toBe(false);
        if (size > 1) {
          expect(isIncluded(at, size, leaves[at]!, proof.slice(1), root)).toBe(false);
          expect(isIncluded(at, size, leaves[at]!, proof.slice(0, -1), root)).toBe(false);
          expect(isIncluded(at, size, leaves[at]!, spoilt(proof, spoiler), root)).toBe(false);
          expect(isIncluded((at + 1) % size, size, leaves[at]!, proof, root)).toBe(false);
        }
      }),
    );
  });

  test('proves that it has only grown, and nothing else', () => {
    check(
      fc.property(pair, fc.nat(), ({ size, at: old }, spoiler) => {
        const older = { size: old, root: rootBytes(old) };
        const newer = { size, root: rootBytes(size) };
        const proof = consistencyProof(old, size, read);
        expect(isConsistent(older, newer, proof)).toBe(true);
        expect(isConsistent({ ...older, root: leaves[0]! }, newer, proof)).toBe(old === 1);
        expect(isConsistent(older, newer, [...proof, newer.root])).toBe(false);
        expect(isConsistent(newer, newer, [])).toBe(true);
        expect(isConsistent(newer, { size, root: leafHash('other') }, [])).toBe(false);
        expect(isConsistent(newer, older, proof)).toBe(false);
        if (old === 0) return;
        expect(isConsistent(older, { ...newer, root: leaves[1]! }, proof)).toBe(false);
        if (proof.length === 0) return;
        expect(isConsistent(older, newer, proof.slice(1))).toBe(false);
        expect(isConsistent(older, newer, spoilt(proof, spoiler))).toBe(false);
      }),
    );
  });
});

/** With one bit flipped. */
function spoilt(proof: readonly Uint8Array[], spoiler: number): Uint8Array[] {
  const copy = proof.map((hash) => Uint8Array.from(hash));
  copy[spoiler % copy.length]![spoiler % 32]! ^= 1;
  return copy;
}

describe('the texts', () => {
  test.each([
    ['0/000', { level: 0, index: 0, width: 256 }],
    ['1/x001/x234/067', { level: 1, index: 1_234_067, width: 256 }],
    ['63/x001/000.p/1', { level: 63, index: 1000, width: 1 }],
    ['entries/999.p/255', { level: 'entries', index: 999, width: 255 }],
  ] as const)('%s is a tile', (text, path) => {
    expect(parseTilePath(text)).toEqual(path);
    expect(printTilePath(path)).toBe(text);
  });

  test.each(
    '0/0 0/0000 00/000 64/000 0/x000/001 0/001/002 0/x001 0/000.p/0 0/000.p/256 0/000.p/01 0/000.p/ /000 entries entries/ -1/000 0/000/ 0/x001/000.p/1x 0/x999/x999/x999/x999/x999/999'.split(
      ' ',
    ),
  )('%s is not a tile', (text) => expect(parseTilePath(text)).toBeNull());

  test('bundles of entries', () => {
    const lists = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 30 });
    fc.assert(
      fc.property(lists, (list) => {
        expect(parseBundle(printBundle(list))).toEqual({ ok: true, value: list });
      }),
    );
    for (const cut of ['00', '0001', '000161ff', '00016100']) expect(parseBundle(bytes(cut)).ok).toBe(false);
  });

  const root = leafHash('');
  const checkpoint = { origin: 'example.com/log', size: 8, root };
  const text = printCheckpoint(checkpoint);

  test('checkpoints', () => {
    expect(text).toBe('example.com/log\n8\nbjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=\n');
    expect(parseCheckpoint(text)).toEqual({ ok: true, value: checkpoint });
  });

  test.each([
    text.slice(0, -1),
    `${text}more\n`,
    text.replace('\n8', '\n08'),
    text.replace('\n8', '\n-8'),
    text.replace('\n8', '\n9007199254740992'),
    text.replace('B0=', 'B0'),
    text.replace('B0=', 'B1='),
    text.replace('example.com/log', ''),
    '',
  ])('%j is not a checkpoint', (broken) => expect(parseCheckpoint(broken).ok).toBe(false));

  test('proofs, of entries in the tree of their checkpoint', () => {
    const read = tiled(LEAVES, 8);
    const note = `${printCheckpoint({ ...checkpoint, root: rootAt(8, read) })}\n— example.com/log AAAAAAAA\n`;
    const proof = { index: 5, path: inclusionProof(5, 8, read), checkpoint: note };
    const written = printLogProof(proof);
    expect(parseLogProof(written)).toEqual({ ok: true, value: proof });
    expect(provenBy(proof, LEAVES[5]!)).toMatchObject({
      ok: true,
      value: { origin: 'example.com/log', size: 8 },
    });
    expect(provenBy(proof, LEAVES[4]!)).toMatchObject({ ok: false });
    expect(provenBy({ ...proof, index: 4 }, LEAVES[5]!)).toMatchObject({ ok: false });
    for (const [from, to] of [
      ['@v1', '@v2'],
      ['index 5', 'index 05'],
      ['index 5', 'index'],
      ['index 5', 'extra YQ==\nindex 5'],
      ['index 5\n', 'index 5\nYQ==\n'],
      ['\n\n', '\n'],
    ] as const)
      expect([to, parseLogProof(written.replace(from, to)).ok]).toEqual([to, false]);
  });
});

describe('entries', () => {
  const game = '01a2ed06-2495-72a0-8a5f-9190cb8ec783';
  const hash = 'ab'.repeat(32);
  const opened: OpenEntry = { type: 'open', game, commitment: hash, hash };
  const ended: EndEntry = {
    ...{ type: 'end', game, end: 'aborted', by: 'both', hash, serverSeed: null },
    outcome: { winner: null, reason: 'aborted' },
  };

  test('are read back as they are printed', () => {
    expect(printEntry(opened)).toBe(
      `{"commitment":"${hash}","game":"${game}","hash":"${hash}","type":"open"}`,
    );
    for (const entry of [opened, ended]) {
      expect(parseEntry(printEntry(entry))).toEqual({ ok: true, value: entry });
    }
  });

  test.each([
    ['', '{'],
    ['', 'null'],
    ['', '[]'],
    ['', '"open"'],
    ['"type":"open"', '"type":"other"'],
    ['"type":"open"', '"type":"open","x":1'],
    ['{"commitment"', '{ "commitment"'],
    ['{"commitment"', '{"commitment":"","commitment"'],
    [game, game.toUpperCase()],
    [hash, hash.slice(1)],
    [hash, hash.toUpperCase()],
  ])('refuse %j as %j', (from, to) => {
    expect(parseEntry(from === '' ? to : printEntry(opened).replace(from, to)).ok).toBe(false);
  });

  test.each([
    { end: 'finished' },
    { end: 'declined' },
    { end: 'lost' },
    { by: null },
    { by: 'nobody' },
    { outcome: null },
    { outcome: { winner: 'white', reason: 'aborted' } },
    { outcome: { winner: null, reason: 'aborted', more: 1 } },
    { serverSeed: '' },
  ])('refuse an end that says %j', (change) => {
    expect(parseEntry(printEntry({ ...ended, ...change } as EndEntry)).ok).toBe(false);
  });
});

test('the hashes of a tile are its parts', () => {
  expect(
    hashesIn(Uint8Array.from([...ROOTS.slice(0, 2)].flatMap((root) => [...bytes(root)]))).map(hex),
  ).toEqual(ROOTS.slice(0, 2));
});
