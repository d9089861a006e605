import { ArgsType, InputType } from '@nestjs/graphql';
import {
  byDefault,
  flag,
  gameId,
  id,
  listOf,
  oneOf,
  optional,
  readBy,
  lookupId,
  splitList,
  wholeNumber,
} from '../../platform/contract/fields.js';
import { argsOf, inputOf } from '../../platform/contract/inputs.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { pageInput, rangeInput } from '../../platform/contract/page.inputs.js';
import { SEEN } from './act-inputs.js';
import { nodes } from './conditional-moves.model.js';
import { GameListEnum } from './games.model.js';

/** Inputs about games. */

const TREE = 'Your answers to the moves that your opponent may play next.';

@ArgsType()
export class GameArgs extends inputOf({ gameId }) {}

export class SetConditionalMovesBody extends inputOf({
  tree: nodes(TREE),
  ...SEEN,
}) {}

@InputType({ description: 'The input of setConditionalMoves.' })
export class SetConditionalMovesInput extends inputOf({
  gameId,
  tree: nodes(TREE),
  ...SEEN,
}) {}

@InputType({ description: 'The input of clearConditionalMoves.' })
export class ClearConditionalMovesInput extends inputOf({ gameId, ...SEEN }) {}

@ArgsType()
export class IdArgs extends argsOf({ id: id() }) {}

/** An id to look up; one that is not a UUID is unknown rather than malformed. */
@ArgsType()
export class SoughtIdArgs extends argsOf({
  id: lookupId('The id to look up; a text that is not a UUID counts as unknown.'),
}) {}

const MOST_GAMES = 100;
export const IDS = `The ids of the games, at most ${MOST_GAMES}.`;

@ArgsType()
export class GamesByIdsArgs extends argsOf({
  ids: readBy(listOf(lookupId(), IDS, { most: MOST_GAMES }), splitList),
}) {}

export class IdParam extends IdArgs {}

export const AFTER_VERSION =
  'Gives the rows above this version only, of which the first has the hash of the receipt of that version as `previousHash`.';

export class RecordQuery extends inputOf({ after: optional(wholeNumber(AFTER_VERSION, { least: 0 })) }) {}

export const TAKEN_BACK = 'True to list also plies that were taken back; false by default.';

@ArgsType()
export class PliesArgs extends argsOf({
  takenBack: byDefault(flag(TAKEN_BACK), false),
  ...rangeInput(MAX_PAGE_SIZE),
}) {}

export const LIST = 'The list of your games; the running ones by default.';

@ArgsType()
export class MyGamesArgs extends argsOf({
  list: byDefault(oneOf(GameListEnum, LIST), 'running'),
  ...pageInput(),
}) {}
