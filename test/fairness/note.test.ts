import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import {
  type Note,
  parseNote,
  parseVerifierKey,
  printNote,
  printVerifierKey,
  type VerifierKey,
  verifierKey,
  verifyNote,
} from '../../src/fairness/note.js';

/** The published sample of Go's sumdb/note. */
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const SAYING = 'If you think cryptography is the answer to your problem,\nthen you don\'t know what your problem is.\n'; // prettier-ignore
const SIGNED =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const SAMPLE = `${SAYING}\n${SIGNED}`;

/** The sample of the specification, whose key is not published. */
const QUASIMODO = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`;

interface Signer {
  readonly key: VerifierKey;
  readonly secret: KeyObject;
}

function signer(name: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  return { key: verifierKey(name, Uint8Array.from(Buffer.from(x!, 'base64url'))), secret: privateKey };
}

const signed = (text: string, ...signers: readonly Signer[]): Note => ({
  text,
  signatures: signers.map(({ key: { name, keyId }, secret }) => ({
    name,
    keyId,
    bytes: Uint8Array.from(sign(null, Buffer.from(text), secret)),
  })),
});

const key = (written: string): VerifierKey => {
  const parsed = parseVerifierKey(written);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
};

const ANN = signer('play.example.org');
const BEN = signer('play.example.org/log');

const isControl = (character: string) => character < ' ' && character !== '\n';
const texts = fc
  .string({ unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constant('\n')) })
  .map((text) => `${[...text].filter((character) => !isControl(character)).join('')}\n`);
const names = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((name) => !/[\p{White_Space}\p{Cc}+]/u.test(name));
const notes = fc.record({
  text: texts,
  signatures: fc.array(
    fc.record({
      name: names,
      keyId: fc.nat(0xffffffff),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 100 }),
    }),
    { minLength: 1, maxLength: 20 },
  ),
});

describe('a note', () => {
  it('is read as Go and the specification write it', async () => {
    const peter = key(PETER);
    expect(await verifyNote(SAMPLE, [peter])).toMatchObject({
      outcome: 'valid',
      note: { text: SAYING, signatures: [{ name: 'PeterNeumann', keyId: 0xc74f20a3 }] },
      by: [peter],
    });
    const quasimodo = parseNote(QUASIMODO);
    expect(quasimodo).toMatchObject({ ok: true, value: { text: expect.stringMatching(/sole:\n\ned/) } });
    expect(quasimodo.ok && printNote(quasimodo.value)).toBe(QUASIMODO);
  });

  it('is read back as it was printed', () => {
    fc.assert(
      fc.property(notes, (note) => {
        expect(parseNote(printNote(note))).toEqual({ ok: true, value: note });
      }),
    );
  });

  it('prints what was read, for any input', () => {
    const lines = fc.constantFrom(
      '',
      'text',
      '—',
      '— a AAAAAAA=',
      '— a AAAAAAB=',
      '— a  AAAAAAA=',
      '— a AAAAAA',
    );
    fc.assert(
      fc.property(fc.array(lines), (all) => {
        const text = all.join('\n');
        const parsed = parseNote(text);
        if (parsed.ok) expect(printNote(parsed.value)).toBe(text);
      }),
    );
  });

  it.each([
    ['nothing', '', /end with a newline/],
    ['no signatures', SAYING, /empty line before/],
    ['no lines after the empty one', `${SAYING}\n`, /must be a signature/],
    ['no newline at the end', SAMPLE.slice(0, -1), /end with a newline/],
    ['a carriage return', SAMPLE.replaceAll('\n', '\r\n'), /no control characters/],
    ['a tab', SAMPLE.replace(' you', '\tyou'), /no control characters/],
    ['half of a surrogate pair', SAMPLE.replace('you', '\ud800'), /valid UTF-8/],
    ['another dash', SAMPLE.replace('—', '-'), /must be a signature/],
    ['no name', SAMPLE.replace('PeterNeumann ', ''), /must be a signature/],
    ['a name with a plus', SAMPLE.replace('PeterN', 'Peter+N'), /must be a signature/],
    ['a name with a space outside ASCII', SAMPLE.replace('PeterN', 'Peter\u00a0N'), /must be a sig/],
    ['a signature of four bytes', `${SAYING}\n— a AAAAAA==\n`, /must be a signature/],
    ['base64 with stray bits', `${SAYING}\n— a AAAAAAB=\n`, /must be a signature/],
    ['base64 without padding', `${SAYING}\n— a AAAAAAA\n`, /must be a signature/],
    ['too many signatures', `${SAYING}\n${SIGNED.repeat(101)}`, /at most 100 signatures; this one has 101/],
    ['too many characters', `${'a'.repeat(1_000_000)}${SAMPLE}`, /at most 1000000 characters/],
  ])('with %s is refused', async (_, written, why) => {
    expect(parseNote(written)).toMatchObject({ ok: false, why: expect.stringMatching(why) });
    expect(await verifyNote(written, [key(PETER)])).toMatchObject({ outcome: 'malformed' });
  });

  it('may have a hundred signatures, and a long one', () => {
    const bytes = new Uint8Array(500_000);
    const [short, long] = [
      SIGNED.repeat(99),
      printNote({ text: '', signatures: [{ name: 'a', keyId: 0, bytes }] }),
    ];
    expect(parseNote(`${SAYING}\n${short}${long.slice(1)}`)).toMatchObject({ ok: true });
  });
});

describe('verifyNote', () => {
  it('names the keys that have signed, and ignores others', async () => {
    const written = printNote(signed(SAYING, ANN, BEN));
    const by = async (...keys: VerifierKey[]) => verifyNote(written, keys);
    expect(await by(ANN.key, BEN.key)).toMatchObject({ outcome: 'valid', by: [ANN.key, BEN.key] });
    expect(await by(BEN.key)).toMatchObject({ outcome: 'valid', by: [BEN.key] });
    expect(await by(key(PETER))).toEqual({ outcome: 'unknown' });
    expect(await by()).toEqual({ outcome: 'unknown' });
    expect(await by(signer(ANN.key.name).key)).toEqual({ outcome: 'unknown' });
    expect(await by({ ...ANN.key, name: 'another' })).toEqual({ outcome: 'unknown' });
  });

  it('refuses a note with one wrong signature by a known key, beside a right one', async () => {
    const { signatures } = signed(`${SAYING}more\n`, BEN);
    const { text, signatures: right } = signed(SAYING, ANN);
    const written = printNote({ text, signatures: [...right, ...signatures] });
    expect(await verifyNote(written, [ANN.key, BEN.key])).toEqual({ outcome: 'wrong', by: BEN.key });
    expect(await verifyNote(written, [ANN.key])).toMatchObject({ outcome: 'valid' });
  });

  it('rejects an invalid key', async () => {
    const none = { ...ANN.key, publicKey: new Uint8Array(32).fill(0xff) };
    expect(await verifyNote(printNote(signed(SAYING, ANN)), [none])).toEqual({ outcome: 'wrong', by: none });
    const short = { ...ANN.key, publicKey: new Uint8Array(31) };
    expect(await verifyNote(printNote(signed(SAYING, ANN)), [short])).toEqual({
      outcome: 'wrong',
      by: short,
    });
  });

  it('refuses any changed byte at any position', async () => {
    const bytes = Buffer.from(SAMPLE);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(change, async ([at, flip]) => {
        const changed = Buffer.from(bytes);
        changed[at]! ^= flip;
        const { outcome } = await verifyNote(decoder.decode(changed), [key(PETER)]);
        expect(outcome).not.toBe('valid');
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a note with a byte missing or added', async () => {
    const places = fc.nat(SAMPLE.length);
    await fc.assert(
      fc.asyncProperty(places, fc.constantFrom('\n', 'A', ' ', '='), async (at, more) => {
        const changed = [
          SAMPLE.slice(0, at) + SAMPLE.slice(at + 1),
          SAMPLE.slice(0, at) + more + SAMPLE.slice(at),
        ];
        for (const written of changed.filter((each) => each !== SAMPLE)) {
          const { outcome } = await verifyNote(written, [key(PETER)]);
          expect(outcome).not.toBe('valid');
        }
      }),
    );
  });
});

describe('a verifier key', () => {
  it('is read back as it was printed', () => {
    fc.assert(
      fc.property(names, fc.uint8Array({ minLength: 32, maxLength: 32 }), (name, bytes) => {
        const made = verifierKey(name, bytes);
        expect(parseVerifierKey(printVerifierKey(made))).toEqual({ ok: true, value: made });
      }),
    );
    expect(printVerifierKey(key(PETER))).toBe(PETER);
  });

  it.each([
    ['nothing', '', /must be NAME/],
    ['another name', PETER.replace('Peter', 'Pete'), /key id must be/],
    ['another key id', PETER.replace('c74f20a3', 'c74f20a4'), /key id must be c74f20a3/],
    ['upper case', PETER.replace('c74f20a3', 'C74F20A3'), /must be NAME/],
    ['another type', PETER.replace('+AR', '+Ah'), /must have 0x01/],
    ['a byte missing', PETER.slice(0, -4), /must have 0x01/],
    ['a space in its name', PETER.replace('Peter', 'Peter '), /must be NAME/],
    ['a newline after it', `${PETER}\n`, /must be NAME/],
  ])('with %s is refused', (_, written, why) => {
    expect(parseVerifierKey(written)).toMatchObject({ ok: false, why: expect.stringMatching(why) });
  });
});
