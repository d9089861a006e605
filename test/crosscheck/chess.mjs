import { Chess } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay } from 'chessops/san';
import { makeUci, parseUci } from 'chessops/util';
import { oneOf, random } from '../support/random.mjs';
import { begin, legalMoves, play, position, resume } from '../../dist/rules/play.js';
import { rulesetById } from '../../dist/rules/registry.js';
import { Tally } from './tally.mjs';

/**
 * Chess against chessops: compares everything that both know of the position at every ply of random games.
 */

const MOST_PLIES = 400;
const chess = rulesetById('chess');

const PROMOTIONS = ['queen', 'rook', 'bishop', 'knight'];

/** The king's target square; chessops writes castling as the king taking the rook. */
function castlingAsKingMove(theirs, { from, to, promotion }) {
  const isCastling = theirs.board.getRole(from) === 'king' && theirs.board[theirs.turn].has(to);
  return { from, to: isCastling ? from + (to > from ? 2 : -2) : to, promotion };
}

function movesOf(theirs) {
  const moves = [];
  const context = theirs.ctx();
  for (const [from, dests] of theirs.allDests(context)) {
    const isPawn = theirs.board.getRole(from) === 'pawn';
    for (const to of dests) {
      const promotions = isPawn && (to < 8 || to >= 56) ? PROMOTIONS : [undefined];
      for (const promotion of promotions)
        moves.push(makeUci(castlingAsKingMove(theirs, { from, to, promotion })));
    }
  }
  return moves.sort();
}

/**
 * The outcome and the claims, in the order of endings of the rules, from what chessops says of the position.
 */
function judged(theirs, times) {
  const winner = theirs.turn === 'white' ? 'second' : 'first';
  const draws = [
    [theirs.isStalemate(), 'stalemate'],
    [theirs.isInsufficientMaterial(), 'insufficientMaterial'],
    [times >= 5, 'fivefoldRepetition'],
    [theirs.halfmoves >= 150, 'seventyFiveMoves'],
  ];
  const draw = draws.find(([holds]) => holds)?.[1];
  const outcome = theirs.isCheckmate()
    ? { winner, reason: 'checkmate' }
    : draw
      ? { winner: null, reason: draw }
      : null;
  const claims = [times >= 3 && 'threefoldRepetition', theirs.halfmoves >= 100 && 'fiftyMoves'];
  return { outcome, claimable: outcome === null ? claims.filter(Boolean) : [] };
}

/** How to choose a move: evenly, or preferring captures, promotions, castling, checks or moves back. */
const STYLES = {
  any: (pick, moves) => oneOf(pick, moves),
  captures: (pick, moves, theirs) =>
    prefer(pick, moves, (uci) => theirs.board.occupied.has(parseUci(uci).to), 8),
  promotions: (pick, moves, theirs) =>
    prefer(pick, moves, (uci) => uci.length === 5 || theirs.board.pawn.has(parseUci(uci).from), 5),
  castling: (pick, moves, theirs) =>
    prefer(
      pick,
      moves,
      (uci) => {
        const { from, to } = parseUci(uci);
        return theirs.board.getRole(from) === 'king' && Math.abs(from - to) === 2;
      },
      9,
    ),
  checks: (pick, moves, theirs) =>
    prefer(
      pick,
      moves,
      (uci) => {
        const next = theirs.clone();
        next.play(parseUci(uci));
        return next.isCheck();
      },
      7,
    ),
  back: (pick, moves, theirs, before) => prefer(pick, moves, (uci) => uci === before, 9),
};

/** One of the preferred moves, with the given probability in tenths, if there are any. */
function prefer(pick, moves, likes, tenths) {
  if (pick(10) >= tenths) return oneOf(pick, moves);
  const liked = moves.filter(likes);
  return oneOf(pick, liked.length > 0 ? liked : moves);
}

const SETS = [
  'QR',
  'N',
  'B',
  'BB',
  'BN',
  'NN',
  'R',
  'Q',
  'P',
  'PP',
  'Bb',
  'Nb',
  'Nn',
  'Qq',
  'Rr',
  'Pp',
  'BBbb',
  'Nq',
  '',
];

/** A position of two kings and few pieces. */
function endgame(pick) {
  for (;;) {
    const cells = Array(64).fill('');
    for (const letter of `Kk${oneOf(pick, SETS)}`) cells[pick(64)] = letter;
    const rows = Array.from({ length: 8 }, (_, rank) => {
      const row = cells
        .slice(rank * 8, rank * 8 + 8)
        .map((letter) => letter || '.')
        .join('');
      return row.replace(/\.+/g, (run) => String(run.length));
    });
    const fen = `${rows.join('/')} ${oneOf(pick, ['w', 'b'])} - - ${oneOf(pick, [0, 0, 60, 98, 140])} ${80 + pick(20)}`;
    if (chess.parse(fen, {}).ok) return fen;
  }
}

const chessopsAt = (fen) => Chess.fromSetup(parseFen(fen).unwrap()).unwrap();

/** Compares everything that both know of the position before a ply and, if one is given, of its effect. */
function comparePosition(tally, game, theirs, seen) {
  const where = makeFen(theirs.toSetup());
  const at = position(game);
  const epd = makeFen(theirs.toSetup(), { epd: true });
  const times = (seen.get(epd) ?? 0) + 1;
  seen.set(epd, times);
  const { outcome, claimable } = judged(theirs, times);
  tally.compare(where, 'fen', chess.fen(at), where);
  tally.compare(where, 'check', chess.check(at), theirs.isCheck());
  tally.compare(where, 'outcome', JSON.stringify(game.outcome), JSON.stringify(outcome));
  if (game.outcome === null)
    tally.compare(where, 'claims', chess.claimable(game.history).join(), claimable.join());
  tally.compare(
    where,
    'moves',
    chess.legalMoves(at).map(chess.text).sort().join(' '),
    movesOf(theirs).join(' '),
  );
  for (const [player, color] of [
    ['first', 'white'],
    ['second', 'black'],
  ]) {
    tally.compare(where, `canWin ${color}`, chess.canWin(at, player), !theirs.hasInsufficientMaterial(color));
  }
}

/** Plays one game; returns the positions it went through. */
function playGame(tally, fen, style, pick) {
  let game = fen === INITIAL_FEN ? begin(chess, {}) : resume(chess, {}, { fen, plies: [] }).value;
  const theirs = chessopsAt(fen);
  const seen = new Map();
  const fens = [];
  const played = [];
  comparePosition(tally, game, theirs, seen);
  while (game.outcome === null && played.length < MOST_PLIES && tally.unexplained.length < 50) {
    const moves = [...legalMoves(game)].sort();
    const undo = played.at(-2)?.replace(/^(..)(..)$/, '$2$1');
    const move = STYLES[style](pick, moves, theirs, undo);
    const before = makeFen(theirs.toSetup());
    const { game: next, ply } = play(game, move, null).value;
    tally.compare(`${before} ${move}`, 'san', ply.san, makeSanAndPlay(theirs, parseUci(move)));
    game = next;
    played.push(move);
    fens.push(ply.fen);
    comparePosition(tally, game, theirs, seen);
  }
  tally.count('plies', played.length);
  tally.count(`ended by ${game.outcome?.reason ?? 'length'}`);
  return fens;
}

/** Compares this many games; prints the tally. */
export function crosscheckChess(games, seed) {
  const tally = new Tally('Chess against chessops');
  const pick = random(seed);
  const starts = [INITIAL_FEN];
  const styles = Object.keys(STYLES);
  for (let n = 0; n < games && tally.unexplained.length < 50; n++) {
    const fen = n % 3 === 0 ? INITIAL_FEN : n % 3 === 1 ? oneOf(pick, starts) : endgame(pick);
    const fens = playGame(tally, fen, styles[n % styles.length], pick);
    if (n % 3 === 0 && fens.length > 0) starts.push(oneOf(pick, fens));
    tally.count('games');
  }
  return tally.print();
}
