import type { Refusal } from '../../rules/result.js';
import type { Player } from '../../rules/ruleset.js';
import type { Clock } from '../clock.js';
import type { GameState } from '../state.js';

/** What an act is judged by. */

/** The game as it stood: whose turn it was, and what was in the banks. */
export interface Earlier {
  readonly turn: Player;
  readonly bank: Clock['bank'];
}

/** What an act may have to know of the board and the log, beside the state. */
export interface Facts {
  /** The last ply that turned a piece up, 0 for none. */
  readonly lastTurnUp: number;
  /** The player's own last ply, 0 for none. */
  readonly lastOwnPly: number;
  /** Could the player ever win? */
  readonly canWin: boolean;
  /** The game at the ply to which the takeback that is offered returns; null: none is offered. */
  readonly earlier: Earlier | null;
  /** Is this very move of this player stored as this ply? */
  readonly isPlayed: boolean;
  /** What the rules say against a claim of the game as it stands. */
  readonly claimRefusal: Refusal | null;
}
export type Need = keyof Facts;

/** Somebody wants to do something. What an act takes and needs stands beside these. */
export interface Situation extends Partial<Facts> {
  readonly state: GameState;
  readonly player: Player;
  readonly now: number;
  /** The version of the game that the act is meant for. */
  readonly version?: number | null | undefined;
  /** The number of the ply that the act is about, where it is about one. */
  readonly ply?: number | undefined;
}
