import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { CONDITIONAL_MOVES } from './conditional-moves.model.js';
import { Game, GameDocument } from './games.model.js';

const ANSWERS = {
  game: shown(Game),
  conditionalMoves: CONDITIONAL_MOVES,
};
const inRest = { game: shown(GameDocument) };

export const SET_CONDITIONAL_MOVES = verb('setConditionalMoves', {
  description: 'Plans your answers while your opponent is to move, in place of what was planned before.',
  answers: ANSWERS,
  inRest,
});

export const CLEAR_CONDITIONAL_MOVES = verb('clearConditionalMoves', {
  description: 'Forgets your conditional moves.',
  answers: ANSWERS,
  inRest,
});
