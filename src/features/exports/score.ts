import { nameTags } from '../../formats/tags.js';
import {
  NO_HEAD,
  type Facts,
  type Score,
  type ScorePly,
  type ScoreTimeControl,
} from '../../formats/score.js';
import { rulesetById } from '../../rules/registry.js';
import type { Options, Player } from '../../rules/ruleset.js';
import { gameUrl } from '../games/game-url.js';
import { outcomeOf, seedStateOf, userOf, type GameRow } from '../games/game.row.js';
import type { ChangeRow } from '../ratings/rating.row.js';
import { changeOf } from '../ratings/ratings.view.js';
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
  | 'takebacks'
  | 'format'
  | 'commitment'
  | 'dealRoot'
  | 'creator'
  | 'firstClientSeed'
  | 'secondClientSeed'
  | 'clientSeedHash'
  | 'accepterSeedHash'
  | 'headHash'
>;

/** A ply as it is stored: its clock is what a bank held, and null without one. */
export type ExportedPly = ScorePly & { readonly seq: number };

/** Time that the opponent added to a turn: the version that it made, and whole seconds. */
export interface Gift {
  readonly seq: number;
  readonly seconds: number;
}

/** What a text takes from beside its game. */
export interface Beside {
  readonly users: ReadonlyMap<string, User>;
  /** What the game did to ratings. */
  readonly changes: readonly ChangeRow[] | null;
  readonly gifts: readonly Gift[];
  /** Null as long as the game runs. */
  readonly serverSeed: string | null;
  readonly publicUrl: string | null;
}

/** A game with those of its plies that stand, as its text says it. */
export const scoreOf = (game: ExportedGame, plies: readonly ExportedPly[], beside: Beside): Score => ({
  ruleset: game.ruleset,
  options: optionsOf(game),
  setup: game.setup,
  start: null,
  faceDown: null,
  ...NO_HEAD,
  id: game.id,
  event: game.rated ? 'Rated game' : 'Casual game',
  site: beside.publicUrl === null ? null : gameUrl(beside, game.id),
  players: {
    first: beside.users.get(game.firstId)?.username ?? null,
    second: beside.users.get(game.secondId)?.username ?? null,
  },
  timeControl: timeControlOf(game.timeControl),
  startedAt: secondOf(game.createdAt),
  endedAt: game.endedAt && secondOf(game.endedAt),
  tags: ratingTags(game, beside.changes ?? []),
  facts: factsOf(game, beside),
  plies: plies.map((ply, at) => plyOf(ply, leftOf(game, ply, plies[at - 1]?.seq ?? 0, beside.gifts))),
  outcome: outcomeOf(game),
});

function factsOf(game: ExportedGame, beside: Beside): Facts {
  const player = (seat: Player) => {
    const row = beside.changes?.find(({ player }) => player === seat);
    const { before = null, change = null } = row === undefined ? {} : changeOf(row);
    return { id: userOf(game, seat), rating: before, ratingDiff: change };
  };
  const { format, commitment, dealRoot, creator, headHash, firstClientSeed, secondClientSeed } = game;
  return {
    rulesetVersion: rulesetById(game.ruleset)!.version,
    rated: game.rated,
    players: { first: player('first'), second: player('second') },
    fairness: {
      ...{ format, commitment, dealRoot, creator },
      creatorSeed: seedStateOf(game, 'creator'),
      accepterSeed: seedStateOf(game, 'accepter'),
      clientSeeds: { first: firstClientSeed, second: secondClientSeed },
      headHash,
      serverSeed: beside.serverSeed,
      record: `${gameUrl(beside, game.id)}/record`,
    },
  };
}

/** Whole seconds that the player of a ply had left behind it: in the bank, or of the time for this move. */
function leftOf(
  { timeControl, takebacks }: ExportedGame,
  { seq, clock, timeUsed }: ExportedPly,
  before: number,
  gifts: readonly Gift[],
): number | null {
  if (timeControl.type !== 'perMove' || timeUsed === null) return clock;
  // A takeback begins the turn anew.
  const from = Math.max(before, ...takebacks.map((back) => back.seq).filter((back) => back < seq));
  const given = gifts.filter((gift) => gift.seq > from && gift.seq < seq);
  const all = given.reduce((sum, { seconds }) => sum + seconds, timeControl.seconds);
  return Math.max(0, all - timeUsed);
}

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
const plyOf = (ply: ExportedPly, clock: number | null): ScorePly => {
  const { player, move, reveals, captured, san, timeUsed, automatic } = ply;
  return { player, move, reveals, captured, san, timeUsed, clock, automatic };
};

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
