import { Liveness } from '../../src/features/auth/liveness.js';

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);

const of = (sessionId: string, userId = 'u') => ({ sessionId, userId });

describe('the liveness of sessions', () => {
  it('is remembered for five seconds while the process hears of ends, and otherwise for one', () => {
    const liveness = new Liveness();
    liveness.set(of('deaf'), true, at(0));
    expect(liveness.get(of('deaf'), at(0.999))).toBe(true);
    expect(liveness.get(of('deaf'), at(1))).toBeNull();
    liveness.heard(at(4.5));
    expect(liveness.get(of('s'), at(0))).toBeNull();
    expect(liveness.set(of('s'), true, at(0))).toBe(true);
    expect(liveness.get(of('s'), at(4.999))).toBe(true);
    expect(liveness.get(of('s'), at(5))).toBeNull();
  });

  it('ends at once and for good, also for a check that began before', () => {
    const liveness = new Liveness();
    liveness.set(of('s'), true, at(0));
    liveness.end(of('s'));
    expect(liveness.get(of('s'), at(1))).toBe(false);
    expect(liveness.set(of('s'), true, at(1))).toBe(false);
    expect(liveness.get(of('s'), at(1000))).toBe(false);
  });

  it('is remembered for the 10,000 sessions noted last', () => {
    const liveness = new Liveness();
    for (let i = 0; i <= 10_000; i += 1) liveness.set(of(`s${i}`), true, at(0));
    liveness.heard(at(1));
    expect(liveness.get(of('s0'), at(1))).toBeNull();
    expect(liveness.get(of('s1'), at(1))).toBe(true);
    expect(liveness.get(of('s10000'), at(1))).toBe(true);
  });

  it('is remembered per user, and ending another user’s session has no effect', () => {
    const liveness = new Liveness();
    liveness.set(of('s'), true, at(0));
    liveness.heard(at(2));
    expect(liveness.get(of('s', 'thief'), at(1))).toBeNull();
    liveness.set(of('s', 'thief'), false, at(1));
    liveness.end(of('s', 'thief'));
    expect(liveness.get(of('s'), at(2))).toBe(true);
  });
});
