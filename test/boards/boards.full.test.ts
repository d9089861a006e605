import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { USUAL, type Look } from '../../src/boards/board.js';
import { drawPicture } from '../../src/boards/draw-picture.js';
import { THEMES } from '../../src/boards/palette.js';
import { pictureOf, type Picture } from '../../src/boards/picture.js';
import { PIECE_SETS } from '../../src/boards/pieces.js';
import { squareName } from '../../src/rules/board.js';
import { begin, play, position, turnsUp, type Game } from '../../src/rules/play.js';
import { rulesets } from '../../src/rules/registry.js';
import { PLAYERS } from '../../src/rules/ruleset.js';
import { must, random, randomGame, reveal, shuffled, type RandomGame } from '../support/random-games.js';
import { runs } from '../support/scale.js';

/** Pictures of boards, in random games of all rule sets. */

const GAMES: ReadonlyMap<string, RandomGame> = new Map(
  rulesets().map((ruleset, i) => [ruleset.id, randomGame(ruleset, {}, 70 + i)]),
);

const pictured = (game: Game<unknown>, lastMove: string | null = null): Picture =>
  pictureOf(game.ruleset, position(game), 'a position', lastMove);

const looks: fc.Arbitrary<Look> = fc.record({
  orientation: fc.constantFrom(...PLAYERS),
  theme: fc.constantFrom(...THEMES),
  pieces: fc.constantFrom(...PIECE_SETS),
  size: fc.integer({ min: 64, max: 2048 }),
  crop: fc.constant(null),
});

const all = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1]!);

/** Where the pieces with a letter stand on the paper, in the order of the squares. */
const usesOf = (svg: string, letter: string): readonly string[] =>
  all(svg, new RegExp(`<use href="#p${letter}" (x="[^"]*" y="[^"]*")/>`, 'g'));

describe.each(rulesets().map(({ id }) => id))('%s', (id) => {
  const game = GAMES.get(id)!;
  const at = fc.nat(game.states.length - 1);
  const lastMove = (index: number): string | null => game.plies[index - 1]?.move ?? null;
  const draw = (index: number, look: Look): string =>
    drawPicture(pictured(game.states[index]!, lastMove(index)), look);

  test('every picture is small, and whole without anything from outside', () => {
    fc.assert(
      fc.property(at, looks, (index, look) => {
        const svg = draw(index, look);
        expect(Buffer.byteLength(svg)).toBeLessThan(20_000);
        const ids = all(svg, / id="([^"]*)"/g);
        expect(new Set(ids).size).toBe(ids.length);
        expect(all(svg, /href="#([^"]*)"/g).filter((one) => !ids.includes(one))).toEqual([]);
        expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
          /https?:|href="[^#]|url\(|@import|<(?:text|image|script|foreignObject)|font|NaN|undefined/,
        );
      }),
      runs(300),
    );
  });

  test('it is well-formed, and as large as was asked', () => {
    fc.assert(
      fc.property(at, looks, (index, look) => {
        const { width, height } = new Resvg(draw(index, look), { font: { loadSystemFonts: false } });
        expect(Math.max(width, height)).toBe(look.size);
      }),
      runs(60),
    );
  });

  test('every piece is drawn where it stands', () => {
    fc.assert(
      fc.property(at, looks, (index, look) => {
        const picture = pictured(game.states[index]!);
        const svg = drawPicture(picture, look);
        const letters = [...new Set(picture.pieces.map(({ letter }) => letter))];
        for (const letter of letters) {
          const own = picture.pieces.filter((piece) => piece.letter === letter);
          expect(usesOf(svg, letter)).toHaveLength(own.length);
          expect(new RegExp(`<g id="p${letter}"[^>]*>.*?<(path|circle)`).test(svg)).toBe(true);
        }
        const places = letters.flatMap((letter) => usesOf(svg, letter));
        expect(new Set(places).size).toBe(picture.pieces.length);
      }),
      runs(100),
    );
  });

  test('the other side sees the board turned around', () => {
    const picture = pictured(game.states[0]!);
    const [first, second] = PLAYERS.map((orientation) => drawPicture(picture, { ...USUAL, orientation }));
    const { square, letter } = picture.pieces[0]!;
    const { files, ranks } = game.ruleset.board;
    expect(square).toBe('a1');
    expect(usesOf(first!, letter)).toContain(`x="0" y="${(ranks - 1) * 45}"`);
    expect(usesOf(second!, letter)).toContain(`x="${(files - 1) * 45}" y="0"`);
  });

  test('it says what it shows: every piece with its square, who is to move, and the position', () => {
    fc.assert(
      fc.property(at, looks, (index, look) => {
        const svg = draw(index, look);
        const { ruleset } = game;
        const state = game.states[index]!;
        expect(all(svg, /<title>([^<]*)<\/title>/g)).toEqual([`${ruleset.name}: a position`]);
        const [said] = all(svg, /<desc>([^<]*)<\/desc>/g);
        expect(said).toContain(`FEN: ${ruleset.fen(position(state))}`);
        expect(said).toContain(' to move');
        for (const { square } of pictured(state).pieces) expect(said).toMatch(new RegExp(`\\b${square}\\b`));
        expect(said!.includes('in check')).toBe(ruleset.check(position(state)));
      }),
      runs(60),
    );
  });

  test('the last move is marked', () => {
    const index = game.plies.findIndex(({ move }) => move !== 'pass') + 1;
    const marked = draw(index, USUAL).split('fill-opacity="0.6"').length - 1;
    expect(marked).toBe(/\d[a-z]/.test(lastMove(index)!) ? 2 : 1);
    expect(drawPicture(pictured(game.states[index]!), USUAL)).not.toContain('fill-opacity="0.6"');
  });
});

test('a king in check is marked, and told', () => {
  const ruleset = rulesets().find(({ id }) => id === 'xiangqi-tournament')!;
  const text = '3k5/9/9/9/3R5/9/9/9/9/4K4 b - - 0 1';
  const picture = pictureOf(ruleset, must(ruleset.parse(text, {})), 'a position');
  expect(picture.check).toBe('d10');
  expect(drawPicture(picture, USUAL)).toContain('Black to move, in check.');
  expect(drawPicture(picture, USUAL)).toMatch(/<rect [^>]*fill="#e8402f"/);
});

/** The same game with what it has not turned up lying otherwise. */
function dealtOtherwise(game: RandomGame, plies: number, seed: number): Game<unknown> {
  const { ruleset, options, deal } = game;
  const known = new Set(
    game.plies.slice(0, plies).map(({ move }, i) => must(turnsUp(game.states[i]!, move))),
  );
  const hidden = [...deal!].map((_, i) => i).filter((i) => !known.has(squareName(ruleset.board, i)));
  const letters = shuffled(hidden.map((i) => deal![i]).join(''), random(seed));
  const other = [...deal!];
  hidden.forEach((place, i) => (other[place] = letters[i]!));
  let now: Game<unknown> = begin<unknown>(ruleset, options);
  for (const { move } of game.plies.slice(0, plies)) {
    now = must(play(now, move, reveal(now, other.join(''), move))).game;
  }
  return now;
}

describe.each(
  rulesets()
    .filter(({ hidden }) => hidden)
    .map(({ id }) => id),
)('face-down pieces of %s', (id) => {
  const game = GAMES.get(id)!;

  test('two deals that look the same give the same bytes', () => {
    const plies = fc.nat(Math.min(60, game.plies.length));
    fc.assert(
      fc.property(plies, fc.nat(), looks, (count, seed, look) => {
        const lastMove = game.plies[count - 1]?.move ?? null;
        const [one, other] = [game.states[count]!, dealtOtherwise(game, count, seed)].map((state) =>
          drawPicture(pictured(state, lastMove), look),
        );
        expect(other).toBe(one);
      }),
      runs(100),
    );
  });

  test('they are one drawing, used on each of their squares', () => {
    const svg = drawPicture(pictured(game.states[0]!), USUAL);
    expect(usesOf(svg, 'x')).toHaveLength(32);
    expect(svg.split('<g id="px"')).toHaveLength(2);
    expect(all(svg, /<use ([^>]*)\/>/g).filter((use) => !use.startsWith('href="#px" '))).toEqual([]);
  });
});
