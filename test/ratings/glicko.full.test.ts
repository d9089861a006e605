import fc from 'fast-check';
import glicko2 from 'glicko2';
import {
  DAY_MS,
  deviationAt,
  expectedScore,
  isProvisional,
  listedUntil,
  period,
  rate,
  START,
  type Rated,
  type Result,
  type Skill,
} from '../../src/features/ratings/glicko.js';
import { runs } from '../support/scale.js';

/** The numbers of ratings, compared with Glickman's own and with another library. */

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const skill = fc.record({
  rating: number(400, 3500),
  deviation: number(45, 500),
  volatility: number(0.03, 0.15),
});
const score = fc.constantFrom(0, 0.5, 1);
const YEAR_MS = 365 * DAY_MS;
const moment = fc.integer({ min: 0, max: 20 * YEAR_MS });
const rated = fc.record({
  rating: number(400, 3500),
  deviation: number(45, 500),
  volatility: number(0.03, 0.15),
  ratedAt: moment,
});

describe('a rating period', () => {
  it("gives the numbers of Glickman's example", () => {
    const results = [
      { against: { rating: 1400, deviation: 30, volatility: 0.06 }, score: 1 },
      { against: { rating: 1550, deviation: 100, volatility: 0.06 }, score: 0 },
      { against: { rating: 1700, deviation: 300, volatility: 0.06 }, score: 0 },
    ];
    const after = period({ rating: 1500, deviation: 200, volatility: 0.06 }, results, 0.5);
    expect(after.rating).toBeCloseTo(1464.06, 1);
    expect(after.deviation).toBeCloseTo(151.52, 2);
    expect(after.volatility).toBeCloseTo(0.05999, 4);
  });

  it('gives the numbers of another library', () => {
    const results = fc.array(fc.record({ against: skill, score }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(skill, results, (player, played) => {
        const [ours, theirs] = [period(player, played), byTheOther(player, played)];
        // Both iterate for the volatility: one until steps of its logarithm are below 1e-6, the other 1e-7.
        expect(Math.abs(Math.log(ours.volatility / theirs.volatility))).toBeLessThan(1e-6);
        // So the other numbers differ by that share of the period's change; few periods change very much.
        const change = Math.abs(theirs.rating - player.rating);
        expect(Math.abs(ours.rating - theirs.rating)).toBeLessThan(1e-4 + 2e-6 * change);
        expect(Math.abs(ours.deviation - theirs.deviation)).toBeLessThan(1e-4 + 2e-6 * theirs.deviation);
      }),
      runs(10_000),
    );
  });
});

/** Our tau is 0.75. */
function byTheOther({ rating, deviation, volatility }: Skill, results: readonly Result[]): Skill {
  const table = new glicko2.Glicko2({ tau: 0.75 });
  const player = table.makePlayer(rating, deviation, volatility);
  const matches = results.map(
    ({ against, score }) =>
      [player, table.makePlayer(against.rating, against.deviation, against.volatility), score] as const,
  );
  table.updateRatings(matches);
  return { rating: player.getRating(), deviation: player.getRd(), volatility: player.getVol() };
}

describe('the deviation', () => {
  it('grows from 60 to 110 in a year without a game', () => {
    expect(deviationAt({ deviation: 60, ratedAt: 0 }, YEAR_MS)).toBeCloseTo(110, 9);
  });

  it('grows the same in one step or in two, never above 500, and never shrinks', () => {
    fc.assert(
      fc.property(rated, moment, moment, (player, a, b) => {
        const [first, second] = a < b ? [a, b] : [b, a];
        const direct = deviationAt(player, player.ratedAt + second);
        const between = deviationAt(player, player.ratedAt + first);
        const ratedAt = player.ratedAt + first;
        expect(deviationAt({ deviation: between, ratedAt }, player.ratedAt + second)).toBeCloseTo(direct, 6);
        expect(direct).toBeLessThanOrEqual(500);
        expect(direct).toBeGreaterThanOrEqual(between);
        expect(deviationAt(player, player.ratedAt - first)).toBeCloseTo(player.deviation, 9);
      }),
    );
  });

  it('is provisional above 110', () => {
    expect(isProvisional(START)).toBe(true);
    expect(isProvisional({ deviation: 110 })).toBe(false);
    expect(isProvisional({ deviation: 110.01 })).toBe(true);
  });
});

describe('a rated game', () => {
  it('of two new players changes both ratings equally, the winner’s upwards', () => {
    const newcomer = { ...START, ratedAt: 0 };
    const { first, second } = rate(newcomer, newcomer, 1, 5 * YEAR_MS);
    expect(first.before).toEqual(START);
    expect(first.after.rating).toBeGreaterThan(1700);
    expect(first.after.rating + second.after.rating).toBeCloseTo(3000, 9);
    expect(first.after.deviation).toBe(second.after.deviation);
    expect(first.after.deviation).toBeLessThan(500);
  });

  it('never raises a deviation unless the volatility rises', () => {
    fc.assert(
      fc.property(rated, rated, score, moment, (a, b, result, at) => {
        const { before, after } = rate(a, b, result, at).first;
        const grown = 173.7178 ** 2 * Math.max(0, after.volatility ** 2 - before.volatility ** 2);
        expect(after.deviation ** 2).toBeLessThanOrEqual(before.deviation ** 2 + grown + 1e-6);
      }),
      runs(1000),
    );
  });

  it('stays within the bounds', () => {
    fc.assert(
      fc.property(rated, rated, score, moment, (a, b, result, at) => {
        const { first, second } = rate(a, b, result, at);
        for (const { before, after } of [first, second]) {
          expect(before.deviation).toBeGreaterThanOrEqual(45);
          expect(after.deviation).toBeGreaterThanOrEqual(45);
          expect(after.deviation).toBeLessThanOrEqual(500);
          expect(after.rating).toBeGreaterThanOrEqual(400);
          expect(after.volatility).toBeGreaterThan(0);
        }
      }),
      runs(1000),
    );
  });

  it('can reach the bounds', () => {
    const sure = (rating: number): Rated => ({ rating, deviation: 45, volatility: 0.0001, ratedAt: 0 });
    expect(rate(sure(400), sure(410), 0, 0).first.after.rating).toBe(400);
    const draw = rate(sure(1500), sure(1500), 0.5, 0);
    expect(draw.first.after).toMatchObject({ rating: 1500, deviation: 45 });
    const wild = { rating: 1500, deviation: 500, volatility: 5, ratedAt: 0 };
    expect(rate(wild, sure(3500), 0.5, 0).first.after.deviation).toBeLessThanOrEqual(500);
  });

  it('is the same from both sides, against the opponent’s grown deviation', () => {
    fc.assert(
      fc.property(rated, rated, score, moment, (a, b, result, at) => {
        const { first, second } = rate(a, b, result, at);
        expect(rate(b, a, 1 - result, at)).toEqual({ first: second, second: first });
        expect(first.before).toEqual({
          rating: a.rating,
          deviation: deviationAt(a, at),
          volatility: a.volatility,
        });
        expect(first.after).toEqual(rate({ ...first.before, ratedAt: at }, b, result, at).first.after);
      }),
    );
  });

  it('never lowers the winner’s rating, and never raises the loser’s', () => {
    fc.assert(
      fc.property(rated, rated, moment, (a, b, at) => {
        const { first, second } = rate(a, b, 1, at);
        expect(first.after.rating).toBeGreaterThanOrEqual(a.rating);
        expect(second.after.rating).toBeLessThanOrEqual(b.rating);
      }),
    );
  });
});

describe('the expected score', () => {
  it('of both players adds up to one, and is higher for the higher rating', () => {
    fc.assert(
      fc.property(skill, skill, (a, b) => {
        const expected = expectedScore(a, b);
        expect(expected + expectedScore(b, a)).toBeCloseTo(1, 12);
        expect(expected).toBeGreaterThan(0);
        expect(Math.sign(expected - 0.5)).toBe(
          Math.abs(a.rating - b.rating) < 1e-9 ? Math.sign(expected - 0.5) : Math.sign(a.rating - b.rating),
        );
      }),
    );
  });

  it('is Elo’s for two certain ratings, and closer to a half for uncertain ones', () => {
    const of = (rating: number, deviation: number): Skill => ({ rating, deviation, volatility: 0.06 });
    expect(expectedScore(of(1900, 0), of(1500, 0))).toBeCloseTo(10 / 11, 4);
    // Glickman, "Parameter estimation in large dynamic paired comparison experiments": 1400 (80) against 1500 (150).
    expect(expectedScore(of(1400, 80), of(1500, 150))).toBeCloseTo(0.376, 3);
    expect(expectedScore(of(1900, 300), of(1500, 300))).toBeLessThan(10 / 11);
  });
});

/** A player who has ended this many games, one every few days, with opponents who have done the same. */
function afterGames(days: number, games: number): Rated {
  let player: Rated = { ...START, ratedAt: 0 };
  for (let game = 1; game <= games; game++) {
    const at = Math.round(game * days * DAY_MS);
    const { first } = rate(player, player, game % 2, at);
    player = { ...first.after, rating: 1500, ratedAt: at };
  }
  return player;
}

describe('the leaderboard', () => {
  it('lists a player while the deviation is at most 75 and the last game is at most 90 days old', () => {
    const sure = { deviation: number(45, 75), ratedAt: moment };
    fc.assert(
      fc.property(fc.record(sure), (player) => {
        const until = listedUntil(player)!;
        const holds = (at: number) =>
          deviationAt(player, at) <= 75 + 1e-9 && at - player.ratedAt <= 90 * DAY_MS;
        expect(holds(until)).toBe(true);
        expect(holds(until + 1000)).toBe(false);
      }),
    );
  });

  it.each([
    ['hour', 1 / 24, 90],
    ['day', 1, 90],
    ['week', 7, 30],
    ['ten days', 10, 10],
  ])('lists a player who ends a game with an equal every %s', (_, days, more) => {
    const last = afterGames(days, 500);
    expect(listedUntil(last)! - last.ratedAt).toBeGreaterThanOrEqual(more * DAY_MS);
  });

  it('does not list a player who ends one every month', () => {
    expect(listedUntil(afterGames(30, 500))).toBeNull();
  });

  it('does not list a player with a higher deviation', () => {
    expect(listedUntil({ deviation: 75, ratedAt: 7 })).toBe(7);
    expect(listedUntil({ deviation: 75.0001, ratedAt: 7 })).toBeNull();
    expect(listedUntil({ deviation: 45, ratedAt: 7 })).toBe(7 + 90 * DAY_MS);
  });
});
