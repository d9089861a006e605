import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'fontkit';
import { UserError, inRoot, main } from './support.mjs';

/**
 * Takes the outlines of the characters on boards from Noto Serif TC and Noto Sans and writes src/boards/characters.ts and
 * src/boards/glyphs.ts. In an empty folder FONTS:
 *
 *   npm pack @fontsource/noto-serif-tc@5.3.0 && tar xzf fontsource-noto-serif-tc-5.3.0.tgz && mv package serif
 *   npm pack @fontsource/noto-sans@5.3.0 && tar xzf fontsource-noto-sans-5.3.0.tgz && mv package sans
 *   node scripts/glyphs.mjs FONTS
 *
 * Both fonts are licensed under the SIL Open Font License 1.1 (licenses/noto-fonts.txt).
 */

/** An em in the units of the outlines, which are whole numbers: EM of src/boards/svg.ts. */
const EM = 180;

/** The characters of pieces and of the river: each lies around the middle of its ink. */
const CHINESE = '帥仕相傌俥炮兵將士象馬車砲卒楚河漢界';
const LETTERS = 'KABNRCP';
/** Coordinates stand on one line; the middle of their width is 0. */
const COORDINATES = [...'abcdefghi123456789', '10'];

/** The font, or the part of it, that has a character. */
function fontOf(fonts, character) {
  if (!CHINESE.includes(character)) return fontIn(join(fonts, 'sans/files/noto-sans-latin-600-normal.woff2'));
  const code = character.codePointAt(0);
  const ranges = Object.entries(JSON.parse(readFileSync(join(fonts, 'serif/unicode.json'), 'utf8')));
  const part = ranges.find(([, text]) => text.split(',').some((range) => isIn(range, code)));
  if (part === undefined) throw new UserError(`The font has no ${character}.`);
  const number = part[0].replace(/[[\]]/g, '');
  return fontIn(join(fonts, `serif/files/noto-serif-tc-${number}-700-normal.woff2`));
}

const fontIn = (path) => create(readFileSync(path));

function isIn(range, code) {
  const [from, to = from] = range.replace('U+', '').split('-');
  return code >= parseInt(from, 16) && code <= parseInt(to, 16);
}

/** The commands of an outline, downwards as in SVG, moved by `dx` and `dy` in units of the font. */
function commandsOf(path, scale, dx, dy) {
  const at = (value, i) => (i % 2 === 0 ? (value + dx) * scale : -(value + dy) * scale);
  const commands = simplified(path.commands.map(({ command, args }) => ({ command, args: args.map(at) })));
  return commands.map(({ command, args }) => ({ command, args: args.map(Math.round) }));
}

/** How far a simpler curve may lie beside the one of the font. */
const TOLERANCE = 0.5;

/** Curves that follow each other become one where that can hardly be seen: TrueType needs several for one stroke. */
function simplified(commands) {
  const made = [];
  let [before, run] = [[0, 0], []];
  for (const { command, args } of commands) {
    const end = args.slice(-2);
    if (command !== 'quadraticCurveTo') run = [];
    else {
      const curve = [before, args.slice(0, 2), end];
      const merged = run.length === 0 ? null : mergedOf([...run, curve]);
      if (merged !== null) made.pop();
      run = merged === null ? [curve] : [...run, curve];
      made.push({ command, args: (merged ?? curve).slice(1).flat() });
    }
    if (command !== 'quadraticCurveTo') made.push({ command, args });
    if (end.length > 0) before = end;
  }
  return made;
}

/** One curve with the tangents that these have at their ends, null where it goes another way. */
function mergedOf(curves) {
  const [start, first] = curves[0];
  const [, last, end] = curves.at(-1);
  const control = crossing(start, first, end, last);
  if (control === null) return null;
  const merged = [start, control, end];
  const course = pointsOf(merged, 60);
  const isNear = ([x, y]) => course.some(([a, b]) => Math.hypot(a - x, b - y) < TOLERANCE);
  return curves.every((curve) => pointsOf(curve, 8).every(isNear)) ? merged : null;
}

/** Where the line from `a` through `b` meets that from `c` through `d`, ahead of both. */
function crossing(a, b, c, d) {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const cross = ux * vy - uy * vx;
  if (Math.abs(cross) < 1e-6) return null;
  const [wx, wy] = [c[0] - a[0], c[1] - a[1]];
  const [along, back] = [(wx * vy - wy * vx) / cross, (wx * uy - wy * ux) / cross];
  return along < 0 || back < 0 ? null : [a[0] + ux * along, a[1] + uy * along];
}

const pointsOf = ([a, b, c], many) =>
  Array.from({ length: many + 1 }, (_, i) => i / many).map((t) =>
    [0, 1].map((i) => a[i] * (1 - t) ** 2 + 2 * b[i] * t * (1 - t) + c[i] * t ** 2),
  );

const COMMANDS = { moveTo: 'm', lineTo: 'l', quadraticCurveTo: 'q', bezierCurveTo: 'c' };

/** The commands as relative ones, as short as they can be. */
function written(commands) {
  let [x, y, startX, startY, before] = [0, 0, 0, 0, ''];
  let text = '';
  for (const { command, args } of commands) {
    if (command === 'closePath') {
      [x, y, before] = [startX, startY, 'z'];
      text += 'z';
      continue;
    }
    const relative = args.map((value, i) => value - (i % 2 === 0 ? x : y));
    [x, y] = args.slice(-2);
    if (command === 'moveTo') [startX, startY] = [x, y];
    const [letter, values] = shortest(COMMANDS[command], relative);
    if (values.length === 0) continue;
    text += (letter === before && letter !== 'm' ? '' : letter) + joined(values, letter === before);
    before = letter;
  }
  return text;
}

function shortest(letter, values) {
  if (letter === 'q' && isStraight(values)) return shortest('l', values.slice(2));
  if (letter !== 'l') return [letter, values];
  const [dx, dy] = values;
  if (dx === 0 && dy === 0) return [letter, []];
  if (dy === 0) return ['h', [dx]];
  return dx === 0 ? ['v', [dy]] : [letter, values];
}

const isStraight = ([bx, by, cx, cy]) => Math.abs(bx * cy - by * cx) <= 0.5 * Math.hypot(cx, cy);

/** A minus divides by itself. */
const joined = (values, goesOn) =>
  values.map((value, i) => (value < 0 || (i === 0 && !goesOn) ? '' : ' ') + String(value)).join('');

function glyphOf(fonts, character) {
  const font = fontOf(fonts, character);
  const run = font.layout(character);
  const scale = EM / font.unitsPerEm;
  const { path, bbox } = run.glyphs[0];
  return COORDINATES.includes(character)
    ? lineOf(run, scale)
    : written(commandsOf(path, scale, -(bbox.minX + bbox.maxX) / 2, -(bbox.minY + bbox.maxY) / 2));
}

/** Digits beside each other. */
function lineOf({ glyphs, positions, advanceWidth }, scale) {
  let left = -advanceWidth / 2;
  const commands = glyphs.flatMap(({ path }, i) => {
    const placed = commandsOf(path, scale, left, 0);
    left += positions[i].xAdvance;
    return placed;
  });
  return written(commands);
}

await main(() => {
  const fonts = process.argv[2];
  if (fonts === undefined) throw new UserError('Name the folder of the fonts: node scripts/glyphs.mjs FONTS');
  const head = (font, about) =>
    `/**\n * Outlines of ${font}, SIL Open Font License 1.1 (licenses/noto-fonts.txt), written by scripts/glyphs.mjs.\n * ${about}\n */\n`;
  const table = (constant, names) => {
    const lines = names.map((name) => `  ${name}: '${glyphOf(fonts, name)}',`);
    return `\n// prettier-ignore\nexport const ${constant}: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n};\n`;
  };
  const files = {
    characters:
      head('Noto Serif TC', 'The characters of pieces and of the river lie around 0,0.') +
      table('CHARACTERS', [...CHINESE]),
    glyphs:
      head('Noto Sans', 'The letters of pieces lie around 0,0; coordinates stand on the line y = 0.') +
      table('GLYPHS', [...LETTERS, ...COORDINATES]),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(inRoot(`src/boards/${name}.ts`), text);
    console.log(`${name}: ${text.length} characters`);
  }
});
