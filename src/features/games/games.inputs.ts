import { ArgsType, InputType } from '@nestjs/graphql';
import {
  byDefault,
  flag,
  id,
  listOf,
  oneOf,
  readBy,
  soughtId,
  splitAtCommas,
} from '../../platform/fields.js';
import { argsOf, inputOf } from '../../platform/inputs.js';
import { PAGE, RANGE } from '../../platform/page.inputs.js';
import { nodes } from './conditional-moves.model.js';
import { GameListEnum } from './games.model.js';

/** What comes in about games. */

const PLANNED = { description: 'What you will answer to moves that your opponent may make.' };

@ArgsType()
export class GameArgs extends inputOf({ gameId: id() }) {}

export class SetConditionalMovesBody extends inputOf({
  tree: nodes('Your answers to the moves that may come.'),
}) {}

@InputType(PLANNED)
export class SetConditionalMovesInput extends inputOf({
  gameId: id(),
  tree: nodes('Your answers to the moves that may come.'),
}) {}

@InputType({ description: 'Whose conditional moves: yours in this game.' })
export class ClearConditionalMovesInput extends inputOf({ gameId: id() }) {}

@ArgsType()
export class IdArgs extends argsOf({ id: id() }) {}

/** The id of something that may not be there. */
@ArgsType()
export class SoughtIdArgs extends argsOf({ id: soughtId() }) {}

const MOST_GAMES = 100;

@ArgsType()
export class GamesByIdsArgs extends argsOf({
  ids: readBy(
    listOf(soughtId(), `Up to ${MOST_GAMES}; one may stand there twice.`, { most: MOST_GAMES }),
    splitAtCommas,
  ),
}) {}

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
