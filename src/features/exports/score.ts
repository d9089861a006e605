import { nameTags } from '../../formats/tags.js';
import { NO_HEAD, type Score, type ScorePly, type ScoreTimeControl } from '../../formats/score.js';
import { rulesetById } from '../../rules/registry.js';
import type { Options } from '../../rules/ruleset.js';
import { outcomeOf, type GameRow } from '../games/game.row.js';
import type { ChangeRow } from '../ratings/rating.row.js';
import type { User } from '../users/users.model.js';

/** What of a game its text says. */
export type ExportedGame = Pick<
  GameRow,
  | 'id'
  | 'ruleset'
  | 'options'
  | 'setup'
  | 'timeControl'
  | 'rated'
  | 'firstId'
  | 'secondId'
  | 'winner'
  | 'reason'
  | 'createdAt'
  | 'endedAt'
>;

/**
 * A game with those of its plies that stand, as its text says it; `changes` is what it did to ratings. `site` is where
 * the server is reached.
 */
export const scoreOf = (
  game: ExportedGame,
  plies: readonly ScorePly[],
  users: ReadonlyMap<string, User>,
  changes: readonly ChangeRow[] | null,
  site: string | null,
): Score => ({
  ruleset: game.ruleset,
  options: optionsOf(game),
  setup: game.setup,
  start: null,
  faceDown: null,
  ...NO_HEAD,
  id: game.id,
  event: game.rated ? 'Rated game' : 'Casual game',
  site,
  players: {
    first: users.get(game.firstId)?.username ?? null,
    second: users.get(game.secondId)?.username ?? null,
  },
  timeControl: timeControlOf(game.timeControl),
  startedAt: secondOf(game.createdAt),
  endedAt: game.endedAt && secondOf(game.endedAt),
  tags: ratingTags(game, changes ?? []),
  plies: plies.map(plyOf),
  outcome: outcomeOf(game),
});

/** As `WhiteElo "1612"` and `WhiteRatingDiff "-8"`: whole numbers, the rating before the game. */
function ratingTags(
  { ruleset }: ExportedGame,
  changes: readonly ChangeRow[],
): Readonly<Record<string, string>> {
  const names = nameTags(rulesetById(ruleset)!);
  const pairs = changes.flatMap(({ player, ratingBefore, rating }) => {
    const [before, after] = [Math.round(ratingBefore), Math.round(rating)];
    const change = `${after < before ? '' : '+'}${after - before}`;
    return [
      [`${names[player]}Elo`, String(before)] as const,
      [`${names[player]}RatingDiff`, change] as const,
    ];
  });
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Nothing but what texts say: a row has more. */
const plyOf = ({ player, move, reveals, captured, san, clock, automatic }: ScorePly): ScorePly => ({
  ...{ player, move, reveals, captured, san, clock, automatic },
});

/** In the order in which they are read: the database has an order of its own. */
function optionsOf({ ruleset, options }: ExportedGame): Options {
  const names = Object.keys(rulesetById(ruleset)?.options ?? {}).filter((name) => name in options);
  return Object.fromEntries(names.map((name) => [name, options[name]!]));
}

function timeControlOf({ noVacation, ...control }: ScoreTimeControl): ScoreTimeControl {
  return { ...orderedOf(control), ...(noVacation ? { noVacation } : {}) };
}

function orderedOf(control: Omit<ScoreTimeControl, 'noVacation'>): ScoreTimeControl {
  const given = control as ScoreTimeControl;
  switch (given.type) {
    case 'perMove':
      return { type: given.type, seconds: given.seconds };
    case 'bank':
      return { type: given.type, initial: given.initial, increment: given.increment, cap: given.cap };
    case 'none':
      return { type: given.type };
  }
}

/** As 2026-01-31T09:05:00Z. */
const secondOf = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;
