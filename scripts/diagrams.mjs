import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Complaint, inRoot, isProgram, main } from './support.mjs';

/**
 * Draws the diagrams of docs/rules from docs/rules/diagrams.json into docs/rules/img:
 *
 *   node scripts/diagrams.mjs           writes them, and removes those that are no longer listed
 *   node scripts/diagrams.mjs --check   fails when one of them is out of date
 *
 * A diagram is a position text and marks. Nothing is computed here: a test holds the marks against the rules.
 */

const CELL = 40;
const MARGIN = 22;
const INK = '#1d1d1d';
const LIGHT = '#fbf4e4';
const RED = '#b3261e';
const MARK = '#1b7f3b';
const CASTLE = '#1f5fbf';
const WARN = '#d1451b';

/** How the board of a rule set is drawn, and which set of pieces stands on it. */
const STYLES = {
  chess: { board: chequered, pieces: 'chess' },
  'half-court-chess': { board: chequered, pieces: 'chess' },
  'half-chess': { board: chequered, pieces: 'chess' },
  xiangqi: { board: points, pieces: 'chinese' },
  'xiangqi-tournament': { board: points, pieces: 'chinese' },
  'banqi-hongkong': { board: squares, pieces: 'chinese' },
  'banqi-taiwan': { board: squares, pieces: 'chinese' },
};

const CHARACTERS = {
  ...{ K: '帥', A: '仕', B: '相', N: '傌', R: '俥', C: '炮', P: '兵' },
  ...{ k: '將', a: '士', b: '象', n: '馬', r: '車', c: '砲', p: '卒' },
};
const CJK = "'Noto Serif CJK TC','Songti TC','PMingLiU','Noto Sans CJK TC','Microsoft JhengHei',serif";
const CHARACTER = `font-size="21" font-weight="700" font-family="${CJK}"`;

/** Outlines of the chess pieces, 40 by 40; what is drawn after the foot has no filling of its own. */
const FOOT = 'M9 31h22v3.5H9z';
const OUTLINES = {
  P: `M20 8a5 5 0 0 1 3 9c1.8.6 2.8 2 2.8 2h-2.6c.4 5 2 8.5 5.3 12h-17c3.3-3.5 4.9-7 5.3-12h-2.6s1-1.4 2.8-2a5 5 0 0 1 3-9z${FOOT}`,
  R: `M10.5 8h4.2v3h3V8h4.6v3h3V8h4.2v6.5l-3.2 2.7v10.5L28.5 31h-17l2.2-3.3V17.2l-3.2-2.7z${FOOT}M13.7 17.2h12.6M13.7 27.7h12.6`,
  B: `M20 4.5a2.2 2.2 0 0 1 1.4 3.9C26 12 28 15.8 28 20c0 3-1.6 5.2-3.5 6.5L26 31H14l1.5-4.5C13.6 25.2 12 23 12 20c0-4.2 2-8 6.6-11.6A2.2 2.2 0 0 1 20 4.5z${FOOT}M15.5 26.5h9M20 13.5v7M17 16.5h6`,
  N: `M29 31c1.5-11-1-19-9.5-22L17 5.5 15.7 10C12.5 12 11 16 8.7 20c-1 2-.4 4 1.5 4.8 1.9.8 3.2-.4 4.5-1.8 1.9-.3 3.7-.9 5.1-2.8.2 4.6-6.3 5.6-7 10.8z${FOOT}M16.2 14.4l-1.6 1M25 16c1.4 3.5 2 7 1.6 11`,
  Q: `M20 9.7a2.2 2.2 0 1 1 .1 0l4.4 9.8 2.9-9a2.2 2.2 0 1 1 1.5.3l.4 9.2 4.4-5.5a2.1 2.1 0 1 1 1.3.9L31.5 27 29 31H11l-2.5-4L5 15.4a2.1 2.1 0 1 1 1.3-.9l4.4 5.5.4-9.2a2.2 2.2 0 1 1 1.5-.3l2.9 9z${FOOT}M9.5 27c7-2 14-2 21 0`,
  K: `M18.7 3.5h2.6v2.6h2.6v2.6h-2.6v2.7c2 .7 2.6 3.2 1.7 6.1 3.5-4.5 10.5-3.3 10.5 2.3 0 4.2-3.4 7-4.8 11.2H11.3C9.9 26.8 6.5 24 6.5 19.8c0-5.6 7-6.8 10.5-2.3-.9-2.9-.3-5.4 1.7-6.1V8.7h-2.6V6.1h2.6z${FOOT}M20 17v14M11.5 27.5c5.5-1.5 11.5-1.5 17 0`,
};

const letters = (text) => text.replace(/[1-9]/g, (digits) => '.'.repeat(Number(digits)));

/** The placement of a position text: its size, and the letter on a square (`.` where empty). */
function readBoard(position) {
  const rows = letters(position.split(' ')[0]).split('/').reverse();
  return { files: rows[0].length, ranks: rows.length, at: (file, rank) => rows[rank][file] };
}

const squareOf = (name) => ({ file: name.charCodeAt(0) - 97, rank: Number(name.slice(1)) - 1 });

/** The part of the board that is shown, in squares counted from 0, both ends included. */
function viewOf(board, crop) {
  if (crop === undefined) return { left: 0, bottom: 0, right: board.files - 1, top: board.ranks - 1 };
  const [from, to] = crop.split('-').map(squareOf);
  return { left: from.file, bottom: from.rank, right: to.file, top: to.rank };
}

/** The square that a move comes from and the one that it goes to. */
const endsOf = (move) => {
  const [, from, to] = /^([a-z]\d+)([a-z]\d+)/.exec(move);
  return [from, to];
};

const num = (value) => String(Math.round(value * 10) / 10);

/** The middle of a square on the paper. */
function middle(view, { file, rank }) {
  return [MARGIN + (file - view.left + 0.5) * CELL, 8 + (view.top - rank + 0.5) * CELL];
}

const inView = (view, { file, rank }) =>
  file >= view.left && file <= view.right && rank >= view.bottom && rank <= view.top;

function* squaresIn(view) {
  for (let rank = view.top; rank >= view.bottom; rank--) {
    for (let file = view.left; file <= view.right; file++) yield { file, rank };
  }
}

const path = (data, attributes) => (data === '' ? '' : `<path d="${data}" ${attributes}/>`);

/** Dark and light squares; a1 is dark. */
function chequered(_board, view) {
  const dark = [...squaresIn(view)]
    .filter(({ file, rank }) => (file + rank) % 2 === 0)
    .map((square) => middle(view, square))
    .map(([x, y]) => `M${num(x - CELL / 2)} ${num(y - CELL / 2)}h${CELL}v${CELL}h-${CELL}z`);
  return ground(view, '#f0d9b5') + path(dark.join(''), 'fill="#b98b62"');
}

const width = (view) => (view.right - view.left + 1) * CELL;
const height = (view) => (view.top - view.bottom + 1) * CELL;

const ground = (view, colour) =>
  `<rect x="${MARGIN}" y="8" width="${width(view)}" height="${height(view)}" fill="${colour}"/>`;

/** Half a board of Chinese chess: pieces stand in its squares. */
function squares(_board, view) {
  let lines = '';
  for (let file = 0; file <= view.right - view.left + 1; file++) {
    lines += `M${MARGIN + file * CELL} 8v${height(view)}`;
  }
  for (let rank = 0; rank <= view.top - view.bottom + 1; rank++) {
    lines += `M${MARGIN} ${8 + rank * CELL}h${width(view)}`;
  }
  return ground(view, '#efd5a1') + path(lines, `stroke="${INK}" stroke-width="1" fill="none"`);
}

/** The diagonals of the palaces. */
const PALACES = [
  ['d1', 'f3'],
  ['f1', 'd3'],
  ['d8', 'f10'],
  ['f8', 'd10'],
].map((ends) => ends.map(squareOf));

/** The board of Chinese chess: pieces stand on the points; river and palaces. */
function points(board, view) {
  const diagonals = PALACES.filter((ends) => ends.every((end) => inView(view, end)));
  const lines = grid(board, view) + diagonals.map(([from, to]) => line(view, from, to)).join('');
  const [x, y] = middle(view, { file: 4, rank: 4.5 });
  const named = width(view) === board.files * CELL && height(view) === board.ranks * CELL;
  const river = text(x, y + 6, '楚河　　　　漢界', `font-size="17" fill="#8a6a3a" font-family="${CJK}"`);
  return ground(view, '#efd5a1') + path(lines, `stroke="${INK}" fill="none"`) + (named ? river : '');
}

/** From one place on the paper to another, along a rank or a file. */
function line(view, from, to) {
  const [start, end] = [middle(view, from), middle(view, to)].map((place) => place.map(num).join(' '));
  return `M${start}L${end}`;
}

/** The lines of the shown part; past it they go on for half a square. */
function grid(board, view) {
  const left = Math.max(0, view.left - 0.5);
  const right = Math.min(board.files - 1, view.right + 0.5);
  let lines = '';
  for (let rank = view.bottom; rank <= view.top; rank++) {
    lines += line(view, { file: left, rank }, { file: right, rank });
  }
  const bottom = Math.max(0, view.bottom - 0.5);
  const top = Math.min(board.ranks - 1, view.top + 0.5);
  for (let file = view.left; file <= view.right; file++) {
    const whole = file === 0 || file === board.files - 1;
    const halves = [
      [bottom, Math.min(top, 4)],
      [Math.max(bottom, 5), top],
    ];
    const spans = whole ? [[bottom, top]] : halves;
    for (const [from, to] of spans) {
      if (from < to) lines += line(view, { file, rank: from }, { file, rank: to });
    }
  }
  return lines;
}

const text = (x, y, words, attributes = '') =>
  `<text x="${num(x)}" y="${num(y)}"${attributes === '' ? '' : ` ${attributes}`}>${words}</text>`;

const group = (attributes, content) => `<g ${attributes}>${content}</g>`;

function coordinates(view) {
  let found = '';
  for (let file = view.left; file <= view.right; file++) {
    const [x] = middle(view, { file, rank: view.top });
    found += text(x, 8 + height(view) + 15, String.fromCharCode(97 + file));
  }
  for (let rank = view.bottom; rank <= view.top; rank++) {
    const [, y] = middle(view, { file: view.left, rank });
    found += text(MARGIN / 2, y + 4, String(rank + 1));
  }
  return group('font-size="12" font-family="system-ui,sans-serif" fill="#4a3b24"', found);
}

function chessPiece(letter, x, y) {
  const white = letter === letter.toUpperCase();
  const colours = white ? `fill="#fff" stroke="${INK}"` : `fill="${INK}" stroke="${LIGHT}"`;
  return `<use href="#${letter.toUpperCase()}" x="${num(x - 22.4)}" y="${num(y - 22)}" ${colours}/>`;
}

function disc(x, y, fill, ring) {
  const circle = (radius, attributes) =>
    `<circle cx="${num(x)}" cy="${num(y)}" r="${radius}" ${attributes}/>`;
  return circle(17, `fill="${fill}" stroke="${INK}"`) + circle(14.5, `fill="none" stroke="${ring}"`);
}

function chinesePiece(letter, x, y) {
  const colour = letter === letter.toUpperCase() ? RED : INK;
  return disc(x, y, LIGHT, colour) + text(x, y + 7.5, CHARACTERS[letter], `fill="${colour}"`);
}

function piece(letter, [x, y], set) {
  if (letter === '.') return '';
  if (letter === 'x') return disc(x, y, '#8b5e3c', '#d9b48a');
  return set === 'chess' ? chessPiece(letter, x, y) : chinesePiece(letter, x, y);
}

/** What lies under the pieces: where a piece starts from, what blocks, who is in check. */
function under(diagram, view) {
  const block = (name, colour) => {
    const [x, y] = middle(view, squareOf(name));
    const side = CELL - 2;
    return `<rect x="${num(x - side / 2)}" y="${num(y - side / 2)}" width="${side}" height="${side}" rx="4" fill="${colour}" fill-opacity=".75"/>`;
  };
  const { moves, blocks = [], check } = diagram;
  return [
    ...(moves === undefined ? [] : [block(moves.from, '#f6e04d')]),
    ...blocks.map((name) => block(name, '#f0a03c')),
    ...(check === undefined ? [] : [block(check, '#ee5a4a')]),
  ].join('');
}

/** A dot where a piece may go, a ring around what it may capture, broken where that is an attempt. */
function target(letter, own, [x, y]) {
  if (letter === '.') return `<circle cx="${num(x)}" cy="${num(y)}" r="7" fill="${MARK}"/>`;
  const ring = (colour, more = '') =>
    `<circle cx="${num(x)}" cy="${num(y)}" r="17.5" fill="none" stroke="${colour}" stroke-width="4"${more}/>`;
  if (letter !== 'x') return ring(own ? CASTLE : MARK);
  return ring(LIGHT) + ring(MARK, ' stroke-dasharray="7 4"');
}

/** On a piece the cross is small and stands beside it, so that the piece can be read. */
function cross(letter, [x, y]) {
  const [middleX, middleY, arm] = letter === '.' ? [x, y, 8] : [x + 14, y - 14, 4.5];
  const [left, right, top, bottom] = [middleX - arm, middleX + arm, middleY - arm, middleY + arm].map(num);
  const data = `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`;
  const stroke = (colour, wide) =>
    path(data, `stroke="${colour}" stroke-width="${wide}" stroke-linecap="round"`);
  return stroke(LIGHT, 7) + stroke(WARN, 4);
}

function arrow(view, move) {
  const [from, to] = endsOf(move).map((name) => middle(view, squareOf(name)));
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const at = (along, aside) =>
    `${num(to[0] - dx * along - dy * aside)} ${num(to[1] - dy * along + dx * aside)}`;
  const shaft = `M${num(from[0] + dx * 12)} ${num(from[1] + dy * 12)}L${at(16, 0)}`;
  return (
    path(shaft, `stroke="${MARK}" stroke-width="5" stroke-opacity=".85"`) +
    path(`M${at(4, 0)}L${at(17, 8)}L${at(17, -8)}z`, `fill="${MARK}" fill-opacity=".9"`)
  );
}

const isUpper = (letter) => letter >= 'A' && letter <= 'Z';

/** What lies over the pieces. */
function over(diagram, board, view) {
  const { moves, crosses = [], arrows = [] } = diagram;
  const letterAt = ({ file, rank }) => board.at(file, rank);
  const mover = moves === undefined ? '.' : letterAt(squareOf(moves.from));
  const targets = (moves?.to ?? []).map(squareOf).map((square) => {
    const letter = letterAt(square);
    const own = letter !== 'x' && letter !== '.' && isUpper(letter) === isUpper(mover);
    return target(letter, own, middle(view, square));
  });
  const stops = crosses.map(squareOf).map((square) => cross(letterAt(square), middle(view, square)));
  return [...targets, ...stops, ...arrows.map((move) => arrow(view, move))].join('');
}

/** The outlines of the chess pieces that stand on the board. */
function outlines(board, set) {
  if (set !== 'chess') return '';
  const all = [...squaresIn(viewOf(board))].map(({ file, rank }) => board.at(file, rank).toUpperCase());
  const used = Object.keys(OUTLINES).filter((letter) => all.includes(letter));
  const pen = 'transform="scale(1.12)" stroke-width="1.2" stroke-linejoin="round" stroke-linecap="round"';
  return `<defs>${used.map((letter) => `<path id="${letter}" ${pen} d="${OUTLINES[letter]}"/>`).join('')}</defs>`;
}

/** The SVG of one diagram of docs/rules/diagrams.json. */
export function drawDiagram(diagram) {
  const style = STYLES[diagram.ruleset];
  if (style === undefined) throw new Complaint(`No style for the rule set ${diagram.ruleset}.`);
  const board = readBoard(diagram.position);
  const view = viewOf(board, diagram.crop);
  const [wide, high] = [MARGIN + width(view) + 8, 8 + height(view) + MARGIN];
  const pieces = [...squaresIn(view)].map((square) =>
    piece(board.at(square.file, square.rank), middle(view, square), style.pieces),
  );
  const parts = [
    outlines(board, style.pieces),
    `<rect width="${wide}" height="${high}" rx="6" fill="#e3c99a"/>`,
    style.board(board, view),
    coordinates(view),
    under(diagram, view),
    style.pieces === 'chess' ? pieces.join('') : group(CHARACTER, pieces.join('')),
    over(diagram, board, view),
  ];
  const body = parts.filter((part) => part !== '').join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" text-anchor="middle">\n${body}\n</svg>\n`;
}

/** All diagrams as their file names and contents. */
function drawAll() {
  const diagrams = JSON.parse(readFileSync(inRoot('docs/rules/diagrams.json'), 'utf8'));
  return new Map(Object.entries(diagrams).map(([name, diagram]) => [`${name}.svg`, drawDiagram(diagram)]));
}

function check(drawn, folder, present) {
  const stale = [...drawn].filter(
    ([name, svg]) => !present.includes(name) || readFileSync(`${folder}/${name}`, 'utf8') !== svg,
  );
  const extra = present.filter((name) => !drawn.has(name));
  const wrong = [...stale.map(([name]) => name), ...extra];
  if (wrong.length > 0) {
    throw new Complaint(`Out of date: ${wrong.join(', ')}. Run node scripts/diagrams.mjs.`);
  }
}

function write(drawn, folder, present) {
  for (const name of present) if (!drawn.has(name)) rmSync(`${folder}/${name}`);
  for (const [name, svg] of drawn) writeFileSync(`${folder}/${name}`, svg);
  console.log(`${drawn.size} diagrams in docs/rules/img`);
}

if (isProgram(import.meta.url)) {
  await main(() => {
    const folder = inRoot('docs/rules/img');
    mkdirSync(folder, { recursive: true });
    const present = readdirSync(folder);
    (process.argv.includes('--check') ? check : write)(drawAll(), folder, present);
  });
}
