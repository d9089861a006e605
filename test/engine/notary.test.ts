import { KEY_USES, NotaryService } from '../../src/engine/notary.service.js';
import { parseNote, parseVerifierKey, type VerifierKey, verifyNote } from '../../src/fairness/note.js';

const [OLD, NEW] = ['an old secret of 32 bytes or more', 'the new secret of 32 bytes or more'];
const notary = (publicUrl: string | null, ...signingSecrets: string[]) =>
  new NotaryService({ publicUrl, signingSecrets });

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
])('the keys of %s bear the name %s', (publicUrl, name) => {
  const signer = notary(publicUrl, OLD);
  expect([signer.name, signer.origin]).toEqual([name, `${name}/log`]);
  const all = KEY_USES.flatMap((use) => keysOf(signer.verifierKeys(use)));
  expect(all.map((key) => key.name)).toEqual([name, `${name}/log`]);
});

test('a key follows from the secret and its use alone', () => {
  expect(notary(null, OLD).verifierKeys('receipts')).toEqual(notary(null, OLD).verifierKeys('receipts'));
  const all = [OLD, NEW].flatMap((secret) => {
    const signer = notary(null, secret);
    return [...signer.verifierKeys('receipts'), ...signer.verifierKeys('log')];
  });
  expect(new Set(all).size).toBe(4);
});

// The 32 bytes as `openssl kdf` (HKDF, SHA-256) and `openssl pkey` derive them.
test.each([
  ['receipts', 'Bz/Xjaam5oa9qs/y6sXmg3g8ZtYUUBUdAy+PAME0epk='],
  ['log', 'zgrK2z7l59tmjE3Jhp661GViPJhiAHJgXKhEkptUiv0='],
] as const)('the key for %s is the one that others derive', (use, bytes) => {
  const [key] = keysOf(notary(null, OLD).verifierKeys(use));
  expect(Buffer.from(key!.publicKey).toString('base64')).toBe(bytes);
});

test('what it signs is valid by the key of its use, and by no other', async () => {
  const signer = notary(null, OLD);
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

test('while the secret is changed, whoever knows the old key or the new one can check', async () => {
  const both = notary(null, NEW, OLD);
  const receipt = both.receipt('a receipt\n');
  expect(parseNote(receipt)).toMatchObject({ ok: true, value: { signatures: [{}, {}] } });
  for (const secret of [OLD, NEW]) {
    const known = keysOf(notary(null, secret).verifierKeys('receipts'));
    expect(await verifyNote(receipt, known)).toMatchObject({ outcome: 'valid', by: known });
  }
  expect(both.verifierKeys('log')).toEqual(
    [NEW, OLD].flatMap((one) => notary(null, one).verifierKeys('log')),
  );
});
