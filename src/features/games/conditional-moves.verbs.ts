import { OF_PLANS } from '../../arbiter/acts/act.js';
import { codesOf, planning } from '../../arbiter/acts/conditions.js';
import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { CONDITIONAL_MOVES } from './conditional-moves.model.js';
import { GAME_AFTER } from './descriptions.js';
import { Game, GameDocument } from './games.model.js';

const ANSWERS = {
  game: shown(Game, { description: GAME_AFTER }),
  conditionalMoves: CONDITIONAL_MOVES,
};
/** STALE_VERSION is thrown if the game changed during every retry. */
const CODES = ['NOT_FOUND', 'NOT_YOUR_GAME', 'STALE_VERSION', ...codesOf(planning)] as const;
const inRest = { game: shown(GameDocument, { description: GAME_AFTER }) };

export const SET_CONDITIONAL_MOVES = verb('setConditionalMoves', {
  needs: 'games:play',
  description: 'Set your answers to moves that your opponent may play, in place of those set before.',
  codes: [...CODES, ...OF_PLANS, 'ILLEGAL_MOVE', 'AMBIGUOUS_MOVE'],
  answers: ANSWERS,
  inRest,
});

export const CLEAR_CONDITIONAL_MOVES = verb('clearConditionalMoves', {
  needs: 'games:play',
  description: 'Delete your conditional moves. Does nothing if there are none.',
  codes: CODES,
  answers: ANSWERS,
  inRest,
});
