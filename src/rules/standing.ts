import { position, type Game } from './play.js';
import type { Player } from './ruleset.js';

/** Where a game stands after a ply: what is kept of it to judge the next one. */
export interface Standing {
  readonly position: string;
  /** The last position that nothing before it can repeat, and the number of plies played up to it. */
  readonly anchorPosition: string;
  readonly anchorPly: number;
  readonly turn: Player;
}

/** Where the game stands, `ply` being the number of its last ply; 0 before ply 1. */
export function standingOf<P>(game: Game<P>, ply: number): Standing {
  const { ruleset, history } = game;
  const at = position(game);
  return {
    position: ruleset.fen(at),
    anchorPosition: ruleset.fen(history.positions[0] ?? at),
    anchorPly: ply - history.moves.length,
    turn: ruleset.turn(at),
  };
}
