import { nameTags } from '../../formats/tags.js';
import {
  NO_HEAD,
  type Facts,
  type Score,
  type ScorePly,
  type ScoreTimeControl,
} from '../../formats/score.js';
import { FORMAT } from '../../fairness/record.js';
import { rulesetById } from '../../rules/registry.js';
import type { Options, Player } from '../../rules/ruleset.js';
import type { OwnAddress } from '../../platform/http/own-address.js';
import { gameUrl, recordUrl } from '../games/game-url.js';
import { outcomeOf, seedStateOf, userOf, type GameRow } from '../games/game.row.js';
import type { ChangeRow } from '../ratings/rating.row.js';
import { changeOf } from '../ratings/ratings.view.js';
import { type AnyPlayer, nameOf } from '../users/users.model.js';

/** The columns of a game that its text needs. */
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
  | 'commitment'
  | 'dealRoot'
  | 'creator'
  | 'firstClientSeed'
  | 'secondClientSeed'
  | 'clientSeedHash'
  | 'accepterSeedHash'
  | 'headHash'
>;

/** A stored ply; its clock is the time in the bank, null without one. */
export type ExportedPly = ScorePly & { readonly seq: number };

/** Time that the opponent added to a turn, in whole seconds, with the version of the game after it. */
export interface AddedTime {
  readonly seq: number;
  readonly seconds: number;
}

/** The further data of a text. */
export interface ScoreContext {
  readonly users: ReadonlyMap<string, AnyPlayer>;
  /** The changes of the players' ratings. */
  readonly changes: readonly ChangeRow[] | null;
  readonly addedTimes: readonly AddedTime[];
  /** Null while the game is running. */
  readonly serverSeed: string | null;
  readonly address: OwnAddress;
}

const named = (player: AnyPlayer | undefined): string | null =>
  player === undefined ? null : nameOf(player);

/** A game and its plies without those taken back, as the formats write them. */
export const scoreOf = (game: ExportedGame, plies: readonly ExportedPly[], context: ScoreContext): Score => ({
  ruleset: game.ruleset,
  options: optionsOf(game),
  setup: game.setup,
  start: null,
  faceDown: null,
  ...NO_HEAD,
  id: game.id,
  event: game.rated ? 'Rated game' : 'Casual game',
  site: gameUrl(context.address, game.id),
  players: {
    first: named(context.users.get(game.firstId)),
    second: named(context.users.get(game.secondId)),
  },
  timeControl: timeControlOf(game.timeControl),
  startedAt: secondOf(game.createdAt),
  endedAt: game.endedAt && secondOf(game.endedAt),
  tags: ratingTags(game, context.changes ?? []),
  facts: factsOf(game, context),
  plies: plies.map((ply, at) => plyOf(ply, leftOf(game, ply, plies[at - 1]?.seq ?? 0, context.addedTimes))),
  outcome: outcomeOf(game),
});

function factsOf(game: ExportedGame, context: ScoreContext): Facts {
  const player = (seat: Player) => {
    const row = context.changes?.find(({ player }) => player === seat);
    const { before = null, change = null } = row === undefined ? {} : changeOf(row);
    return { id: userOf(game, seat), rating: before, ratingDiff: change };
  };
  const { commitment, dealRoot, creator, headHash, firstClientSeed, secondClientSeed } = game;
  return {
    rulesetVersion: rulesetById(game.ruleset)!.version,
    rated: game.rated,
    players: { first: player('first'), second: player('second') },
    fairness: {
      ...{ format: FORMAT, commitment, dealRoot, creator },
      creatorSeed: seedStateOf(game, 'creator'),
      accepterSeed: seedStateOf(game, 'accepter'),
      clientSeeds: { first: firstClientSeed, second: secondClientSeed },
      headHash,
      serverSeed: context.serverSeed,
      record: recordUrl(context.address, game.id),
    },
  };
}

/** The whole seconds that the player had left after a ply: in the bank, or of the time for the move. */
function leftOf(
  { timeControl, takebacks }: ExportedGame,
  { seq, clock, timeUsed }: ExportedPly,
  before: number,
  addedTimes: readonly AddedTime[],
): number | null {
  if (timeControl.type !== 'perMove' || timeUsed === null) return clock;
  // A takeback restarts the turn.
  const from = Math.max(before, ...takebacks.map((back) => back.seq).filter((back) => back < seq));
  const given = addedTimes.filter((one) => one.seq > from && one.seq < seq);
  const all = given.reduce((sum, { seconds }) => sum + seconds, timeControl.seconds);
  return Math.max(0, all - timeUsed);
}

/** The tags such as `WhiteElo "1612"` (before the game) and `WhiteRatingDiff "-8"`, in whole numbers. */
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

/** Drops the columns that texts do not contain. */
const plyOf = (ply: ExportedPly, clock: number | null): ScorePly => {
  const { player, move, reveals, captured, san, timeUsed, automatic } = ply;
  return { player, move, reveals, captured, san, timeUsed, clock, automatic };
};

/** In the order of their declaration, which the database does not keep. */
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
