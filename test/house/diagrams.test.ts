import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawDiagram } from '../../src/boards/diagram.js';
import { play, position } from '../../src/rules/play.js';
import { rulesets } from '../../src/rules/registry.js';
import {
  fenOf,
  findWritten,
  gameAt,
  imageNames,
  imagesOn,
  legalOf,
  readDiagrams,
  readImage,
  readPages,
  type Diagram,
} from '../support/rule-pages.js';
import { must } from '../support/random-games.js';

/** The diagrams of docs/rules are drawn from the listed positions, and their marks are true. */

const diagrams = readDiagrams();
const pages = readPages();

/** The two squares of a move. */
const ends = (text: string): readonly [string, string] | null => {
  const found = /^([a-z]\d+)([a-z]\d+)[a-z]?$/.exec(text);
  return found === null ? null : [found[1]!, found[2]!];
};

const reached = (diagram: Diagram, from: string): readonly string[] => {
  const found = legalOf(gameAt(diagram)).map(ends);
  return [...new Set(found.filter((move) => move?.[0] === from).map((move) => move![1]))].sort();
};

const ranksOf = ({ position: text }: Diagram): readonly string[] =>
  text
    .split(' ')[0]!
    .replace(/\d/g, (digit) => ' '.repeat(Number(digit)))
    .split('/')
    .reverse();

const letterOn = (diagram: Diagram, square: string): string =>
  ranksOf(diagram)[Number(square.slice(1)) - 1]?.[square.charCodeAt(0) - 97] ?? 'off the board';

const isShown = ({ crop }: Diagram, square: string): boolean => {
  if (crop == null) return true;
  const [from, to] = crop.split('-') as [string, string];
  const [file, rank] = [square.charAt(0), Number(square.slice(1))];
  return file >= from[0]! && file <= to[0]! && rank >= Number(from.slice(1)) && rank <= Number(to.slice(1));
};

const hiddenPieces = (diagram: Diagram): readonly string[] =>
  ranksOf(diagram).flatMap((row, rank) =>
    [...row].filter((_, file) => !isShown(diagram, String.fromCharCode(97 + file) + String(rank + 1))),
  );

test('every image is what npm run boards draws, and there are no others', () => {
  expect(imageNames()).toEqual([...diagrams.keys()].map((name) => `${name}.svg`).sort());
  const stale = [...diagrams].filter(
    ([name, diagram]) => readImage(`${name}.svg`) !== must(drawDiagram(diagram)),
  );
  expect(stale.map(([name]) => name)).toEqual([]);
});

test('the pictures of the README are what npm run boards draws', () => {
  const listed = Object.entries(
    JSON.parse(readFileSync('docs/img/boards.json', 'utf8')) as Record<string, Diagram>,
  );
  const drawn = listed.flatMap(([name, one]) =>
    (['light', 'dark'] as const).map(
      (theme) => [`${name}-${theme}.svg`, must(drawDiagram({ ...one, theme }))] as const,
    ),
  );
  expect(listed.map(([name]) => name).sort()).toEqual(
    rulesets()
      .map(({ id }) => id)
      .sort(),
  );
  const stale = drawn.filter(([name, svg]) => readFileSync(`docs/img/${name}`, 'utf8') !== svg);
  expect(stale.map(([name]) => name)).toEqual([]);
});

test('every image is on a page, and every page shows existing images, each with a caption', () => {
  const shown = [...pages.values()].flatMap((page) => page.split('\n').flatMap(imagesOn));
  expect([...new Set(shown)].sort()).toEqual([...diagrams.keys()].sort());
  const captions = [...pages.values()].flatMap((page) => [...page.matchAll(/!\[([^\]]*)\]/g)]);
  expect(captions.map((match) => match[1]!).filter((caption) => caption.length < 10)).toEqual([]);
});

test('images are small and have no external references', () => {
  const images = imageNames().map(readImage);
  expect(Math.max(...images.map((image) => image.length))).toBeLessThan(20_000);
  expect(
    images.filter((image) => /https?:(?!\/\/www\.w3\.org\/2000\/svg")|<script|<style/.test(image)),
  ).toEqual([]);
});

test('the links of the pages lead somewhere', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-');
  const anchors = (path: string) =>
    [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map((match) => slug(match[1]!));
  const broken: string[] = [];
  for (const [name, page] of pages) {
    for (const [, file, anchor] of page.matchAll(/\]\(([^)#]*)(?:#([^)]+))?\)/g)) {
      const path = file === '' ? `docs/rules/${name}` : join('docs/rules', file!);
      const found = existsSync(path) && (anchor === undefined || anchors(path).includes(anchor));
      if (!found) broken.push(`${name}: ${file}#${anchor}`);
    }
  }
  expect(broken).toEqual([]);
});

describe.each([...diagrams])('%s', (_name, diagram) => {
  const { moves, crosses = [], blocks = [], arrows = [], check, outcome, after } = diagram;

  test('its position is printed as it was read, and shows all pieces but kings', () => {
    expect(fenOf(gameAt(diagram))).toBe(diagram.position);
    expect(hiddenPieces(diagram).filter((letter) => !' Kk'.includes(letter))).toEqual([]);
  });

  test('its marks are on the shown board and true', () => {
    const marked = [...(moves?.to ?? []), ...crosses, ...blocks, ...arrows.flatMap((move) => ends(move)!)];
    expect(
      marked.filter((square) => !isShown(diagram, square) || letterOn(diagram, square).length > 1),
    ).toEqual([]);
    if (moves !== undefined) expect([...moves.to].sort()).toEqual(reached(diagram, moves.from));
    const legal = legalOf(gameAt(diagram));
    expect(arrows.filter((move) => !legal.includes(move))).toEqual([]);
    const within = moves === undefined ? legal.map((text) => ends(text)?.[1]) : reached(diagram, moves.from);
    expect(crosses.filter((square) => within.includes(square))).toEqual([]);
    expect(blocks.filter((square) => letterOn(diagram, square) === ' ')).toEqual([]);
  });

  test('its check and its end are true', () => {
    const game = gameAt(diagram);
    expect(game.ruleset.check(position(game))).toBe(check !== undefined);
    if (check !== undefined) expect('Kk').toContain(letterOn(diagram, check));
    expect(game.outcome).toEqual(outcome ?? null);
  });

  test('it follows from the diagram before it', () => {
    if (after === undefined) return;
    let now = gameAt(diagrams.get(after.diagram)!);
    for (const move of after.moves) now = must(play(now, ...findWritten(now, move))).game;
    expect(fenOf(now)).toBe(diagram.position);
  });
});
