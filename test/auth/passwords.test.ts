import { verify } from '@node-rs/argon2';
import { Logger } from '@nestjs/common';
import { NOBODY, Passwords } from '../../src/features/auth/passwords.js';

const GOOD = 'correct horse battery';
const ADDRESS = '192.0.2.1';
const passwords = new Passwords({
  maxPasswordsAtOnce: 2,
  maxPasswordsWaiting: 100,
  maxPasswordsWaitingPerAddress: 1000,
});

describe('a refused password:', () => {
  it.each([
    ['7 characters', 'xK3!qz7', 'BAD_INPUT'],
    ['7 characters of two UTF-16 units each', '♟𝄞𝄞𝄞𝄞𝄞𝄞', 'BAD_INPUT'],
    ['129 characters', 'xy'.repeat(64) + 'z', 'BAD_INPUT'],
    ['nothing', '', 'BAD_INPUT'],
    ['8 characters that NFKC turns into 4', 'e\u0301'.repeat(4), 'BAD_INPUT'],
    ['one of the most common', 'password', 'PASSWORD_TOO_COMMON'],
    ['one of the most common, in capitals', 'PassWord', 'PASSWORD_TOO_COMMON'],
    ['one of the most common, in full-width letters', 'ｐａｓｓｗｏｒｄ', 'PASSWORD_TOO_COMMON'],
    ['another one of the most common', 'qwertyuiop', 'PASSWORD_TOO_COMMON'],
    ['the username', 'Ann-From-Anywhere', 'PASSWORD_TOO_COMMON'],
    ['the username and a digit', 'ann-from-anywhere1', 'PASSWORD_TOO_COMMON'],
    ['digits around the username', '12AnnFromAnywhere99', 'PASSWORD_TOO_COMMON'],
    ['the display name and a year', 'AnnLee2026', 'PASSWORD_TOO_COMMON'],
  ])('%s', async (_, password, code) => {
    const refusal = { code, status: 400, details: { field: 'password' } };
    await expect(passwords.assertStrong(password, ['ann-from-anywhere', 'Ann Lee'])).rejects.toMatchObject(
      refusal,
    );
  });
});

describe('an accepted password:', () => {
  it.each([
    ['8 characters', 'xK3!qz7p'],
    ['128 characters', 'xy'.repeat(64)],
    ['128 characters of two UTF-16 units each', '𝄞'.repeat(128)],
    ['spaces and signs', '  ¡a b c d!  '],
  ])('%s', async (_, password) => {
    await passwords.assertStrong(password, ['ann', 'Ann Lee']);
    await expect(passwords.hash(password, ADDRESS)).resolves.toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('comparing passwords', () => {
  it('accepts the right one and refuses others', async () => {
    const hash = await passwords.hash(GOOD, ADDRESS);
    expect(await passwords.verify(GOOD, hash, ADDRESS)).toBe(true);
    expect(await passwords.verify(`${GOOD} `, hash, ADDRESS)).toBe(false);
    expect(await passwords.verify(GOOD.toUpperCase(), hash, ADDRESS)).toBe(false);
    expect(await passwords.verify('', hash, ADDRESS)).toBe(false);
  });

  it('accepts the same characters in any Unicode composition', async () => {
    const hash = await passwords.hash('Käsekuchen', ADDRESS);
    expect(await passwords.verify('Ka\u0308sekuchen', hash, ADDRESS)).toBe(true);
  });

  it('salts each hash: the same password gives a different hash each time', async () => {
    expect(await passwords.hash(GOOD, ADDRESS)).not.toBe(await passwords.hash(GOOD, ADDRESS));
  });

  it('does the same work for an unknown account', async () => {
    const shape = (hash: string) => hash.split('$').map((part, i) => (i < 4 ? part : part.length));
    expect(shape(NOBODY)).toEqual(shape(await passwords.hash(GOOD, ADDRESS)));
    expect(await passwords.verify(GOOD, null, ADDRESS)).toBe(false);
    // It queues like any other check: when the queue is full it is refused.
    const storm = Array.from({ length: 110 }, () => passwords.verify('another password', null, ADDRESS));
    const refused = (await Promise.allSettled(storm)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(8);
  });

  it.each(['', 'plain text', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA', '$2b$10$abcdefghijklmnopqrstuv'])(
    'answers no, rather than failing, for the damaged hash %j',
    async (damaged) => {
      await expect(verify(damaged, GOOD)).rejects.toThrow();
      Logger.overrideLogger(false);
      expect(await passwords.verify(GOOD, damaged, ADDRESS)).toBe(false);
    },
  );

  it('refuses when the queue is full, and recovers afterwards', async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 120 }, () => passwords.verify(GOOD, null, ADDRESS)),
    );
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(18);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'OVERLOADED', status: 503 });
    expect(await passwords.verify(GOOD, null, ADDRESS)).toBe(false);
  });
});
