import glicko2 from 'glicko2-lite';

/**
 * PURE. Glicko-2 by glicko2-lite, with what that lacks: the growth of the deviation over time, and bounds. Each game is a
 * rating period of its own, as long as the time since the last one: the deviation grows with that time only, not again
 * with each game. Times are milliseconds since 1970.
 */

export interface Skill {
  readonly rating: number;
  readonly deviation: number;
  readonly volatility: number;
}

/** A skill after a game, at the time from which the deviation grows. */
export interface Rated extends Skill {
  readonly ratedAt: number;
}

/** The change of a skill by a game; `before` has the deviation grown up to then. */
export interface SkillChange {
  readonly before: Skill;
  readonly after: Skill;
}

/** The result of one game: the opponent's skill before it, and a score of 1, 0.5 or 0. */
export interface Result {
  readonly against: Skill;
  readonly score: number;
}

export const START: Skill = { rating: 1500, deviation: 500, volatility: 0.09 };
const LEAST_RATING = 400;
const LEAST_DEVIATION = 45;
const MOST_DEVIATION = 500;
/** Above it a rating is provisional. */
export const PROVISIONAL_DEVIATION = 110;
/** The highest deviation on a leaderboard, and how long after the last game a player stays there. */
const LISTED_DEVIATION = 75;
const LISTED_DAYS = 90;

const TAU = 0.75;
export const DAY_MS = 86_400_000;
/** What a day adds to the square of the deviation: in a year it grows from 60 to 110. */
export const GROWTH = (110 ** 2 - 60 ** 2) / 365;
/** The factor between the scales of Glicko and Glicko-2, as rounded by Glickman. */
const SCALE = 173.7178;

/** A skill after a rating period, without growth and bounds. */
export function period(
  { rating, deviation, volatility }: Skill,
  results: readonly Result[],
  tau = TAU,
): Skill {
  const opponents = results.map(({ against, score }): [number, number, number] => [
    against.rating,
    against.deviation,
    score,
  ]);
  const { rating: after, rd, vol } = glicko2(rating, deviation, volatility, opponents, { tau });
  return { rating: after, deviation: rd, volatility: vol };
}

/** The deviation at a time, which is never lower than at the last game. */
export function deviationAt(
  { deviation, ratedAt }: Pick<Rated, 'deviation' | 'ratedAt'>,
  at: number,
): number {
  const days = Math.max(0, at - ratedAt) / DAY_MS;
  return Math.min(MOST_DEVIATION, Math.sqrt(deviation ** 2 + GROWTH * days));
}

/** Rates a game that ended at `at`; `score` is that of the first player: 1, 0.5 or 0. */
export function rate(
  first: Rated,
  second: Rated,
  score: number,
  at: number,
): { readonly first: SkillChange; readonly second: SkillChange } {
  const [one, other] = [grown(first, at), grown(second, at)];
  return { first: changed(one, other, score), second: changed(other, one, 1 - score) };
}

const grown = (skill: Rated, at: number): Skill => ({
  rating: skill.rating,
  deviation: deviationAt(skill, at),
  volatility: skill.volatility,
});

const changed = (before: Skill, against: Skill, score: number): SkillChange => ({
  before,
  after: bounded(period(ungrown(before), [{ against, score }])),
});

/** Cancels the growth by volatility that Glicko-2 adds in each period: the growth over time replaces it. */
const ungrown = (skill: Skill): Skill => ({
  ...skill,
  deviation: Math.sqrt(Math.max(0, skill.deviation ** 2 - (SCALE * skill.volatility) ** 2)),
});

const bounded = ({ rating, deviation, volatility }: Skill): Skill => ({
  rating: Math.max(LEAST_RATING, rating),
  deviation: Math.min(MOST_DEVIATION, Math.max(LEAST_DEVIATION, deviation)),
  volatility,
});

/** The expected score of `a` against `b`, 0 to 1, with both deviations considered as in Glicko. */
export function expectedScore(a: Skill, b: Skill): number {
  const doubt = (a.deviation ** 2 + b.deviation ** 2) / SCALE ** 2;
  const weight = 1 / Math.sqrt(1 + (3 * doubt) / Math.PI ** 2);
  return 1 / (1 + Math.exp((-weight * (a.rating - b.rating)) / SCALE));
}

export const isProvisional = ({ deviation }: Pick<Skill, 'deviation'>): boolean =>
  deviation > PROVISIONAL_DEVIATION;

/** Until when a player stays on the leaderboard without another game; null if not listed at all. */
export function listedUntil({ deviation, ratedAt }: Pick<Rated, 'deviation' | 'ratedAt'>): number | null {
  if (deviation > LISTED_DEVIATION) return null;
  const days = Math.min(LISTED_DAYS, (LISTED_DEVIATION ** 2 - deviation ** 2) / GROWTH);
  return ratedAt + Math.floor(days * DAY_MS);
}
