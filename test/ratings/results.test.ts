import fc from 'fast-check';
import type { RatedEnd } from '../../src/features/ratings/rating.row.js';
import { firstRow, keysOf, resultsOf } from '../../src/features/ratings/results.js';

/** How many simultaneous ends change the ratings of few players. */

const end = fc
  .record({
    gameId: fc.uuid(),
    ruleset: fc.constantFrom('chess', 'xiangqi'),
    players: fc.shuffledSubarray(['ann', 'ben', 'cat', 'dan'], { minLength: 2, maxLength: 2 }),
    winner: fc.constantFrom('first' as const, 'second' as const, null),
    day: fc.integer({ min: 1, max: 900 }),
  })
  .map(({ players, day, ...rest }): RatedEnd => ({
    ...rest,
    firstId: players[0]!,
    secondId: players[1]!,
    endedAt: new Date(Date.UTC(2026, 0, day)),
  }));
const ends = fc.uniqueArray(end, { selector: ({ gameId }) => gameId, maxLength: 20 });

it('is one chain per player and pool, and counts every game', () => {
  fc.assert(
    fc.property(ends, (games) => {
      const keys = keysOf(games);
      const { ratings, changes } = resultsOf(keys.map(firstRow), games);
      expect(changes).toHaveLength(2 * games.length);
      for (const row of ratings) {
        const own = changes.filter(({ userId, ruleset }) => userId === row.userId && ruleset === row.ruleset);
        let [rating, volatility] = [1500, 0.09];
        own.forEach((change, i) => {
          expect(change).toMatchObject({ number: i + 1, ratingBefore: rating, volatilityBefore: volatility });
          ({ rating, volatility } = change);
        });
        const { deviation, at } = own.at(-1)!;
        expect(row).toMatchObject({ rating, volatility, deviation, games: own.length, ratedAt: at });
        expect(row.wins + row.draws + row.losses).toBe(own.length);
      }
    }),
  );
});

it('does not depend on the order in which they arrive', () => {
  fc.assert(
    fc.property(ends, (games) => {
      const of = (list: readonly RatedEnd[]) => resultsOf(keysOf(games).map(firstRow), list);
      expect(of([...games].reverse())).toEqual(of(games));
    }),
  );
});

it('never counts time twice: a late end is rated without setting the time back', () => {
  const [game, late] = [new Date('2026-05-01'), new Date('2026-04-01')];
  const terms = { ruleset: 'chess', firstId: 'ann', secondId: 'ben', winner: 'first' } as const;
  const one: RatedEnd = { ...terms, gameId: '1', endedAt: game };
  const { ratings } = resultsOf(keysOf([one]).map(firstRow), [one]);
  const next = resultsOf(ratings, [{ ...terms, gameId: '2', endedAt: late }]);
  expect(next.ratings.map(({ ratedAt }) => ratedAt)).toEqual([game, game]);
  expect(next.changes.map(({ at, deviationBefore }) => ({ at, deviationBefore }))).toEqual(
    ratings.map(({ deviation }) => ({ at: late, deviationBefore: deviation })),
  );
});
