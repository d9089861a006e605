import { OFFER_KINDS, type OfferKind } from '../../arbiter/offers.js';
import { opponent, type Player } from '../../rules/ruleset.js';
import { awaitedOf } from '../../engine/deals.service.js';
import { playerOf, roleOf, type GameRow } from './game.row.js';
import type { Stamped } from './known-games.js';

/** The order of running games: those that need the player first, by deadline. */

/** The GraphQL cost of reading all running games of a user, in fields. */
export const LOOKED_THROUGH = 100;

/** The columns that the order needs. */
export type RunningRow = Stamped &
  Pick<
    GameRow,
    | 'id'
    | 'firstId'
    | 'secondId'
    | 'status'
    | 'turn'
    | 'creator'
    | 'firstClientSeed'
    | 'secondClientSeed'
    | 'clientSeedHash'
    | 'accepterSeedHash'
    | 'offers'
    | 'deadlineAt'
    | 'wakeAt'
  >;

/** The sort key: 0 if the player has something to do and 1 if not, the deadline, the id. */
export type Urgency = readonly [isIdle: number, deadline: number, id: string];

export interface RunningGame extends RunningRow {
  /** The user's seat. */
  readonly player: Player;
  readonly isToMove: boolean;
  /** The opponent's open offers. */
  readonly toAnswer: readonly OfferKind[];
  readonly urgency: Urgency;
}

const NEVER = Date.UTC(9999, 0);

export const byUrgency = (rows: readonly RunningRow[], userId: string): readonly RunningGame[] =>
  rows.map((row) => runningGame(row, userId)).sort((a, b) => compare(a.urgency, b.urgency));

function runningGame(row: RunningRow, userId: string): RunningGame {
  const player = playerOf(row, userId)!;
  // A pending game waits for client seeds, not for a move.
  const isToMove =
    row.status === 'pending'
      ? awaitedOf(row).includes(roleOf(row, player))
      : row.status === 'active' && row.turn === player;
  const toAnswer = OFFER_KINDS.filter((kind) => row.offers[kind]?.by === opponent(player));
  const isIdle = isToMove || toAnswer.length > 0 ? 0 : 1;
  return {
    ...row,
    player,
    isToMove,
    toAnswer,
    urgency: [isIdle, row.deadlineAt?.getTime() ?? NEVER, row.id],
  };
}

function compare(a: Urgency, b: Urgency): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1);
}

export const isBehind = (urgency: Urgency, key: Urgency): boolean =>
  urgency[2] !== key[2] && compare(urgency, key) > 0;

export interface Counts {
  readonly toMove: number;
  readonly waiting: number;
  readonly offers: number;
}

export const countsOf = (games: readonly RunningGame[]): Counts => ({
  toMove: games.filter(({ isToMove }) => isToMove).length,
  waiting: games.filter(({ isToMove }) => !isToMove).length,
  offers: games.reduce((sum, { toAnswer }) => sum + toAnswer.length, 0),
});
