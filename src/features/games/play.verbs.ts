import { refusalsOf, type Act } from '../../arbiter/acts/act.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { GAME_AFTER } from './descriptions.js';
import { Game, GameDocument } from './games.model.js';
import { Ply } from './plies.model.js';

/** The answers to the acts of players, for both transports. */

const AS_READ = 'The ply that was played; for a request sent again, the ply that was stored the first time.';
/** The most plies that the conditional moves of both players can make in a row. */
const MOST_AUTOMATIC = 200;

/** The part of the answer to an act that makes a ply. */
const PLIES = {
  always: {
    ply: shown(Ply, { description: AS_READ }),
    automatic: shown(
      [Ply],
      { description: 'The conditional moves that were played in answer, in order.' },
      Cost(rowsAtMost(MOST_AUTOMATIC)),
    ),
  },
  withMove: {
    ply: shown(Ply, {
      nullable: true,
      description: `${AS_READ} Null without a move.`,
    }),
  },
};

export const verbOf = (act: Act) => {
  const { name, description, plays } = act;
  return verb(name, {
    // A token that may move may also end or pause the game.
    needs: 'games:play',
    description,
    codes: ['NOT_FOUND', 'NOT_YOUR_GAME', ...refusalsOf(act)],
    answers: { game: shown(Game, { description: GAME_AFTER }), ...(plays === null ? {} : PLIES[plays]) },
    inRest: { game: shown(GameDocument, { description: GAME_AFTER }) },
  });
};
