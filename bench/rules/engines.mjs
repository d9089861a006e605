import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chess as ChessJs } from 'chess.js';
import { Chess } from 'chessops/chess';
import { perft as chessopsPerft } from 'chessops/debug';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay } from 'chessops/san';
import { makeUci, parseUci } from 'chessops/util';
import { identity } from '../../dist/rules/deal.js';
import { parseOptions } from '../../dist/rules/options.js';
import { perft } from '../../dist/rules/perft.js';
import { legalMoves, play, resume } from '../../dist/rules/play.js';
import { rulesetById } from '../../dist/rules/registry.js';
import { occurrences, present } from '../../dist/rules/repetition.js';
import { ffish } from '../../test/crosscheck/ffish.mjs';
import { startEngine } from './uci.mjs';

/**
 * The measured engines, with a common interface: `perft(position, depth)` counts leaves; `judge(fen, uci)`
 * parses a position, plays one move and prints the position, SAN and outcome; `replay(ucis)` plays a game,
 * checking each move, and prints the last position; `replayAll(ucis)` also counts the occurrences of that
 * position; `list(fen)` prints the legal moves. An engine lacks the methods that it cannot support.
 */

const VARIANT = `[halfcourt:chess]
maxRank = 5
maxFile = 5
startFen = qbnrk/ppppp/5/PPPPP/NQRBK w - - 0 1
castling = false
doubleStepRank = 2
doubleStepRankMin = 2
doubleStepRegionWhite = *2
doubleStepRegionBlack = *4
promotionRank = 5
promotionRegionWhite = *5
promotionRegionBlack = *1
promotionPieceTypes = nbrq
`;

const VARIANTS = { chess: 'chess', 'xiangqi-tournament': 'xiangqi', 'half-court-chess': 'halfcourt' };

const optionsOf = (id) => parseOptions(rulesetById(id), {}).value;

function replayed(ucis) {
  const chess = rulesetById('chess');
  const plies = ucis.map((move) => ({ move, reveals: null }));
  const { history } = resume(chess, {}, { fen: INITIAL_FEN, plies }).value;
  return { history, fen: chess.fen(present(history)) };
}

export const ours = {
  name: 'Halfmove',
  perft({ ruleset: id, fen, deal }, depth) {
    const ruleset = rulesetById(id);
    const options = optionsOf(id);
    const at = fen === null ? ruleset.start(options, null) : ruleset.parse(fen, options).value;
    return perft(ruleset, at, depth, deal && ((square) => identity(ruleset, deal, square)));
  },
  judge(fen, uci) {
    const game = resume(rulesetById('chess'), {}, { fen, plies: [] }).value;
    const { ply, game: next } = play(game, uci, null).value;
    return [ply.fen, ply.san, next.outcome];
  },
  replay: (ucis) => replayed(ucis).fen,
  replayAll(ucis) {
    const { fen, history } = replayed(ucis);
    return `${fen} ${occurrences(rulesetById('chess').same, history)}`;
  },
  list: (fen) => legalMoves(resume(rulesetById('chess'), {}, { fen, plies: [] }).value).length,
};

const chessopsAt = (fen) => Chess.fromSetup(parseFen(fen).unwrap()).unwrap();

function playLegal(at, uci) {
  const move = parseUci(uci);
  if (!at.isLegal(move)) throw new Error(`${uci} is not legal`);
  at.play(move);
}

const keyOf = (at) => makeFen(at.toSetup(), { epd: true });

export const chessops = {
  name: 'chessops',
  perft: ({ fen }, depth) => chessopsPerft(chessopsAt(fen), depth),
  judge(fen, uci) {
    const at = chessopsAt(fen);
    const move = parseUci(uci);
    if (!at.isLegal(move)) throw new Error(`${fen} ${uci}`);
    const san = makeSanAndPlay(at, move);
    return [makeFen(at.toSetup()), san, at.outcome()];
  },
  replay(ucis) {
    const at = Chess.default();
    for (const uci of ucis) playLegal(at, uci);
    return makeFen(at.toSetup());
  },
  // The library keeps no history, so count the positions here.
  replayAll(ucis) {
    const at = Chess.default();
    const keys = [keyOf(at)];
    for (const uci of ucis) {
      playLegal(at, uci);
      keys.push(keyOf(at));
    }
    const last = keys.at(-1);
    return `${makeFen(at.toSetup())} ${keys.filter((key) => key === last).length}`;
  },
  list(fen) {
    const at = chessopsAt(fen);
    const moves = [];
    // Count a promotion once: the other three cost little more.
    for (const [from, dests] of at.allDests()) for (const to of dests) moves.push(makeUci({ from, to }));
    return moves.length;
  },
};

const asObject = (uci) => ({
  from: uci.slice(0, 2),
  to: uci.slice(2, 4),
  promotion: uci.slice(4) || undefined,
});

export const chessJs = {
  name: 'chess.js',
  // Its own perft plays every leaf.
  perft: ({ fen }, depth) => new ChessJs(fen).perft(depth),
  judge(fen, uci) {
    const at = new ChessJs(fen);
    const { san } = at.move(asObject(uci));
    return [at.fen(), san, at.isGameOver()];
  },
  replay(ucis) {
    const at = new ChessJs();
    for (const uci of ucis) at.move(asObject(uci));
    return at.fen();
  },
  // The library returns SAN.
  list: (fen) => new ChessJs(fen).moves().length,
};

function countLeaves(board, depth) {
  if (depth === 1) return board.numberLegalMoves();
  let leaves = 0;
  for (const move of board.legalMoves().split(' ')) {
    if (move === '') continue;
    board.push(move);
    leaves += countLeaves(board, depth - 1);
    board.pop();
  }
  return leaves;
}

/** Boards are reused: creating one takes milliseconds. */
const boards = new Map();

function boardAt(variant, fen) {
  if (!boards.has(variant)) boards.set(variant, new ffish.Board(variant));
  const board = boards.get(variant);
  board.setFen(fen);
  return board;
}

ffish.loadVariantConfig(VARIANT);

export const ffishJs = {
  name: 'ffish',
  perft: ({ ruleset, fen }, depth) => countLeaves(boardAt(VARIANTS[ruleset], fen), depth),
  list: (fen) => boardAt('chess', fen).legalMoves().split(' ').length,
};

/** The installed native engines, each started once. */
export async function nativeEngines() {
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-bench-'));
  writeFileSync(join(folder, 'variants.ini'), VARIANT);
  const stockfish = await startEngine('stockfish');
  const fairy = await startEngine('fairy-stockfish', { VariantPath: join(folder, 'variants.ini') });
  const engines = {
    ...(stockfish && {
      stockfish: { name: 'Stockfish (native)', perft: ({ fen }, depth) => stockfish.perft(fen, depth) },
    }),
    ...(fairy && {
      fairy: {
        name: 'Fairy-Stockfish (native)',
        perft({ ruleset, fen }, depth) {
          fairy.variant(VARIANTS[ruleset]);
          return fairy.perft(fen, depth);
        },
      },
    }),
  };
  const quit = () => {
    stockfish?.quit();
    fairy?.quit();
    rmSync(folder, { recursive: true });
  };
  return { engines, quit };
}
