import fc from 'fast-check';
import { type Pool, PairingOrder } from '../../src/features/matchmaking/pairing-order.js';

/** The order in which the sweep tries the seeks. */

const pool = (termsKey: string, seeks: string): Pool => ({ termsKey, seeks: [...seeks] });
const said = (turns: PairingOrder, pools: readonly Pool[]): string =>
  turns
    .order(pools)
    .map(({ seek }) => seek)
    .join('');

describe('a scan', () => {
  it('tries one seek of each pool, then the next of each', () => {
    expect(said(new PairingOrder(), [pool('big', 'abcdef'), pool('small', 'x'), pool('other', 'yz')])).toBe(
      'axybzcdef',
    );
    expect(said(new PairingOrder(), [])).toBe('');
  });

  it('continues where it was interrupted, in each pool, with those that have waited longest first', () => {
    const turns = new PairingOrder();
    const pools = [pool('big', 'abcdef'), pool('other', 'xyz')];
    turns.pass(turns.order(pools).slice(0, 5));
    expect(said(turns, pools)).toBe('zdxeyfabc');
    expect(said(turns, [...pools, pool('new', 'n')])).toBe('nzdxeyfabc');
  });

  it('starts again after the end, with the current seeks', () => {
    const turns = new PairingOrder();
    turns.pass(turns.order([pool('all', 'abc')]));
    expect(said(turns, [pool('all', 'abc')])).toBe('abc');
    turns.pass(turns.order([pool('all', 'abc')]).slice(0, 2));
    expect(said(turns, [pool('all', 'acd')])).toBe('cda');
    expect(said(turns, [])).toBe('');
    expect(said(turns, [pool('all', 'acd')])).toBe('acd');
  });

  it('reaches each seek once, and no pool later than the others', () => {
    const pools = fc
      .uniqueArray(fc.tuple(fc.string(), fc.integer({ min: 1, max: 9 })), { selector: ([key]) => key })
      .map((all) => all.map(([key, size]) => pool(key, 'abcdefghi'.slice(0, size))));
    fc.assert(
      fc.property(pools, fc.nat(50), (all, passed) => {
        const turns = new PairingOrder();
        turns.pass(turns.order(all).slice(0, passed));
        const order = turns.order(all);
        const pairs = order.map(({ termsKey, seek }) => JSON.stringify([termsKey, seek]));
        const wanted = all.flatMap(({ termsKey, seeks }) => seeks.map((s) => JSON.stringify([termsKey, s])));
        expect([...pairs].sort()).toEqual([...wanted].sort());
        const first = order.slice(0, all.length).map(({ termsKey }) => termsKey);
        expect(new Set(first).size).toBe(all.length);
      }),
    );
  });
});
