import { present } from '../repetition.js';
import { PLAYERS, opponent, type History, type Player } from '../ruleset.js';
import { captures, reaches } from './generate.js';
import { squaresOf } from './play.js';
import { isOf, same, sideOfPlayer, type Position } from './position.js';

/** True if a piece of this player could capture on `target`, if this player were to move. */
function threatens(position: Position, player: Player, target: number): boolean {
  const { rules, board } = position;
  const side = sideOfPlayer(position, player);
  return board.some(
    (piece, from) =>
      isOf(piece, side) &&
      reaches(rules, board, from, target) &&
      captures(rules, board, from, target, board[target]!),
  );
}

/** True if each ply of the player newly threatens the piece that is on `square` in `positions[since]`. */
function keepsThreatening(
  { positions, moves }: History<Position>,
  since: number,
  player: Player,
  square: number,
): boolean {
  let chased = square;
  for (let i = since; i < moves.length; i++) {
    const before = positions[i]!;
    if (before.turn !== player) {
      const moved = squaresOf(before, moves[i]!);
      if (moved?.from === chased) chased = moved.to;
    } else if (threatens(before, player, chased) || !threatens(positions[i + 1]!, player, chased)) {
      return false;
    }
  }
  return true;
}

/**
 * The only player who attacked one enemy piece with every ply since the current position first occurred; null if
 * neither or both did.
 */
export function perpetualAttacker(history: History<Position>): Player | null {
  const last = present(history);
  const since = history.positions.findIndex((position) => same(position, last));
  const squares = Array.from(last.board.keys());
  const attackers = PLAYERS.filter((player) => {
    const enemy = sideOfPlayer(last, opponent(player));
    return squares.some(
      (square) => isOf(last.board[square]!, enemy) && keepsThreatening(history, since, player, square),
    );
  });
  return attackers.length === 1 ? attackers[0]! : null;
}
