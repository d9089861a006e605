import type { OptionSpec, PieceSpec } from '../ruleset.js';
import { facedown } from './facedown.js';
import { QUIET_LIMIT, ranked, type Spec } from './spec.js';

/** Banqi: the Chinese pieces face-down on half of their board. The rules: docs/rules/banqi-hongkong.md, docs/rules/banqi-taiwan.md. */

const OPTIONS = {
  darkCaptures: {
    type: 'boolean',
    default: false,
    meaning:
      'A piece may try to capture a face-down piece within reach; a piece that it cannot capture stays there, face-up.',
  },
  multipleCaptures: {
    type: 'boolean',
    default: false,
    meaning:
      'After a capture the same piece may continue to capture in the same turn, or its player may pass.',
  },
  slidingChariots: {
    type: 'boolean',
    default: false,
    meaning: 'A chariot captures any enemy piece at any distance along an open line.',
  },
  perpetualAttack: {
    type: 'choice',
    default: 'draw',
    values: ['draw', 'forbidden'],
    meaning:
      'A position repeated by attacking the same piece is a draw (draw), or lost for the attacker (forbidden).',
  },
  quietLimit: QUIET_LIMIT,
} as const satisfies Record<string, OptionSpec>;

const ADJACENT_CANNONS: OptionSpec = {
  type: 'boolean',
  default: false,
  meaning: 'The cannon also captures soldiers and cannons next to it, by a step.',
};

const SOURCE =
  'Banqi (Sunday, October 5, 2008), a description of the game with Hong Kong and Taiwanese rules';

/** The moves of every piece but the Taiwanese cannon. */
const step = (victims: string): string =>
  `One square up, down, left or right; captures ${victims} by the same step.`;

const piece = (
  letter: string,
  name: string,
  chinese: readonly [string, string],
  moves: string,
): PieceSpec => ({
  letter,
  name,
  chinese,
  moves,
});

const BANQI = {
  sides: ['red', 'black'],
  board: { files: 4, ranks: 8 },
  dealing: 'KAABBRRNNCCPPPPPkaabbrrnnccppppp',
  source: SOURCE,
} as const;

const slides = (slidingChariots: unknown): string => (slidingChariots === true ? 'R' : '');

const hongkong: Spec = {
  ...BANQI,
  id: 'banqi-hongkong',
  version: 1,
  name: 'Banqi, Hong Kong rules',
  chinese: '香港暗棋',
  summary:
    'The 32 pieces of Chinese chess lie face-down on half of its board. In a turn you turn one of them up, move one of ' +
    'your pieces by one square, or capture an adjacent enemy of equal or lower rank: general, chariot, horse, cannon, ' +
    'elephant, advisor, soldier; but a soldier captures the general, and a general no soldier. A player without a ' +
    'piece or a legal move loses.',
  pieces: [
    piece('K', 'general', ['帥', '將'], step('every piece but soldiers')),
    piece('R', 'chariot', ['俥', '車'], step('every piece but the general')),
    piece('N', 'horse', ['傌', '馬'], step('horses, cannons, elephants, advisors and soldiers')),
    piece('C', 'cannon', ['炮', '砲'], step('cannons, elephants, advisors and soldiers')),
    piece('B', 'elephant', ['相', '象'], step('elephants, advisors and soldiers')),
    piece('A', 'advisor', ['仕', '士'], step('advisors and soldiers')),
    piece('P', 'soldier', ['兵', '卒'], step('soldiers and the general')),
  ],
  options: OPTIONS,
  powers: ({ slidingChariots }) => ({ takes: ranked('KRNCBAP'), jumps: '', slides: slides(slidingChariots) }),
};

const taiwan: Spec = {
  ...BANQI,
  id: 'banqi-taiwan',
  version: 1,
  name: 'Banqi, Taiwanese rules',
  chinese: '台灣暗棋',
  summary:
    'The 32 pieces of Chinese chess lie face-down on half of its board. In a turn you turn one of them up, move one of ' +
    'your pieces by one square, or capture an adjacent enemy of equal or lower rank: general, advisor, elephant, ' +
    'chariot, horse, soldier; but a soldier captures the general, and a general no soldier. The cannon captures any ' +
    'piece by jumping over exactly one other, and no soldier captures it. A player without a piece or a legal move ' +
    'loses.',
  pieces: [
    piece('K', 'general', ['帥', '將'], step('every piece but soldiers')),
    piece('A', 'advisor', ['仕', '士'], step('every piece but the general')),
    piece('B', 'elephant', ['相', '象'], step('elephants, chariots, horses, cannons and soldiers')),
    piece('R', 'chariot', ['俥', '車'], step('chariots, horses, cannons and soldiers')),
    piece('N', 'horse', ['傌', '馬'], step('horses, cannons and soldiers')),
    piece(
      'C',
      'cannon',
      ['炮', '砲'],
      'One square up, down, left or right; captures any piece at any distance on its rank or file by jumping exactly one piece between.',
    ),
    piece('P', 'soldier', ['兵', '卒'], step('soldiers and the general')),
  ],
  options: { ...OPTIONS, adjacentCannons: ADJACENT_CANNONS },
  powers: ({ slidingChariots, adjacentCannons }) => ({
    // When captured by a step the cannon ranks between horse and soldier; it captures by a step only as an option.
    takes: { ...ranked('KABRNCP'), C: adjacentCannons === true ? 'CP' : '' },
    jumps: 'C',
    slides: slides(slidingChariots),
  }),
};

export const banqiHongkong = facedown(hongkong);
export const banqiTaiwan = facedown(taiwan);
