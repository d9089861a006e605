import { present } from '../repetition.js';
import { PLAYERS, opponent, type History, type Player } from '../ruleset.js';
import { captures, reaches } from './generate.js';
import { squaresOf } from './play.js';
import { isOf, same, sideOfPlayer, type Position } from './position.js';

/** Could a piece of this player capture the one on `target`, if it were his move? */
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

/** Does each ply of the player newly threaten the piece that stands on `square` in `positions[since]`? */
function hunts(
  { positions, moves }: History<Position>,
  since: number,
  player: Player,
  square: number,
): boolean {
  let quarry = square;
  for (let i = since; i < moves.length; i++) {
    const before = positions[i]!;
    if (before.turn !== player) {
      const flight = squaresOf(before, moves[i]!);
      if (flight?.from === quarry) quarry = flight.to;
    } else if (threatens(before, player, quarry) || !threatens(positions[i + 1]!, player, quarry)) {
      return false;
    }
  }
  return true;
}

/**
 * The one player who, over the plies since the present position first occurred, attacked one enemy piece
 * perpetually; null when neither did, or both.
 */
export function perpetualAttacker(history: History<Position>): Player | null {
  const last = present(history);
  const since = history.positions.findIndex((position) => same(position, last));
  const squares = Array.from(last.board.keys());
  const attackers = PLAYERS.filter((player) => {
    const enemy = sideOfPlayer(last, opponent(player));
    return squares.some(
      (square) => isOf(last.board[square]!, enemy) && hunts(history, since, player, square),
    );
  });
  return attackers.length === 1 ? attackers[0]! : null;
}
