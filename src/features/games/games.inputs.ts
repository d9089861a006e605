import { ArgsType, InputType } from '@nestjs/graphql';
import { anything, byDefault, flag, id, oneOf } from '../../platform/fields.js';
import { argsOf, inputOf } from '../../platform/inputs.js';
import { PAGE, RANGE } from '../../platform/page.inputs.js';
import { TREE } from '../../arbiter/acts/make-move.js';
import { GameListEnum } from './games.model.js';

/** What comes in about games. */

const PLANNED = { description: 'What you will answer to moves that your opponent may make.' };

/** A list of nodes: its own reader says what is wrong with it. */
export const tree = (description = '') =>
  anything(description, {
    error: '$ must be a list of nodes; to forget them, clear them',
    rest: { type: 'array', items: { type: 'object' } },
  });

@ArgsType()
export class GameArgs extends inputOf({ gameId: id() }) {}

@InputType(PLANNED)
export class ConditionalMovesInput extends inputOf({ tree: tree(TREE) }) {}

@InputType(PLANNED)
export class SetConditionalMovesInput extends inputOf({ gameId: id(), tree: tree(TREE) }) {}

@ArgsType()
export class IdArgs extends argsOf({ id: id() }) {}

/** The id in a path. */
export class IdParam extends IdArgs {}

@ArgsType()
export class PliesArgs extends argsOf({
  takenBack: byDefault(flag('Also those that were taken back.'), false),
  ...RANGE,
}) {}

@ArgsType()
export class MyGamesArgs extends argsOf({
  list: byDefault(
    oneOf(
      GameListEnum,
      'running: what wants you first, by deadline; ended and all: by last activity, newest first.',
    ),
    'running',
  ),
  ...PAGE,
}) {}
