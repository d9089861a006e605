import { opponent, type Player } from '../rules/ruleset.js';
import { abandonedAt } from './clock.js';
import { isOver, isOverdue, turnOf, type Offers, type Table } from './table.js';
import { giftOf } from './time-control.js';

/** Who may do what in which state of a game: each act has a row of conditions, and the first that fails speaks. */

export const OBJECTIONS = [
  'GAME_OVER',
  'GAME_PENDING',
  'GAME_PAUSED',
  'GAME_NOT_PAUSED',
  'DEADLINE_PASSED',
  'STALE_PLY',
  'NOT_YOUR_TURN',
  'YOUR_TURN',
  'TOO_LATE_TO_ABORT',
  'TOO_EARLY_TO_OFFER',
  'OFFER_TOO_SOON',
  'NO_OFFER',
  'RATED_GAME',
  'NOTHING_TO_TAKE_BACK',
  'PIECE_TURNED_UP',
  'NO_CLOCK',
  'TIME_CEILING',
  'NOT_ABANDONED',
] as const;

/** Why an act is refused: a stable code, and what to do in words. */
export interface Objection {
  readonly code: (typeof OBJECTIONS)[number];
  readonly message: string;
}

/** Somebody wants to do something. */
export interface Situation {
  readonly table: Table;
  readonly player: Player;
  readonly now: number;
  /** The number of the ply that the act is about, where it is about one. */
  readonly ply?: number;
  /** The last ply that turned a piece up, 0 for none; known where it matters. */
  readonly lastTurnUp?: number;
  /** The player's own last ply, 0 for none; known where a turn may have several plies. */
  readonly lastOwnPly?: number;
}

type Condition = (situation: Situation) => Objection | null;

const unless = (holds: boolean, code: Objection['code'], message: string): Objection | null =>
  holds ? null : { code, message };

const notDecided: Condition = ({ table, ply }) =>
  // First: what was asked for is already decided, however the game has gone on.
  unless(ply === undefined || ply > table.plyCount, 'STALE_PLY', staleWords(table));

const goesOn: Condition = ({ table }) => unless(!isOver(table), 'GAME_OVER', 'The game is over.');

const inTime: Condition = ({ table, now }) =>
  unless(!isOverdue(table, now), 'DEADLINE_PASSED', 'The time for this turn is over.');

const begun: Condition = ({ table }) =>
  unless(table.status !== 'pending', 'GAME_PENDING', 'The game waits for the client seed of its creator.');

const notPaused: Condition = ({ table }) =>
  unless(
    table.status !== 'paused',
    'GAME_PAUSED',
    'The game is paused. Either player may end the pause with a day’s notice (unpause).',
  );

const paused: Condition = ({ table }) =>
  unless(table.status === 'paused', 'GAME_NOT_PAUSED', 'The game is not paused.');

const nextPly: Condition = ({ table, ply }) =>
  unless(ply === undefined || ply === table.plyCount + 1, 'STALE_PLY', staleWords(table));

const onMove: Condition = ({ table, player }) =>
  unless(player === table.turn, 'NOT_YOUR_TURN', 'It is your opponent who is to move.');

const notOnMove: Condition = ({ table, player }) =>
  unless(player !== table.turn, 'YOUR_TURN', 'It is you who is to move: this is for the player who waits.');

const beforePly2: Condition = ({ table }) =>
  unless(table.plyCount < 2, 'TOO_LATE_TO_ABORT', 'After ply 2 a game is resigned, not aborted.');

const fromPly2: Condition = ({ table, ply }) =>
  unless((ply ?? table.plyCount) >= 2, 'TOO_EARLY_TO_OFFER', 'A draw may be offered from ply 2 on.');

const notRefusedLately: Condition = ({ table: { offers }, player }) => {
  const moves = offers.refused[player];
  const words = `Your last offer was refused: make ${moves} more ${moves === 1 ? 'move' : 'moves'} before the next one.`;
  return unless(moves === 0, 'OFFER_TOO_SOON', words);
};

type Kind = Exclude<keyof Offers, 'refused'>;

const offered =
  (kind: Kind, what: string): Condition =>
  ({ table: { offers }, player }) =>
    unless(offers[kind]?.by === opponent(player), 'NO_OFFER', `Your opponent has offered no ${what}.`);

const casual: Condition = ({ table }) =>
  unless(!table.rated, 'RATED_GAME', 'In a rated game nothing is taken back.');

const somethingPlayed: Condition = (situation) =>
  unless(
    takebackPly(situation) >= 0,
    'NOTHING_TO_TAKE_BACK',
    'There is no move of yours among the last two plies: nothing can be taken back.',
  );

const nothingTurnedUp: Condition = (situation) =>
  unless(
    (situation.lastTurnUp ?? 0) <= takebackPly(situation),
    'PIECE_TURNED_UP',
    'A piece that was turned up has been seen: no takeback goes behind it.',
  );

const hasClock: Condition = ({ table }) =>
  unless(
    giftOf(table.timeControl) !== null,
    'NO_CLOCK',
    'The game has no time control: there is no time to give.',
  );

const noClock: Condition = ({ table }) =>
  unless(
    table.timeControl.type === 'none',
    'NOT_ABANDONED',
    'The game has a time control: the clock ends it by itself.',
  );

const abandoned: Condition = ({ table, now }) => {
  const at = abandonedAt(turnOf(table));
  return unless(
    at !== null && now >= at,
    'NOT_ABANDONED',
    'A game counts as abandoned when nobody has moved for 30 days; abandonableAt tells when.',
  );
};

/** Whoever is to move can move: he wins nothing by his own absence. */
const waiting: Condition = (situation) => (situation.table.plyCount < 2 ? null : notOnMove(situation));

/**
 * The ply to which a takeback returns: that before the asker's own last one. Source: the design of play, "Conduct":
 * one ply if the asker is not to move, else two.
 */
export const takebackPly = ({ table, player, lastOwnPly }: Situation): number =>
  (lastOwnPly ?? table.plyCount - (table.turn === player ? 1 : 0)) - 1;

const running = [goesOn, inTime, begun];
const playing = [...running, notPaused];

export const CONDITIONS = {
  move: [notDecided, ...playing, nextPly, onMove],
  resign: running,
  abort: [goesOn, inTime, beforePly2],
  offerDraw: [...running, fromPly2, notRefusedLately],
  acceptDraw: [...running, offered('draw', 'draw')],
  declineDraw: [...running, offered('draw', 'draw')],
  claimDraw: [notDecided, ...playing, nextPly, onMove],
  offerTakeback: [...playing, casual, somethingPlayed, nothingTurnedUp],
  acceptTakeback: [...playing, offered('takeback', 'takeback')],
  declineTakeback: [...running, offered('takeback', 'takeback')],
  giveTime: [notDecided, ...playing, nextPly, hasClock, notOnMove],
  offerPause: playing,
  acceptPause: [...playing, offered('pause', 'pause')],
  declinePause: [...playing, offered('pause', 'pause')],
  unpause: [...running, paused],
  claimAbandoned: [...playing, noClock, waiting, abandoned],
  conditionalMoves: [...running, notOnMove],
} satisfies Readonly<Record<string, readonly Condition[]>>;

export type ActName = keyof typeof CONDITIONS;

/** What stands against this act, or null. */
export function objectionTo(act: ActName, situation: Situation): Objection | null {
  for (const condition of CONDITIONS[act]) {
    const objection = condition(situation);
    if (objection !== null) return objection;
  }
  return null;
}

const staleWords = (table: Table): string =>
  isOver(table)
    ? `The game ended with ply ${table.plyCount}.`
    : `The next ply is number ${table.plyCount + 1}. Read the game and decide again.`;
