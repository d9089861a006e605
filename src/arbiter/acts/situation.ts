import type { Refusal } from '../../rules/result.js';
import type { Player } from '../../rules/ruleset.js';
import type { Clock } from '../clock.js';
import type { GameState } from '../state.js';

/** What the conditions of an act look at. */

/** Whose turn it was at an earlier ply, and the banks then. */
export interface Earlier {
  readonly turn: Player;
  readonly bank: Clock['bank'];
}

/** What an act may need from the board and the log, besides the state. */
export interface Facts {
  /** The last ply that turned a piece up, 0 for none. */
  readonly lastTurnUp: number;
  /** The player's own last ply, 0 for none. */
  readonly lastOwnPly: number;
  /** True if the player could still win. */
  readonly canWin: boolean;
  /** The game at the ply to which the open takeback offer returns, or null. */
  readonly earlier: Earlier | null;
  /** True if this ply is stored with this very move by this player. */
  readonly isPlayed: boolean;
  /** Why a claim in the current position is refused, or null. */
  readonly claimRefusal: Refusal | null;
}
export type Need = keyof Facts;

/** An act that a player wants to do. Its input and the facts that it needs are further members. */
export interface Situation extends Partial<Facts> {
  readonly state: GameState;
  readonly player: Player;
  readonly now: number;
  /** The version of the game that the request was made for. */
  readonly version?: number | null | undefined;
  /** The number of the ply that the act is about, where it is about one. */
  readonly ply?: number | undefined;
}
