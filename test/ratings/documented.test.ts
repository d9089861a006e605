import { readFileSync } from 'node:fs';
import { DAY_MS, rate, START, type Rated } from '../../src/features/ratings/glicko.js';
import { random } from '../support/random-games.js';

/** The formulas of docs/ratings.md, word by word and with its numbers, give the ratings of the server. */

const page = readFileSync(new URL('../../docs/ratings.md', import.meta.url), 'utf8');

/** A number of the page, after these words. */
function told(words: string): number {
  const [, number] = new RegExp(`${words}[^\\d]*([\\d.]*\\d)`).exec(page) ?? [];
  if (number === undefined) throw new Error(`docs/ratings.md does not say: ${words}`);
  return Number(number);
}

const RATING = told('rating at the start \\|');
const [LEAST, SMALLEST, MOST] = [told('lowest rating \\|'), told('smallest deviation \\|'), told('deviation at the start, and at most \\|')]; // prettier-ignore
const VOLATILITY = told('volatility at the start \\|');
const TAU = told('tau \\|');
const SCALE = told('With the factor');
const INTERVAL = told('until its interval is at most');
const [from, to] = [told('c = \\(110² - '), told('c = \\(')];
const C = (to ** 2 - from ** 2) / told('c = \\(110² - 60²\\) / ');

interface Numbers {
  readonly rating: number;
  readonly deviation: number;
  readonly volatility: number;
}

/** Step 1. */
const grown = ({ rating, deviation, volatility, ratedAt }: Rated, at: number): Numbers => {
  const days = Math.max(0, at - ratedAt) / DAY_MS;
  return { rating, volatility, deviation: Math.min(MOST, Math.sqrt(deviation ** 2 + C * days)) };
};

/** Steps 2 to 5. */
function rated(before: Numbers, opponent: Numbers, score: number): Numbers {
  const sigma = before.volatility;
  const [mu, muOther] = [before, opponent].map(({ rating }) => (rating - RATING) / SCALE) as [number, number];
  const phiOther = opponent.deviation / SCALE;
  const phi = Math.sqrt(Math.max(0, (before.deviation / SCALE) ** 2 - sigma ** 2));
  const g = 1 / Math.sqrt(1 + (3 * phiOther ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp(-g * (mu - muOther)));
  const v = 1 / (g ** 2 * expected * (1 - expected));
  const sigmaAfter = volatility(phi, sigma, v, v * g * (score - expected));
  const phiStar = Math.sqrt(phi ** 2 + sigmaAfter ** 2);
  const phiAfter = 1 / Math.sqrt(1 / phiStar ** 2 + 1 / v);
  const muAfter = mu + phiAfter ** 2 * g * (score - expected);
  return {
    rating: Math.max(LEAST, SCALE * muAfter + RATING),
    deviation: Math.min(MOST, Math.max(SMALLEST, SCALE * phiAfter)),
    volatility: sigmaAfter,
  };
}

/** Step 5 of the paper. */
function volatility(phi: number, sigma: number, v: number, delta: number): number {
  const a = Math.log(sigma ** 2);
  const f = (x: number) =>
    (Math.exp(x) * (delta ** 2 - phi ** 2 - v - Math.exp(x))) / (2 * (phi ** 2 + v + Math.exp(x)) ** 2) -
    (x - a) / TAU ** 2;
  let [A, B] = [a, Math.log(delta ** 2 - phi ** 2 - v)];
  if (delta ** 2 <= phi ** 2 + v) {
    let k = 1;
    while (f(a - k * TAU) < 0) k++;
    B = a - k * TAU;
  }
  let [fA, fB] = [f(A), f(B)];
  while (Math.abs(B - A) > INTERVAL) {
    const C = A + ((A - B) * fA) / (fB - fA);
    const fC = f(C);
    if (fC * fB <= 0) [A, fA] = [B, fB];
    else fA /= 2;
    [B, fB] = [C, fC];
  }
  return Math.exp(A / 2);
}

test('the numbers at the start are those of the page', () => {
  expect(START).toEqual({ rating: RATING, deviation: MOST, volatility: VOLATILITY });
});

test('a season of games is rated as the page says', () => {
  const pick = random(7);
  // Up to the bounds, so that each of them is met.
  const players: Rated[] = Array.from({ length: 12 }, (_, i) => ({
    ...{ rating: LEAST + 100 * i, deviation: i % 2 === 0 ? SMALLEST : MOST },
    ...{ volatility: VOLATILITY, ratedAt: 0 },
  }));
  const met = new Set<number>();
  let at = 0;
  for (let game = 0; game < 3_000; game++) {
    // From seconds to months, and now and then a game that ended before the last one.
    at += (pick(10) === 0 ? -1 : 1) * pick(10 ** (3 + pick(8)));
    const i = pick(players.length);
    const j = (i + 1 + pick(players.length - 1)) % players.length;
    const score = pick(5) === 0 ? 0.5 : i > j ? 1 : 0;
    const [one, other] = [players[i]!, players[j]!];
    const { first, second } = rate(one, other, score, at);
    const [before, against] = [grown(one, at), grown(other, at)];
    const expected = [before, rated(before, against, score), against, rated(against, before, 1 - score)];
    for (const [place, skill] of [first.before, first.after, second.before, second.after].entries()) {
      for (const name of ['rating', 'deviation', 'volatility'] as const) {
        const distance = Math.abs(skill[name] / expected[place]![name] - 1);
        if (distance > 1e-10) throw new Error(`Game ${game}: ${name} ${skill[name]}, by the page ${expected[place]![name]}`); // prettier-ignore
      }
    }
    for (const { rating, deviation } of [first.after, second.after]) met.add(rating).add(deviation);
    players[i] = { ...first.after, ratedAt: Math.max(one.ratedAt, at) };
    players[j] = { ...second.after, ratedAt: Math.max(other.ratedAt, at) };
  }
  expect([LEAST, SMALLEST].filter((bound) => !met.has(bound))).toEqual([]);
});
