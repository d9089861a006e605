import glicko2 from 'glicko2-lite';

/**
 * PURE. Glicko-2 by glicko2-lite, and around it what that does not know: how the deviation grows while nobody plays, and
 * the bounds. Each game is a rating period of its own, as long as the time since the last one: the deviation grows with
 * that time, and not by the game as well. Moments are milliseconds since 1970.
 */

export interface Skill {
  readonly rating: number;
  readonly deviation: number;
  readonly volatility: number;
}

/** A skill as it was after a game; the deviation grows from that moment on. */
export interface Rated extends Skill {
  readonly ratedAt: number;
}

/** What a game made of a skill; `before` has the deviation as it had grown by then. */
export interface SkillChange {
  readonly before: Skill;
  readonly after: Skill;
}

/** The result of one game: the opponent as he was, and 1, 0.5 or 0. */
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
/** Up to it, and so long after the last game, the leaderboard holds a player. */
const LISTED_DEVIATION = 75;
const LISTED_DAYS = 90;

const TAU = 0.75;
export const DAY_MS = 86_400_000;
/** What a day adds to the square of the deviation: a year makes 110 of 60. */
export const GROWTH = (110 ** 2 - 60 ** 2) / 365;
/** From the scale of Glicko to that of Glicko-2, as Glickman rounds it. */
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

/** The deviation at a moment: it never shrinks by waiting, and nothing grows backwards. */
export function deviationAt(
  { deviation, ratedAt }: Pick<Rated, 'deviation' | 'ratedAt'>,
  at: number,
): number {
  const days = Math.max(0, at - ratedAt) / DAY_MS;
  return Math.min(MOST_DEVIATION, Math.sqrt(deviation ** 2 + GROWTH * days));
}

/** What a game that ended at `at` makes of its two players; `score` is that of the first one: 1, 0.5 or 0. */
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

/** Without the growth by the volatility that Glicko-2 adds in each period: the time since the last game was all of it. */
const ungrown = (skill: Skill): Skill => ({
  ...skill,
  deviation: Math.sqrt(Math.max(0, skill.deviation ** 2 - (SCALE * skill.volatility) ** 2)),
});

const bounded = ({ rating, deviation, volatility }: Skill): Skill => ({
  rating: Math.max(LEAST_RATING, rating),
  deviation: Math.min(MOST_DEVIATION, Math.max(LEAST_DEVIATION, deviation)),
  volatility,
});

/** What the first of two may expect against the other one, 0 to 1; in doubt of both, as Glicko has it. */
export function expectedScore(a: Skill, b: Skill): number {
  const doubt = (a.deviation ** 2 + b.deviation ** 2) / SCALE ** 2;
  const weight = 1 / Math.sqrt(1 + (3 * doubt) / Math.PI ** 2);
  return 1 / (1 + Math.exp((-weight * (a.rating - b.rating)) / SCALE));
}

export const isProvisional = ({ deviation }: Pick<Skill, 'deviation'>): boolean =>
  deviation > PROVISIONAL_DEVIATION;

/** How long the leaderboard holds a player who plays no more; null: not even after this game. */
export function listedUntil({ deviation, ratedAt }: Pick<Rated, 'deviation' | 'ratedAt'>): number | null {
  if (deviation > LISTED_DEVIATION) return null;
  const days = Math.min(LISTED_DAYS, (LISTED_DEVIATION ** 2 - deviation ** 2) / GROWTH);
  return ratedAt + Math.floor(days * DAY_MS);
}
