import { oneOf, random } from '../support/random.mjs';
import { legalMoves, play, position, resume } from '../../dist/rules/play.js';
import { rulesetById } from '../../dist/rules/registry.js';
import { ffish } from './ffish.mjs';
import { Tally } from './tally.mjs';

/** Chess on 5 x 5, without castling, against Fairy-Stockfish with a variant defined for it. */

const MOST_PLIES = 300;
const half = rulesetById('half-court-chess');

ffish.loadVariantConfig(`[halfcourt:chess]
maxRank = 5
maxFile = 5
startFen = qbnrk/ppppp/5/PPPPP/NQRBK w - - 0 1
castling = false
doubleStepRegionWhite = *2
doubleStepRegionBlack = *4
promotionRegionWhite = *5
promotionRegionBlack = *1
promotionPieceTypes = nbrq
`);

function shuffled(letters, pick) {
  const list = [...letters];
  for (let k = list.length - 1; k > 0; k--) {
    const j = pick(k + 1);
    [list[k], list[j]] = [list[j], list[k]];
  }
  return list.join('');
}

const setUp = (pick) => `${shuffled('kqrbn', pick)}/ppppp/5/PPPPP/${shuffled('KQRBN', pick)} w - - 0 1`;

const SETS = [
  'QR',
  'N',
  'B',
  'BB',
  'BN',
  'NN',
  'R',
  'P',
  'PP',
  'Bb',
  'Nb',
  'Qq',
  'Pp',
  'PPpp',
  'BBb',
  'PPPppp',
  'RPp',
  '',
];

/** A position of two kings and few pieces. */
function endgame(pick) {
  for (;;) {
    const cells = Array(25).fill('.');
    for (const letter of `Kk${oneOf(pick, SETS)}`) cells[pick(25)] = letter;
    const rows = [0, 5, 10, 15, 20].map((from) => cells.slice(from, from + 5).join(''));
    const board = rows.map((row) => row.replace(/\.+/g, (run) => String(run.length))).join('/');
    const fen = `${board} ${oneOf(pick, ['w', 'b'])} - - ${oneOf(pick, [0, 0, 0, 90])} ${60 + pick(20)}`;
    if (half.parse(fen, {}).ok) return fen;
  }
}

const resultOf = (winner) => ({ first: '1-0', second: '0-1' })[winner] ?? '1/2-1/2';

/** Whether their position text differs from ours only by an en passant square that no legal capture uses. */
function isIdleEnPassant(ours, theirs, board) {
  const fields = theirs.split(' ');
  const target = fields[3];
  const arriving = board
    .legalMoves()
    .split(' ')
    .filter((move) => move.slice(2, 4) === target);
  const isTaken = arriving.some((move) => isPawnMove(board, move) && move[0] !== target[0]);
  return target !== '-' && fields.with(3, '-').join(' ') === ours && !isTaken;
}

function compareFen(tally, fen, board) {
  const theirs = board.fen();
  if (fen === theirs || !isIdleEnPassant(fen, theirs, board)) tally.compare(fen, 'fen', fen, theirs);
  else tally.explain('an en passant square is printed only if a legal capture uses it', theirs);
}

/**
 * What ends a game automatically for both, and the claimable draws, which end the game for Fairy-Stockfish.
 */
function compareEnd(tally, game, board, fen) {
  const { outcome } = game;
  const material = outcome?.reason === 'insufficientMaterial';
  if (outcome === null || material) tally.compare(fen, 'material', material, board.isInsufficientMaterial());
  if (outcome !== null && ['fivefoldRepetition', 'seventyFiveMoves'].includes(outcome.reason)) return;
  const own = outcome === null ? '*' : resultOf(outcome.winner);
  tally.compare(
    fen,
    'end',
    own,
    board.isGameOver(false) || board.isInsufficientMaterial()
      ? board.result(false).replace('*', '1/2-1/2')
      : '*',
  );
  if (outcome === null)
    tally.compare(fen, 'claims', half.claimable(game.history).length > 0, board.isGameOver(true));
}

function comparePosition(tally, game, board) {
  const at = position(game);
  const fen = half.fen(at);
  compareFen(tally, fen, board);
  tally.compare(fen, 'check', half.check(at), board.isCheck());
  const theirs = board.legalMoves().split(' ').filter(Boolean).sort().join(' ');
  tally.compare(fen, 'moves', half.legalMoves(at).map(half.text).sort().join(' '), theirs);
  compareEnd(tally, game, board, fen);
}

const isPawnMove = (board, move) => /^[a-e](?:x|[1-5])/.test(board.sanMove(move));

/** A random move, preferring captures, promotions, pawn moves, double steps or moves back. */
function choose(moves, board, before, pick) {
  const styles = [
    (move) => board.isCapture(move),
    (move) => isPawnMove(board, move),
    (move) => isPawnMove(board, move) && Math.abs(move[3] - move[1]) === 2,
    (move) => move === before,
  ];
  const liked = moves.filter(styles[pick(6)] ?? (() => true));
  return oneOf(pick, liked.length > 0 ? liked : moves);
}

function playGame(tally, fen, pick) {
  let game = resume(half, { setup: 'random' }, { fen, plies: [] }).value;
  const board = new ffish.Board('halfcourt', fen);
  const played = [];
  comparePosition(tally, game, board);
  while (game.outcome === null && played.length < MOST_PLIES && tally.unexplained.length < 50) {
    const undo = played.at(-2)?.replace(/^(..)(..)$/, '$2$1');
    const move = choose([...legalMoves(game)].sort(), board, undo, pick);
    const { game: next, ply } = play(game, move, null).value;
    tally.compare(`${half.fen(position(game))} ${move}`, 'san', ply.san, board.sanMove(move));
    board.push(move);
    game = next;
    played.push(move);
    comparePosition(tally, game, board);
  }
  tally.count('plies', played.length);
  tally.count(`ended by ${game.outcome?.reason ?? 'length'}`);
  board.delete();
}

/** Compares this many games; prints the tally. */
export function crosscheckSmall(games, seed) {
  const tally = new Tally('5 x 5 (Half-Court set-ups without castling) against Fairy-Stockfish');
  const pick = random(seed);
  for (let n = 0; n < games && tally.unexplained.length < 50; n++) {
    playGame(tally, n % 2 === 0 ? setUp(pick) : endgame(pick), pick);
    tally.count('games');
  }
  return tally.print();
}
