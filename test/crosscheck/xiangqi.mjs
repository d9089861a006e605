import { readFileSync } from 'node:fs';
import { oneOf, random } from '../support/random.mjs';
import { begin, legalMoves, play, position, resume } from '../../dist/rules/play.js';
import { rulesetById } from '../../dist/rules/registry.js';
import { ffish } from './ffish.mjs';
import { CLAUSES, aimedAt, explain, judge, moveText, moved, parse, squaresOf } from './reading.mjs';
import { Tally } from './tally.mjs';

/**
 * Tournament Xiangqi against Fairy-Stockfish and against our second implementation, in games with
 * repetitions.
 */

const MOST_PLIES = 60;
const xiangqi = rulesetById('xiangqi-tournament');
const START = xiangqi.fen(xiangqi.start({}, null));

const boardAndTurn = (fen) => fen.split(' ', 2).join(' ');
const SIDES = { red: '1-0', black: '0-1' };
const resultOf = (winner) =>
  winner === null ? '1/2-1/2' : winner === 'first' || winner === 'red' ? '1-0' : '0-1';

/** What both know of a position and of the game that led to it. */
function comparePosition(tally, game, board, record) {
  const at = position(game);
  const fen = xiangqi.fen(at);
  tally.compare(fen, 'board', boardAndTurn(fen), boardAndTurn(board.fen()));
  tally.compare(fen, 'check', xiangqi.check(at), board.isCheck());
  const theirs = board.legalMoves().split(' ').filter(Boolean).sort().join(' ');
  tally.compare(fen, 'moves', xiangqi.legalMoves(at).map(xiangqi.text).sort().join(' '), theirs);
  tally.compare(fen, 'material', game.outcome?.reason === 'insufficientMaterial', deadFor(game, board));
  compareOutcome(tally, game, board, record, fen);
}

/** Whether Fairy-Stockfish ends the game for insufficient material. Checkmate takes precedence. */
const deadFor = ({ outcome }, board) =>
  !['checkmate', 'noLegalMove'].includes(outcome?.reason) && board.isInsufficientMaterial();

function compareOutcome(tally, game, board, record, fen) {
  const { outcome } = game;
  const repeated = repetitionOf(record);
  const theirs = board.isGameOver(true) ? board.result(true) : '*';
  if (repeated !== null && !['checkmate', 'noLegalMove', 'insufficientMaterial'].includes(outcome?.reason)) {
    return compareRepetition(tally, outcome, theirs, repeated, record);
  }
  // Fairy-Stockfish counts quiet plies differently: checks after the tenth are not counted.
  if (outcome?.reason === 'quietLimit' || (outcome === null && xiangqi.quiet(position(game)) >= 100)) return;
  tally.compare(fen, 'result', outcome === null ? '*' : resultOf(outcome.winner), theirs);
}

/** The positions and plies from the first to the third occurrence of the last position, or null. */
function repetitionOf({ fens, plies }) {
  const last = boardAndTurn(fens.at(-1));
  const times = fens.flatMap((fen, n) => (boardAndTurn(fen) === last ? [n] : []));
  if (times.length < 3) return null;
  const from = times[0];
  const leadIn = from === 0 ? null : { position: parse(fens[from - 1]), ply: squaresOf(plies[from - 1]) };
  return { from, positions: fens.slice(from).map(parse), plies: plies.slice(from).map(squaresOf), leadIn };
}

function compareRepetition(
  tally,
  outcome,
  theirs,
  { from, positions, plies, leadIn },
  { fens, plies: texts },
) {
  const where = `${fens[from]} ${texts.slice(from).join(' ')}`;
  const second = judge(positions, plies);
  tally.count('repetitions judged');
  tally.count(`of them ${second.reason}`);
  tally.compare(
    where,
    'second reading',
    `${outcome?.reason} ${outcome && resultOf(outcome.winner)}`,
    `${second.reason} ${resultOf(second.winner)}`,
  );
  if (outcome === null || resultOf(outcome.winner) === theirs) return;
  const winner = Object.keys(SIDES).find((side) => SIDES[side] === theirs) ?? null;
  const clauses = theirs === '*' ? null : explain(positions, plies, leadIn, winner);
  if (clauses === null)
    tally.fail(where, 'repetition', `${outcome.reason} ${resultOf(outcome.winner)}`, theirs);
  else tally.explain(clauses.map((name) => CLAUSES[name]).join('; with '), where);
}

const PIECES = 'RRNNCCPPPAABBrrnnccpppaabb';

/** A position of the two generals and a few pieces on squares where they may stand. */
function sparse(pick) {
  for (;;) {
    const cells = Array(90).fill('.');
    cells[3 + pick(3) + 9 * pick(3)] = 'K';
    cells[3 + pick(3) + 9 * (7 + pick(3))] = 'k';
    for (let count = 2 + pick(7); count > 0; count--) {
      const square = pick(90);
      if (cells[square] === '.') cells[square] = oneOf(pick, PIECES);
    }
    const rows = Array.from({ length: 10 }, (_, rank) => cells.slice(rank * 9, rank * 9 + 9).join(''));
    const board = rows
      .reverse()
      .map((row) => row.replace(/\.+/g, (run) => String(run.length)))
      .join('/');
    const fen = `${board} ${oneOf(pick, ['w', 'b'])} - - 0 ${40 + pick(9)}`;
    if (xiangqi.parse(fen, {}).ok) return fen;
  }
}

const quietMoves = (at) => xiangqi.legalMoves(at).filter((move) => xiangqi.captured(at, move, null) === null);

/** The squares of the enemy pieces that the moving side attacks after the ply. */
function preyOf(at, move) {
  const { cells, red } = parse(xiangqi.fen(at));
  return aimedAt(moved(cells, ...squaresOf(xiangqi.text(move))), red);
}

const from = (move) => squaresOf(xiangqi.text(move))[0];
const to = (move) => squaresOf(xiangqi.text(move))[1];

/** A random move, with a few tries to find a preferred one. */
function rather(pick, moves, likes) {
  let move = oneOf(pick, moves);
  for (let tries = 6; tries > 0 && move !== undefined && !likes(move); tries--) move = oneOf(pick, moves);
  return move;
}

/** The moves that bring the moved piece home, or to a third square first. */
const stepFor = (at, trail, homeward) => {
  const path = trail.filter((_, n) => n % 2 === trail.length % 2);
  const [, standing] = path.at(-1);
  return quietMoves(at).filter((move) => from(move) === standing && (to(move) === path[0][0]) === homeward);
};

/**
 * Tries to build a cycle of four or six plies in which each side moves one piece around, one preferably
 * attacking, the other fleeing. Returns the moves and how often each side attacked.
 */
function tryCycle(start, pick) {
  const length = pick(3) > 0 ? 4 : 6;
  const trail = [];
  const attacks = [0, 0];
  let now = start;
  let prey = [];
  for (let n = 0; n < length; n++) {
    const moves = n < 2 ? quietMoves(now) : stepFor(now, trail, n >= length - 2);
    const liked =
      n === 1 ? (move) => prey.includes(from(move)) : (move) => n % 2 === 0 && preyOf(now, move).length > 0;
    const move = rather(pick, moves, liked);
    if (move === undefined) return null;
    prey = preyOf(now, move);
    if (prey.length > 0) attacks[n % 2]++;
    trail.push([from(move), to(move)]);
    now = xiangqi.play(now, move, null);
  }
  const isCycle = boardAndTurn(xiangqi.fen(now)) === boardAndTurn(xiangqi.fen(start));
  return isCycle
    ? { moves: trail.map(([one, two]) => moveText(one, two)), attacks: Math.max(...attacks) * 2 === length }
    : null;
}

/** Whether the cycle is lost for a side by either program. */
function isDecisive(at, moves) {
  const fen = xiangqi.fen(at);
  const board = new ffish.Board('xiangqi', fen);
  let game = resume(xiangqi, {}, { fen, plies: [] }).value;
  for (const move of [...moves, ...moves]) {
    game = play(game, move, null).value.game;
    board.push(move);
  }
  const theirs = board.result(true);
  board.delete();
  return game.outcome.winner !== null || theirs !== '1/2-1/2';
}

/** A cycle, preferably one that a side loses by attacking with each ply. */
function cycle(at, pick) {
  for (let tries = 50; tries > 0; tries--) {
    const found = tryCycle(at, pick);
    if (found === null) continue;
    if (pick(1000) === 0 || (found.attacks && isDecisive(at, found.moves))) return found.moves;
  }
  return null;
}

/** The next moves: a single one, or a cycle played twice. */
function nextMoves(game, pick) {
  const pieces = xiangqi
    .fen(position(game))
    .split(' ', 1)[0]
    .replace(/[0-9/]/g, '').length;
  if (pick(pieces > 14 ? 20 : 3) === 0) {
    const found = cycle(position(game), pick);
    if (found !== null) return [...found, ...found];
  }
  return [oneOf(pick, [...legalMoves(game)].sort())];
}

/** Plays the given moves, or random ones until the game ends. */
function playGame(tally, fen, pick, moves = null) {
  let game = fen === START ? begin(xiangqi, {}) : resume(xiangqi, {}, { fen, plies: [] }).value;
  const board = new ffish.Board('xiangqi', fen);
  const record = { fens: [fen], plies: [] };
  comparePosition(tally, game, board, record);
  const plan = [...(moves ?? [])];
  const length = moves?.length ?? MOST_PLIES;
  while (game.outcome === null && record.plies.length < length && tally.unexplained.length < 50) {
    if (plan.length === 0) plan.push(...nextMoves(game, pick));
    const move = plan.shift();
    const { game: next, ply } = play(game, move, null).value;
    board.push(move);
    game = next;
    record.fens.push(ply.fen);
    record.plies.push(move);
    comparePosition(tally, game, board, record);
  }
  tally.count('plies', record.plies.length);
  tally.count(`ended by ${game.outcome?.reason ?? 'length'}`);
  board.delete();
}

/** The games of the vectors, which were made to show the fine points. */
const vectors = () =>
  readFileSync(new URL('../vectors/games.xiangqi-tournament.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Compares the games of the vectors and this many more; prints the tally. */
export function crosscheckXiangqi(games, seed) {
  const tally = new Tally('Tournament Xiangqi against Fairy-Stockfish');
  const pick = random(seed);
  for (const { start, plies } of vectors()) {
    playGame(
      tally,
      start ?? START,
      pick,
      plies.map(({ move }) => move),
    );
    tally.count('games of the vectors');
  }
  for (let n = 0; n < games && tally.unexplained.length < 50; n++) {
    playGame(tally, n % 5 === 0 ? START : sparse(pick), pick);
    tally.count('games');
  }
  return tally.print();
}
