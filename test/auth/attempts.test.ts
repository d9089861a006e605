import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Attempts } from '../../src/features/auth/attempts.js';
import { KnownAddresses } from '../../src/features/auth/known-addresses.js';
import type { DomainError } from '../../src/platform/errors/errors.js';
import { Quotas } from '../../src/platform/limits/quotas.js';
import { StoppedTime } from '../support/stopped-time.js';

const LIMITS = {
  maxWrongPasswords: 10,
  maxWrongPasswordsPerAddress: 1000,
  maxWrongPasswordsPerName: 20,
  wrongPasswordSeconds: 900,
  registrationsPerHour: 3,
};

let time: StoppedTime;
let attempts: Attempts;
beforeEach(() => {
  time = new StoppedTime();
  attempts = new Attempts(LIMITS, time, {
    limiter: (keyPrefix, points, duration) => new RateLimiterMemory({ keyPrefix, points, duration }),
  });
});

const from = (address: string) => ({ address, quotas: new Quotas() });

/** For how many seconds an attempt is refused; 0 means that it is made. */
const wait = (address: string, name: string | null = 'ann'): Promise<number> =>
  attempts.begin(from(address), name).then(
    () => 0,
    ({ code, details }: DomainError) => {
      expect(code).toBe('RATE_LIMITED');
      expect(details.retryAfter).toBeGreaterThan(0);
      return details.retryAfter as number;
    },
  );
const tried = async (address: string, name?: string): Promise<boolean> => (await wait(address, name)) === 0;

async function guesses(address: string, most: number): Promise<number> {
  for (let many = 0; many < most; many++) if (!(await tried(address))) return many;
  return most;
}

/** Addresses from as many networks. */
const many = (count: number, first = 10) =>
  Array.from({ length: count }, (_, i) => `${first}.${i >> 8}.${i & 255}.9`);

async function attack(): Promise<void> {
  for (const address of many(2, 9)) expect(await guesses(address, 10)).toBe(10);
}

const OWNER = '192.0.2.1';
const SECOND = 1000;

describe('guesses of one name from many addresses', () => {
  it('are limited to ten per address, and beyond a total to one in five seconds for all addresses', async () => {
    await attack();
    const strangers = many(300);
    let made = 0;
    // All of them ask every second.
    for (let second = 0; second < 60; second++) {
      for (const address of strangers) if (await tried(address)) made += 1;
      time.forward(SECOND);
    }
    expect(made).toBe(12);
  });

  it('are then limited to two per unknown address, each in its turn', async () => {
    await attack();
    expect(await wait('10.0.0.1')).toBe(0);
    expect(await wait('10.0.0.1')).toBe(5);
    time.forward(4.5 * SECOND);
    expect(await wait('10.0.0.1')).toBe(1);
    time.forward(SECOND);
    expect(await wait('10.0.0.1')).toBe(0);
    time.forward(60 * SECOND);
    expect(await wait('10.0.0.1')).toBeGreaterThan(800);
  });

  it('do not lock the owner out from a known address, which has ten attempts of its own', async () => {
    attempts.proved(OWNER, 'ann');
    await attack();
    for (const address of many(100)) await wait(address);
    for (let logins = 0; logins < 50; logins++) {
      expect(await tried(OWNER)).toBe(true);
      await attempts.succeeded(from(OWNER), 'ann');
    }
    expect(await guesses(OWNER, 50)).toBe(10);
  });

  it('make the owner wait elsewhere no longer than announced, however often others try', async () => {
    await attack();
    const strangers = many(60);
    const ask = async () => {
      for (const address of strangers) await wait(address);
    };
    await ask();
    const told = await wait(OWNER);
    expect(told).toBe(60 * 5);
    for (let second = 0; second < told; second += 4) {
      expect(await wait(OWNER)).toBe(told - second);
      await ask();
      time.forward(4 * SECOND);
    }
    await ask();
    // The owner may come later than that second.
    time.forward(240 * SECOND);
    await ask();
    expect(await wait(OWNER)).toBe(0);
  });

  it.each([
    ['/48 of IPv6', (i: number) => `2001:db8:1:${i.toString(16)}::1`],
    ['/24 of IPv4', (i: number) => `10.0.0.${i % 256}`],
  ])('take four turns at most for a %s', async (_, address) => {
    await attack();
    for (let i = 0; i < 500; i++) await wait(address(i));
    expect(await wait(OWNER)).toBe(5 * 5);
  });

  it('never reserve a turn more than an hour ahead', async () => {
    await attack();
    for (const address of many(800)) await wait(address);
    expect(await wait(OWNER)).toBe(3605);
    time.forward(5 * SECOND);
    expect(await wait(OWNER)).toBe(3600);
    time.forward(3600 * SECOND);
    expect(await wait(OWNER)).toBe(0);
  });

  it('do not count if the password was not checked, and the turn is kept', async () => {
    for (let i = 0; i < 200; i++) {
      expect(await tried(OWNER)).toBe(true);
      await attempts.unlooked(from(OWNER), 'ann');
    }
    await attack();
    for (const address of many(5)) await wait(address);
    time.forward(SECOND * (await wait(OWNER)));
    for (let i = 0; i < 5; i++) {
      expect(await wait(OWNER)).toBe(0);
      await attempts.unlooked(from(OWNER), 'ann');
    }
  });

  it('do not count for other names', async () => {
    await attack();
    for (const address of many(10)) await wait(address);
    for (let i = 0; i < 10; i++) expect(await tried(OWNER, 'ben')).toBe(true);
  });
});

describe('known addresses of a user', () => {
  it('are the last eight per user', () => {
    const known = new KnownAddresses();
    known.add('ann', OWNER);
    for (const address of many(100)) known.add('ben', address);
    known.add('cid', OWNER);
    expect([known.has('ann', OWNER), known.has('ben', OWNER)]).toEqual([true, false]);
    expect(many(100).filter((address) => known.has('ben', address))).toEqual(many(100).slice(-8));
    known.add('ben', many(100).at(-8)!);
    known.add('ben', OWNER);
    expect(known.has('ben', many(100).at(-8)!)).toBe(true);
  });

  it('are kept for the last 20,000 users', () => {
    const known = new KnownAddresses();
    for (let i = 0; i <= 20_000; i++) {
      known.add(`user${i}`, OWNER);
      known.add('ann', OWNER);
    }
    expect(['ann', 'user0', 'user1', 'user2', 'user20000'].map((name) => known.has(name, OWNER))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('an address', () => {
  it('counts as its /64 for IPv6', async () => {
    for (let i = 0; i < 10; i++) expect(await tried(`2001:db8:1:2:${i}::1`)).toBe(true);
    expect(await tried('2001:db8:1:2:ffff::9')).toBe(false);
    expect(await tried('2001:db8:1:3::1')).toBe(true);
  });

  it('may create a limited number of accounts per hour, not counting failed attempts', async () => {
    for (let i = 0; i < 10; i++) {
      await attempts.register(from('192.0.2.1'));
      await attempts.unregister(from('192.0.2.1'));
    }
    for (let i = 0; i < 3; i++) await attempts.register(from('192.0.2.1'));
    await expect(attempts.register(from('192.0.2.1'))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await attempts.register(from('192.0.2.2'));
  });

  it('is told what is left of what it was counted for, and nothing of what others do', async () => {
    for (let i = 0; i < 15; i++) await attempts.begin(from(`203.0.113.${i}`), 'ann');
    const own = from('192.0.2.1');
    await attempts.begin(own, 'ann');
    // Not of the name, whose count is begun anew by whoever signs in there.
    expect(own.quotas.headers).toEqual({
      'ratelimit-policy': '"passwords";q=1000;w=900',
      ratelimit: '"passwords";r=999;t=900',
    });
    await attempts.succeeded(own, 'ann');
    expect(own.quotas.headers!.ratelimit).toBe('"passwords";r=1000;t=900');
    for (let i = 0; i < 10; i++) await attempts.begin(from('192.0.2.3'), 'ben');
    const refused = from('192.0.2.3');
    await expect(attempts.begin(refused, 'ben')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(refused.quotas.headers!.ratelimit).toBe('"passwords";r=989;t=900, "passwords-of-name";r=0;t=900');
    const other = from('192.0.2.2');
    for (let i = 0; i < 10; i++) await attempts.begin(other, null);
    expect(other.quotas.headers!.ratelimit).toBe('"passwords";r=990;t=900');
  });
});
