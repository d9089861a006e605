import { KEY_USES, SigningService } from '../../src/engine/signing.service.js';
import { parseNote, parseVerifierKey, type VerifierKey, verifyNote } from '../../src/fairness/note.js';

const [OLD, NEW] = ['an old secret of 32 bytes or more', 'the new secret of 32 bytes or more'];
const signing = (publicUrl: string | null, ...signingSecrets: string[]) =>
  new SigningService({ cacheMb: 128, publicUrl, signingSecrets });

const keysOf = (texts: readonly string[]): readonly VerifierKey[] =>
  texts.map((text) => {
    const key = parseVerifierKey(text);
    if (!key.ok) throw new Error(key.why);
    return key.value;
  });

test.each([
  ['https://play.example.org', 'play.example.org'],
  ['http://127.0.0.1:3000', '127.0.0.1:3000'],
  ['https://example.org/games', 'example.org/games'],
  ['https://example.org/a+b c', 'example.org/a%2Bb%20c'],
  [null, 'localhost'],
])('names the keys of %s %s', (publicUrl, name) => {
  const signer = signing(publicUrl, OLD);
  expect([signer.name, signer.origin]).toEqual([name, `${name}/log`]);
  const all = KEY_USES.flatMap((use) => keysOf(signer.verifierKeys(use)));
  expect(all.map((key) => key.name)).toEqual([name, `${name}/log`]);
});

test('derives a key only from the secret and its use', () => {
  expect(signing(null, OLD).verifierKeys('receipts')).toEqual(signing(null, OLD).verifierKeys('receipts'));
  const all = [OLD, NEW].flatMap((secret) => {
    const signer = signing(null, secret);
    return [...signer.verifierKeys('receipts'), ...signer.verifierKeys('log')];
  });
  expect(new Set(all).size).toBe(4);
});

// The 32 bytes as `openssl kdf` (HKDF, SHA-256) and `openssl pkey` derive them.
test.each([
  ['receipts', 'Bz/Xjaam5oa9qs/y6sXmg3g8ZtYUUBUdAy+PAME0epk='],
  ['log', 'zgrK2z7l59tmjE3Jhp661GViPJhiAHJgXKhEkptUiv0='],
] as const)('derives the key for %s as other programs do', (use, bytes) => {
  const [key] = keysOf(signing(null, OLD).verifierKeys(use));
  expect(Buffer.from(key!.publicKey).toString('base64')).toBe(bytes);
});

test('signs with the key of the use, and no other key verifies it', async () => {
  const signer = signing(null, OLD);
  const [receipts, log] = [keysOf(signer.verifierKeys('receipts')), keysOf(signer.verifierKeys('log'))];
  const [receipt, checkpoint] = [signer.receipt('a receipt\n'), signer.checkpoint('a checkpoint\n')];
  expect(await verifyNote(receipt, receipts)).toMatchObject({ outcome: 'valid', by: receipts });
  expect(await verifyNote(receipt, log)).toEqual({ outcome: 'unknown' });
  expect(await verifyNote(checkpoint, log)).toMatchObject({
    outcome: 'valid',
    note: { text: 'a checkpoint\n' },
  });
  expect(await verifyNote(checkpoint, receipts)).toEqual({ outcome: 'unknown' });
});

test('while the secret is changed, the old and the new key both verify', async () => {
  const both = signing(null, NEW, OLD);
  const receipt = both.receipt('a receipt\n');
  expect(parseNote(receipt)).toMatchObject({ ok: true, value: { signatures: [{}, {}] } });
  for (const secret of [OLD, NEW]) {
    const known = keysOf(signing(null, secret).verifierKeys('receipts'));
    expect(await verifyNote(receipt, known)).toMatchObject({ outcome: 'valid', by: known });
  }
  expect(both.verifierKeys('log')).toEqual(
    [NEW, OLD].flatMap((one) => signing(null, one).verifierKeys('log')),
  );
});
