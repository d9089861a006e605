import { banqiHongkong, banqiTaiwan } from '../../src/rules/facedown/banqi.js';
import { legalMoves, position, type Game } from '../../src/rules/play.js';
import type { Options } from '../../src/rules/ruleset.js';
import { randomGames } from '../support/random-games.js';

/** Captures and attempts against a second reading of the rules, which shares nothing with the engine. */

const fen = (game: Game<unknown>): string => game.ruleset.fen(position(game));

/** The board of a position text square by square from a1, read without the engine. */
const cellsOf = (fen: string): string[] =>
  fen
    .replace(/ .*/, '')
    .replace(/[0-9]/g, (run) => '.'.repeat(Number(run)))
    .split('/')
    .reverse()
    .flatMap((row) => [...row]);

/** Who reaches whom, a second time: from the ranking as a list of letters, lowest first, and coordinates. */
function mayTake(id: string, options: Options, cells: readonly string[], from: number, to: number): boolean {
  const [piece, target] = [cells[from]!.toUpperCase(), cells[to]!];
  const [right, up] = [(to % 4) - (from % 4), Math.floor(to / 4) - Math.floor(from / 4)];
  if (target === '.' || (target === 'x' && options['darkCaptures'] !== true) || (right !== 0 && up !== 0))
    return false;
  const length = Math.abs(right + up);
  const stride = (to - from) / length;
  const between = Array.from({ length: length - 1 }, (_, i) => cells[from + stride * (i + 1)]);
  const screens = between.filter((cell) => cell !== '.').length;
  if (piece === 'R' && options['slidingChariots'] === true) return screens === 0;
  const jumper = piece === 'C' && id === 'banqi-taiwan';
  if (length > 1) return jumper && screens === 1;
  if (jumper && options['adjacentCannons'] !== true) return false;
  const victim = target.toUpperCase();
  if (target === 'x' || piece + victim === 'PK') return true;
  const ranking = id === 'banqi-taiwan' ? 'PCNRBAK' : 'PABCNRK';
  return piece + victim !== 'KP' && ranking.indexOf(piece) >= ranking.indexOf(victim);
}

const SQUARES = Array.from({ length: 32 }, (_, square) => square);
const squareName = (square: number): string => 'abcd'.charAt(square % 4) + String(Math.floor(square / 4) + 1);

function mayTakeAll(id: string, options: Options, text: string): string[] {
  const [, turn, first, chain] = text.split(' ');
  const cells = cellsOf(text);
  const own = first === '-' ? /^$/ : (turn === 'first') === (first === 'r') ? /[A-Z]/ : /[a-wyz]/;
  return SQUARES.filter((from) => own.test(cells[from]!) && (chain === '-' || chain === squareName(from)))
    .flatMap((from) =>
      SQUARES.filter((to) => !own.test(cells[to]!) && mayTake(id, options, cells, from, to)).map(
        (to) => squareName(from) + squareName(to),
      ),
    )
    .sort();
}

test.each([banqiHongkong, banqiTaiwan])(
  '$id: captures and attempts are those of a second reading of the tables',
  (ruleset) => {
    let seen = 0;
    for (const { label, options, states } of randomGames(ruleset, 77)) {
      for (const state of states.filter(({ outcome }) => outcome === null)) {
        const cells = cellsOf(fen(state));
        const takes = (move: string) => move.length === 4 && cells[squareOf(move.slice(2))] !== '.';
        const found = legalMoves(state).filter((move) => move !== 'pass' && takes(move));
        expect([label, fen(state), [...found].sort()]).toEqual([
          label,
          fen(state),
          mayTakeAll(ruleset.id, options, fen(state)),
        ]);
        seen += found.length;
      }
    }
    expect(seen).toBeGreaterThan(1000);
  },
);

const squareOf = (name: string): number => name.charCodeAt(0) - 97 + 4 * (Number(name.charAt(1)) - 1);
