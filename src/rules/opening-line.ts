import { FACE_DOWN_LETTER, placed, squareIndex, squaresOfMove } from './board.js';
import { begin, play } from './play.js';
import { illegal, type Refusal } from './result.js';
import { opponent, type Options, type Player, type Ruleset } from './ruleset.js';
import { chosenSetup } from './setup.js';

/** Whether a game may begin with some moves. */

/**
 * Why no game with these options begins with these moves; null if some game may. Where chance decides what the pieces
 * are, only what holds for all of its decisions counts: which squares there are, and which have a piece.
 */
export function openingFault<P>(
  ruleset: Ruleset<P>,
  options: Options,
  moves: readonly string[],
): Refusal | null {
  const isKnown = ruleset.chance === 'none' || chosenSetup(ruleset, options) !== null;
  const judge = isKnown ? byRules(ruleset, options) : bySquares(ruleset, options);
  for (const [index, move] of moves.entries()) {
    const fault = judge(move);
    if (fault !== null) return { ...fault, message: `Move ${index + 1}: ${fault.message}` };
  }
  return null;
}

/** Judges one move after the other. */
type Judge = (move: string) => Refusal | null;

function byRules<P>(ruleset: Ruleset<P>, options: Options): Judge {
  let game = begin(ruleset, options);
  return (move) => {
    const next = play(game, move, null);
    if (!next.ok) return next.refusal;
    game = next.value.game;
    return null;
  };
}

/** The squares with a piece, as far as it does not depend on chance. */
interface Board {
  readonly down: Set<string>;
  /** With the player whose piece it is; null where a piece was face-down. */
  readonly up: Map<string, Player | null>;
}

function bySquares<P>(ruleset: Ruleset<P>, options: Options): Judge {
  const board = boardOf(ruleset, options);
  let mover: Player = 'first';
  let mayPass = false;
  return (move) => {
    const { from, to } = squaresOfMove(move);
    const missing = [from, to].find((square) => square !== null && squareIndex(ruleset.board, square) < 0);
    if (missing !== undefined) return illegal('offBoard', `There is no square ${missing}.`);
    const fault =
      from === null
        ? mayPass
          ? null
          : illegal('chain', 'A player can pass only after a capture.')
        : to === null
          ? turnUp(board, from)
          : step(board, from, to, mover);
    mayPass = ruleset.hidden && to !== null;
    mover = opponent(mover);
    return fault;
  };
}

function boardOf<P>(ruleset: Ruleset<P>, options: Options): Board {
  const [rows] = ruleset.fen(ruleset.start(options, null)).split(' ', 1);
  const pieces = placed(ruleset.board, rows!);
  const isDown = ({ letter }: { letter: string }) => letter === FACE_DOWN_LETTER;
  const owner = (letter: string): Player => (letter === letter.toUpperCase() ? 'first' : 'second');
  return {
    down: new Set(pieces.filter(isDown).map(({ square }) => square)),
    up: new Map(pieces.filter((one) => !isDown(one)).map(({ square, letter }) => [square, owner(letter)])),
  };
}

function turnUp({ down, up }: Board, square: string): Refusal | null {
  if (!down.delete(square)) {
    return up.has(square)
      ? illegal('alreadyFaceUp', `The piece on ${square} is already face-up.`)
      : illegal('emptySquare', `There is nothing to turn up on ${square}.`);
  }
  up.set(square, null);
  return null;
}

function step({ down, up }: Board, from: string, to: string, mover: Player): Refusal | null {
  if (down.has(from)) return illegal('faceDown', `The piece on ${from} is face-down. Turn it up first.`);
  const owner = up.get(from);
  if (owner === undefined) return illegal('emptySquare', `There is no piece on ${from}.`);
  if (owner === opponent(mover)) return illegal('notYours', `The piece on ${from} is the opponent's.`);
  if (from === to) return illegal('malformed', `${from}${to} is not a move.`);
  // A piece that could not capture what it turned up stays where it is.
  if (!down.delete(to)) up.delete(from);
  up.set(to, owner);
  if (owner !== null && from.slice(1) === to.slice(1)) castled(up, from, owner);
  return null;
}

/** After a move along a rank the player's king or rook may stand on any of its squares. */
function castled(up: Map<string, Player | null>, from: string, owner: Player): void {
  for (const file of 'abcdefghi') {
    const square = file + from.slice(1);
    if (!up.has(square)) up.set(square, owner);
  }
}
