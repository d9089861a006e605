import { ArgsType, InputType } from '@nestjs/graphql';
import {
  flag,
  json,
  listOf,
  longText,
  lookupId,
  optional,
  readBy,
  splitList,
  text,
} from '../../platform/contract/fields.js';
import { argsOf, inputField, inputOf } from '../../platform/contract/inputs.js';
import { pageInput } from '../../platform/contract/page.inputs.js';
import { TimeControlInput } from '../matchmaking/challenges.inputs.js';

export const MOST_GAMES_AT_ONCE = 100;

export const SOME_IDS = `The ids of the games to list, at most ${MOST_GAMES_AT_ONCE}; all when left out.`;

@ArgsType()
export class OwnGamesArgs extends argsOf({
  ids: optional(readBy(listOf(lookupId(), SOME_IDS, { most: MOST_GAMES_AT_ONCE }), splitList)),
  ...pageInput(),
}) {}

@InputType({ description: 'A player of your application, in a seat.' })
export class SeatedInput extends inputOf({
  externalId: longText('The name under which your application knows the player.', { example: 'member-17' }),
  clientSeedHash: optional(
    text(
      'The SHA-256 of a client seed of the player, as 64 lower-case hex digits. The game then waits until the player gives the seed (`giveClientSeed`). Only one of the two can announce one; without any, the server alone deals.',
    ),
  ),
}) {}

@InputType({ description: 'A game between two players of your application, which begins at once.' })
export class NewGameInput extends inputOf({
  externalId: longText(
    'Your own name for the game, unique in your application: 1 to 100 of the characters A-Z a-z 0-9 . _ ~ -. However often it is sent, it is the same game.',
    { example: 'round-3-board-7' },
  ),
  first: inputField(SeatedInput, 'The player in the first seat.'),
  second: inputField(SeatedInput, 'The player in the second seat.'),
  ruleset: text('The id of the rule set to play.', { example: 'chess' }),
  options: optional(json('The options of the rule set; those left out have their defaults.')),
  timeControl: inputField(TimeControlInput, 'The time control of the game.'),
  rated: optional(flag('True for a rated game, in the pools of your application; false by default.')),
}) {}

@InputType({ description: 'Games between players of your application.' })
export class CreateGamesInput extends inputOf({
  games: listOf(inputField(NewGameInput), `The games, at most ${MOST_GAMES_AT_ONCE}.`, {
    least: 1,
    most: MOST_GAMES_AT_ONCE,
  }),
}) {}
