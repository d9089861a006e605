import { banqiHongkong, banqiTaiwan } from '../../src/rules/facedown/banqi.js';
import { halfChess } from '../../src/rules/facedown/half-chess.js';
import { legalMoves, position, type Game } from '../../src/rules/play.js';
import type { Options } from '../../src/rules/ruleset.js';
import { randomGames } from '../support/random-games.js';

/** Captures and attempts compared with a second implementation of the rules, which shares nothing with the engine. */

/**
 * What this implementation knows of a game: files of its board, and which pieces capture which by a step, as pairs of
 * letters.
 */
interface Table {
  readonly files: number;
  pairs(options: Options): ReadonlySet<string>;
}

/**
 * From a ranking, lowest first: each captures its equals and those below; the lowest captures the highest, but not the
 * reverse.
 */
function byRank(ranking: string): string[] {
  const [lowest, highest] = [ranking.charAt(0), ranking.charAt(ranking.length - 1)];
  const down = [...ranking].flatMap((one, rank) => [...ranking.slice(0, rank + 1)].map((two) => one + two));
  return [...down.filter((pair) => pair !== highest + lowest), lowest + highest];
}

const AS_WRITTEN = 'KK KQ KR KB KN QQ QR QB QN QP RR RB RN RP BR BB BN NP PK'.split(' ');

const TABLES: Readonly<Record<string, Table>> = {
  'banqi-hongkong': { files: 4, pairs: () => new Set(byRank('PABCNRK')) },
  'banqi-taiwan': {
    files: 4,
    pairs: ({ adjacentCannons }) => {
      const others = byRank('PCNRBAK').filter((pair) => !pair.startsWith('C'));
      return new Set(adjacentCannons === true ? [...others, 'CC', 'CP'] : others);
    },
  },
  'half-chess': {
    files: 8,
    // By hierarchy the king cannot capture pawns, and a pawn captures the king: the ranking with its ends joined.
    pairs: ({ captures }) => new Set(captures === 'hierarchy' ? byRank('PNBRQK') : AS_WRITTEN),
  },
};

const fen = (game: Game<unknown>): string => game.ruleset.fen(position(game));

/** The board of a position text square by square from a1, read without the engine. */
const cellsOf = (fen: string): string[] =>
  fen
    .replace(/ .*/, '')
    .replace(/[0-9]/g, (run) => '.'.repeat(Number(run)))
    .split('/')
    .reverse()
    .flatMap((row) => [...row]);

/** Whether the piece on `from` captures what is on `to`, or may attempt it. */
function mayTake(id: string, options: Options, cells: readonly string[], from: number, to: number): boolean {
  const { files, pairs } = TABLES[id]!;
  const [piece, target] = [cells[from]!.toUpperCase(), cells[to]!];
  const right = (to % files) - (from % files);
  const up = Math.floor(to / files) - Math.floor(from / files);
  if (target === '.' || (target === 'x' && options['darkCaptures'] !== true) || (right !== 0 && up !== 0))
    return false;
  const length = Math.abs(right + up);
  const stride = (to - from) / length;
  const between = Array.from({ length: length - 1 }, (_, i) => cells[from + stride * (i + 1)]);
  const screens = between.filter((cell) => cell !== '.').length;
  if (piece === 'R' && options['slidingChariots'] === true) return screens === 0;
  if (length > 1) return piece === 'C' && id === 'banqi-taiwan' && screens === 1;
  const victims = [...pairs(options)].filter((pair) => pair.startsWith(piece));
  return target === 'x' ? victims.length > 0 : victims.includes(piece + target.toUpperCase());
}

function mayTakeAll(id: string, options: Options, text: string): string[] {
  const { files } = TABLES[id]!;
  const name = (square: number) => 'abcdefgh'.charAt(square % files) + String(Math.floor(square / files) + 1);
  const [, turn, first, chain] = text.split(' ');
  const cells = cellsOf(text);
  const squares = [...cells.keys()];
  const own = first === '-' ? /^$/ : (turn === 'first') === (first !== 'b') ? /[A-Z]/ : /[a-wyz]/;
  return squares
    .filter((from) => own.test(cells[from]!) && (chain === '-' || chain === name(from)))
    .flatMap((from) =>
      squares
        .filter((to) => !own.test(cells[to]!) && mayTake(id, options, cells, from, to))
        .map((to) => name(from) + name(to)),
    )
    .sort();
}

test.each([banqiHongkong, banqiTaiwan, halfChess])(
  '$id: captures and attempts match a second implementation of the tables',
  (ruleset) => {
    const { files } = ruleset.board;
    const squareOf = (name: string) => name.charCodeAt(0) - 97 + files * (Number(name.charAt(1)) - 1);
    let seen = 0;
    for (const { label, options, states } of randomGames(ruleset, 77)) {
      for (const state of states.filter(({ outcome }) => outcome === null)) {
        const cells = cellsOf(fen(state));
        const takes = (move: string) => move.length === 4 && cells[squareOf(move.slice(2))] !== '.';
        const found = legalMoves(state).filter((move) => move !== 'pass' && takes(move));
        const at = `${label} ${fen(state)}`;
        expect([at, [...found].sort()]).toEqual([at, mayTakeAll(ruleset.id, options, fen(state))]);
        seen += found.length;
      }
    }
    expect(seen).toBeGreaterThan(300);
  },
);
