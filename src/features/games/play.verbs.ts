import type { Act } from '../../arbiter/acts/act.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { Game, GameDocument } from './games.model.js';
import { Ply } from './plies.model.js';

/** What the acts of players answer, in both transports. */

const AS_READ = 'as it was read. Of a request sent again: the ply that is stored';
/** A line of conditional moves of both players has no more. */
const MOST_AUTOMATIC = 200;

/** What an act that makes a ply answers beside the game. */
const PLIES = {
  always: {
    ply: shown(Ply, { description: `The ply that was made, ${AS_READ}.` }),
    automatic: shown(
      [Ply],
      { description: 'The conditional moves that have answered it, in order.' },
      Cost(rowsAtMost(MOST_AUTOMATIC)),
    ),
  },
  withMove: {
    ply: shown(Ply, {
      nullable: true,
      description: `The ply that was made, ${AS_READ}. Null without a move.`,
    }),
  },
};

export const verbOf = ({ name, description, plays }: Act) =>
  verb(name, {
    description,
    answers: { game: shown(Game), ...(plays === null ? {} : PLIES[plays]) },
    inRest: { game: shown(GameDocument) },
  });
