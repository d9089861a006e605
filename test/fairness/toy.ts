import type { Ruleset } from '../../src/rules/ruleset.js';
import { chosenSetup } from '../../src/rules/setup.js';

/** A rule set with a drawn opening and nothing else: players count in turn and may go on for ever. */

export interface Count {
  readonly setup: string;
  readonly plies: number;
}

export const toy: Ruleset<Count> = {
  id: 'toy',
  version: 1,
  name: 'Toy',
  chinese: null,
  source: 'A test.',
  claims: ['threefoldRepetition'],
  rematch: 'sidesSwap',
  summary: 'Each ply counts one further.',
  sides: ['white', 'black'],
  pieces: [],
  board: { files: 3, ranks: 2 },
  hidden: false,
  chance: 'setup',
  dealing: ['KQR', 'kqr'],
  options: { setup: { type: 'setup', default: 'random', meaning: 'The opening.' } },
  start: (options, setup) => ({ setup: setup ?? chosenSetup(toy, options) ?? 'KQR/kqr', plies: 0 }),
  parse: () => ({
    ok: false,
    refusal: { code: 'INVALID_POSITION', field: 'position', message: 'Not read.' },
  }),
  fen: ({ setup, plies }) => `${setup} ${plies}`,
  turn: ({ plies }) => (plies % 2 === 0 ? 'first' : 'second'),
  quiet: ({ plies }) => plies,
  same: (a, b) => a.plies === b.plies,
  legalMoves: () => [0, 1],
  countLegalMoves: () => 2,
  losing: () => [],
  text: (move) => ['up', 'on'][move]!,
  turnsUp: () => null,
  play: ({ setup, plies }) => ({ setup, plies: plies + 1 }),
  captured: () => null,
  san: (_, move) => ['up', 'on'][move]!,
  notations: () => [],
  check: () => false,
  outcome: () => null,
  claimable: ({ positions }) => (positions.length > 4 ? ['threefoldRepetition'] : []),
  canWin: (_, player) => player === 'first',
  unseen: () => null,
  mayTurnUp: () => '',
  explain: () => ({ code: 'ILLEGAL_MOVE', field: 'move', message: 'Only up and on.', fault: 'malformed' }),
};
