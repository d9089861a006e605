import { Attempts } from '../../src/features/auth/attempts.js';

const LIMITS = {
  maxWrongPasswords: 10,
  maxWrongPasswordsPerAddress: 100,
  maxWrongPasswordsPerName: 20,
  wrongPasswordSeconds: 900,
  registrationsPerHour: 3,
};

const tried = (attempts: Attempts, address: string, name: string | null = 'ann'): Promise<boolean> =>
  attempts.begin(address, name).then(
    () => true,
    (error: { code: string }) => {
      expect(error.code).toBe('RATE_LIMITED');
      return false;
    },
  );

async function guesses(attempts: Attempts, address: string, most: number): Promise<number> {
  for (let many = 0; many < most; many++) if (!(await tried(attempts, address))) return many;
  return most;
}

describe('guesses of one name from many addresses', () => {
  it('are ten from each, until there are too many of them; then two', async () => {
    const attempts = new Attempts(LIMITS);
    const made: number[] = [];
    for (let i = 0; i < 10; i++) made.push(await guesses(attempts, `10.0.0.${i}`, 50));
    expect(made).toEqual([10, 10, 2, 2, 2, 2, 2, 2, 2, 2]);
  });

  it('never lock the owner out, wherever he comes from', async () => {
    const attempts = new Attempts(LIMITS);
    for (let i = 0; i < 100; i++) await guesses(attempts, `10.0.0.${i}`, 50);
    for (let logins = 0; logins < 50; logins++) {
      expect(await tried(attempts, '192.0.2.1')).toBe(true);
      await attempts.succeeded('192.0.2.1', 'ann');
    }
  });

  it('do not count where nobody has looked at the password', async () => {
    const attempts = new Attempts(LIMITS);
    for (let i = 0; i < 200; i++) {
      expect(await tried(attempts, '192.0.2.1')).toBe(true);
      await attempts.unlooked('192.0.2.1', 'ann');
    }
  });

  it('count for other names not at all', async () => {
    const attempts = new Attempts(LIMITS);
    for (let i = 0; i < 10; i++) await guesses(attempts, `10.0.0.${i}`, 50);
    for (let i = 0; i < 10; i++) expect(await tried(attempts, '192.0.2.1', 'ben')).toBe(true);
  });
});

describe('an address', () => {
  it('of IPv6 counts for its /64', async () => {
    const attempts = new Attempts(LIMITS);
    for (let i = 0; i < 10; i++) expect(await tried(attempts, `2001:db8:1:2:${i}::1`)).toBe(true);
    expect(await tried(attempts, '2001:db8:1:2:ffff::9')).toBe(false);
    expect(await tried(attempts, '2001:db8:1:3::1')).toBe(true);
  });

  it('makes so many accounts in an hour, not counting those that came to nothing', async () => {
    const attempts = new Attempts(LIMITS);
    for (let i = 0; i < 10; i++) {
      await attempts.register('192.0.2.1');
      await attempts.unregister('192.0.2.1');
    }
    for (let i = 0; i < 3; i++) await attempts.register('192.0.2.1');
    await expect(attempts.register('192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await attempts.register('192.0.2.2');
  });
});
