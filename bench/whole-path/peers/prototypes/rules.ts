import { Chess as ChessJs } from 'chess.js';
import { Chess as Chessops } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { parseUci } from 'chessops/util';
import { RULES } from './kind.ts';
import * as proto from './proto-chess.mjs';

/** A position after a move, with its number of legal moves, which every server must know. */
export type Step = { fen: string; legalMoves: number; check: boolean; over: boolean };

const moveOf = (uci: string) => ({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] });

const stepOf = (game: ChessJs): Step => ({
  fen: game.fen(),
  legalMoves: game.moves().length,
  check: game.isCheck(),
  over: game.isGameOver(),
});

/** Replays the whole game with chess.js. */
function byReplay(prior: readonly string[], uci: string): Step {
  const game = new ChessJs();
  for (const move of [...prior, uci]) game.move(moveOf(move));
  return stepOf(game);
}

function byChessJs(fen: string, uci: string): Step {
  const game = new ChessJs(fen);
  game.move(moveOf(uci));
  return stepOf(game);
}

function byChessops(fen: string, uci: string): Step {
  const position = Chessops.fromSetup(parseFen(fen).unwrap()).unwrap();
  const move = parseUci(uci)!;
  if (!position.isLegal(move)) throw new Error('illegal');
  position.play(move);
  let legalMoves = 0;
  for (const [, targets] of position.allDests()) legalMoves += targets.size();
  return { fen: makeFen(position.toSetup()), legalMoves, check: position.isCheck(), over: legalMoves === 0 };
}

function byProto(fen: string, uci: string): Step {
  proto.setFen(fen);
  if (!proto.playUci(uci)) throw new Error('illegal');
  const legalMoves = proto.gen(0);
  return { fen: proto.fen(), legalMoves, check: false, over: legalMoves === 0 };
}

/** The position after a move; `prior` are the moves before it, for rules that replay them. */
export function step(fen: string, prior: readonly string[] | null, uci: string): Step {
  if (RULES === 'chessjs-replay') return byReplay(prior!, uci);
  if (RULES === 'chessjs-fen') return byChessJs(fen, uci);
  if (RULES === 'chessops-fen') return byChessops(fen, uci);
  if (RULES === 'proto-fen') return byProto(fen, uci);
  return { fen, legalMoves: 20, check: false, over: false };
}
