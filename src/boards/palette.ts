/** The colours of boards. Pieces look the same in all themes. */

export const THEMES = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof THEMES)[number];

const LIGHT = {
  frame: '#e3c99a',
  coordinate: '#4a3b24',
  lightSquare: '#f0d9b5',
  darkSquare: '#b98b62',
  wood: '#efd5a1',
  line: '#4f3d22',
  river: '#8a6a3a',
  lastMove: '#d2b800',
  check: '#e8402f',
  from: '#ffdf00',
  block: '#f0a03c',
  target: '#1b7f3b',
  castle: '#1f5fbf',
  cross: '#d1451b',
  halo: '#fbf4e4',
  edge: '#26211b',
};

export type Palette = Readonly<Record<keyof typeof LIGHT, string>>;

const DARK: Palette = {
  frame: '#26211b',
  coordinate: '#bfae8f',
  lightSquare: '#b09877',
  darkSquare: '#7a6249',
  wood: '#5c4a33',
  line: '#cdb98f',
  river: '#bda578',
  lastMove: '#ffd83a',
  check: '#ff4a37',
  from: '#e8cf3c',
  block: '#f0932b',
  target: '#57d27d',
  castle: '#7db4ff',
  cross: '#ff7a4d',
  halo: '#26211b',
  edge: '#26211b',
};

const NAMES = Object.keys(LIGHT) as (keyof Palette)[];

const paletteOf = (colourOf: (name: keyof Palette) => string): Palette =>
  Object.fromEntries(NAMES.map((name) => [name, colourOf(name)])) as Palette;

export const PALETTES: Readonly<Record<Theme | 'page', Palette>> = {
  light: LIGHT,
  dark: DARK,
  /** Names that the style sheet of the picture gives their values. */
  auto: paletteOf((name) => `var(--${name})`),
  /** The colour scheme of the page that the picture is a part of. */
  page: paletteOf((name) => `light-dark(${LIGHT[name]},${DARK[name]})`),
};

const declared = (palette: Palette): string =>
  `svg{${NAMES.map((name) => `--${name}:${palette[name]}`).join(';')}}`;

const AUTO = `<style>${declared(LIGHT)}@media(prefers-color-scheme:dark){${declared(DARK)}}</style>`;

export const styleSheetOf = (theme: Theme | 'page'): string => (theme === 'auto' ? AUTO : '');
