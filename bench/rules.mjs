import { cpus } from 'node:os';
import { begin, legalMoves, play } from '../dist/rules/play.js';
import { rulesetById } from '../dist/rules/registry.js';
import { oneOf, random } from '../test/support/random.mjs';
import { chessJs, chessops, ffishJs, nativeEngines, ours } from './rules/engines.mjs';
import { measureMemory } from './rules/memory.mjs';

/**
 * Compares the rules with other programs: counting leaves (perft, with bulk counting), judging a move,
 * replaying games, listing moves, memory. All are measured in alternation in one run; the results are medians
 * of the rounds. All counts must agree.
 *
 *   npm run bench -- rules [SECONDS ROUNDS PLIES]
 *
 *   SECONDS   duration of each measurement (default 0.5)
 *   ROUNDS    number of rounds (default 5)
 *   PLIES     plies to play for the measurement of memory (default 10,000,000)
 */

const SECONDS = Number(process.argv[2] ?? 0.5);
const ROUNDS = Number(process.argv[3] ?? 5);
const PLIES = Number(process.argv[4] ?? 10_000_000);

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const KIWIPETE = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';
const XIANGQI = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1';
const SMALL = 'qbnrk/ppppp/5/PPPPP/NQRBK w - - 0 1';
const DEAL = 'ApanPpPnpcCBaBPrpkRCNKRPbNcrpPAb';

/** Random games of 80 plies. */
function gamesOf(count) {
  const pick = random(80);
  const chess = rulesetById('chess');
  const games = [];
  while (games.length < count) {
    let game = begin(chess, {});
    const plies = [];
    while (game.outcome === null && plies.length < 80) {
      const before = chess.fen(game.history.positions.at(-1));
      const move = oneOf(pick, legalMoves(game));
      game = play(game, move, null).value.game;
      plies.push({ before, move });
    }
    if (plies.length === 80) games.push(plies);
  }
  return games;
}

/**
 * A row of the table. `run` does the work once and returns the units done and a value that must be equal for
 * all engines.
 */
const perftRow = (what, position, depth, rivals) => ({
  what: `${what}, depth ${depth}`,
  unit: 'leaves',
  rivals,
  run: async (engine) => {
    const leaves = await engine.perft(position, depth);
    return [leaves, leaves];
  },
});

const textRow = (what, unit, units, act, rivals) => ({
  what,
  unit,
  rivals,
  run: (engine) => [units, act(engine)],
});

function perftRows({ stockfish, fairy }) {
  const some = (...rivals) => rivals.filter(([engine]) => engine !== undefined);
  return [
    perftRow(
      'Chess start',
      { ruleset: 'chess', fen: START },
      4,
      some([chessops, 6], [chessJs], [ffishJs], [fairy], [stockfish]),
    ),
    perftRow(
      'Chess, Kiwipete',
      { ruleset: 'chess', fen: KIWIPETE },
      3,
      some([chessops, 6], [chessJs], [ffishJs], [fairy], [stockfish]),
    ),
    perftRow(
      'Xiangqi start',
      { ruleset: 'xiangqi-tournament', fen: XIANGQI },
      4,
      some([ffishJs, 6], [fairy, 1.5]),
    ),
    perftRow('5 x 5', { ruleset: 'half-court-chess', fen: SMALL }, 5, some([ffishJs, 6], [fairy, 1.5])),
    perftRow('Banqi, one deal', { ruleset: 'banqi-hongkong', fen: null, deal: DEAL }, 4, []),
  ];
}

function textRows() {
  const games = gamesOf(20);
  const lines = games.map((plies) => plies.map(({ move }) => move));
  const samples = games.flatMap((plies) => plies.filter((_, n) => n % 8 === 3));
  return [
    textRow(
      'Judging a move of chess (FEN in; FEN, SAN, outcome out)',
      'moves',
      samples.length,
      (engine) => samples.map(({ before, move }) => engine.judge(before, move)[1]).join(' '),
      [
        [chessops, 2],
        [chessJs, 2],
      ],
    ),
    textRow(
      'Replaying 80 plies of chess (moves in; last FEN and its occurrences out)',
      'games',
      games.length,
      (engine) => lines.map((ucis) => engine.replayAll(ucis)).join(' '),
      [[chessops, 6]],
    ),
    textRow(
      'The same without counting occurrences',
      'games',
      games.length,
      (engine) => lines.map((ucis) => engine.replay(ucis)).join(' '),
      [[chessops], [chessJs]],
    ),
    textRow(
      'Listing the moves of chess (FEN in, texts out)',
      'positions',
      samples.length,
      (engine) => samples.map(({ before }) => engine.list(before)).length,
      [[chessops], [chessJs], [ffishJs]],
    ),
  ];
}

/** Units per second, over at least SECONDS, and the value to compare. */
async function measure(row, engine) {
  const start = performance.now();
  let done = 0;
  let answer;
  do {
    const [units, given] = await row.run(engine);
    done += units;
    answer = given;
  } while (performance.now() - start < SECONDS * 1000);
  return { rate: (done / (performance.now() - start)) * 1000, answer };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const short = (rate) =>
  rate >= 1e6
    ? `${(rate / 1e6).toFixed(1)} M`
    : rate >= 1e4
      ? `${(rate / 1e3).toFixed(0)} k`
      : rate.toFixed(0);

/** Measures all engines of a row in alternation, round by round. */
async function measureRow(row) {
  const engines = [ours, ...row.rivals.map(([engine]) => engine)];
  const rates = engines.map(() => []);
  const answers = new Set();
  for (let round = -1; round < ROUNDS; round++) {
    for (const [n, engine] of engines.entries()) {
      const { rate, answer } = await measure(row, engine);
      // The first round is a warm-up.
      if (round >= 0) rates[n].push(rate);
      answers.add(String(answer));
    }
  }
  if (answers.size > 1)
    throw new Error(
      `${row.what}: the engines disagree: ${[...answers].map((text) => text.slice(0, 200)).join(' / ')}`,
    );
  return rates.map(median);
}

function printRow({ what, unit, rivals }, [own, ...others]) {
  if (rivals.length === 0) console.log(`| ${what} | ${unit} | ${short(own)} | | | | |`);
  for (const [n, [{ name }, target]] of rivals.entries()) {
    const ratio = own / others[n];
    const verdict = target === undefined ? '' : `${target} ${ratio >= target ? 'ok' : 'short'}`;
    console.log(
      `| ${what} | ${unit} | ${short(own)} | ${name} | ${short(others[n])} | ${ratio.toFixed(2)} | ${verdict} |`,
    );
  }
}

const { engines, quit } = await nativeEngines();
console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}; rounds of ${SECONDS} s, medians of ${ROUNDS}.`,
);
for (const name of ['stockfish', 'fairy'])
  if (engines[name] === undefined) console.log(`${name} is not installed.`);
console.log('\n| what | unit | ours a second | beside | theirs a second | ratio | target |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const rows of [perftRows, textRows]) {
  for (const row of rows(engines)) printRow(row, await measureRow(row));
}
quit();
if (PLIES > 0) {
  const [early, late] = measureMemory(PLIES);
  console.log(
    `| Heap after ${short(PLIES / 10)} and ${short(PLIES)} plies of all games | MB | ${early.toFixed(1)}, ${late.toFixed(1)} | | | ${(late / early).toFixed(2)} | |`,
  );
}
