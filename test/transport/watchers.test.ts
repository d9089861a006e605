import { Watchers } from '../../src/transport/watchers.js';

const bounds = {
  maxSocketsPerUser: 2,
  maxSocketsPerAddress: 3,
  maxSubscriptionsPerSocket: 2,
  maxWatchingCostPerUser: 100,
  maxWatchingCostPerAddress: 150,
};
const nobody = (address = 'a') => ({ address, userId: null });
const ann = (address = 'a') => ({ address, userId: 'ann' });
const ben = (address = 'a') => ({ address, userId: 'ben' });

describe('sockets', () => {
  it('are limited per address, and per user over all addresses', () => {
    const watchers = new Watchers(bounds);
    expect([nobody(), nobody(), nobody(), nobody()].map((each) => watchers.open(each))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([ann('b'), ann('c'), ann('d'), ben('d')].map((each) => watchers.open(each))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    watchers.close(nobody());
    watchers.close(ann('b'));
    expect([watchers.open(nobody()), watchers.open(ann('d'))]).toEqual([true, true]);
  });
});

describe('subscriptions', () => {
  const refusal = (work: () => void): string => {
    try {
      work();
      return 'ok';
    } catch (error) {
      return `${(error as { code: string }).code} ${(error as Error).message}`;
    }
  };

  it('are limited by their total cost, per user and per address', () => {
    const watchers = new Watchers(bounds);
    expect(refusal(() => watchers.subscribe(ann(), 0, 60))).toBe('ok');
    expect(refusal(() => watchers.subscribe(ann('b'), 0, 60))).toMatch(
      /^LIMIT_REACHED Your subscriptions .* 120 /,
    );
    expect(refusal(() => watchers.subscribe(ben(), 0, 90))).toBe('ok');
    expect(refusal(() => watchers.subscribe(nobody(), 0, 1))).toMatch(/from your address .* 151 .* 150\./);
    expect(refusal(() => watchers.subscribe(nobody('b'), 0, 150))).toBe('ok');
    watchers.unsubscribe(ben(), 90);
    expect(refusal(() => watchers.subscribe(nobody(), 0, 90))).toBe('ok');
  });

  it('are limited per socket', () => {
    const watchers = new Watchers(bounds);
    expect(refusal(() => watchers.subscribe(ann(), 1, 1))).toBe('ok');
    expect(refusal(() => watchers.subscribe(ann(), 2, 1))).toMatch(
      /^LIMIT_REACHED This socket already has 2 subscriptions/,
    );
  });
});
