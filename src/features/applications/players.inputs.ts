import { ArgsType, InputType } from '@nestjs/graphql';
import { longText, listOf, optional, wholeNumber } from '../../platform/contract/fields.js';
import { argsOf, inputField, inputOf } from '../../platform/contract/inputs.js';
import { PLAYER_SCOPES } from '../../platform/contract/scopes.js';

export const MOST_AT_ONCE = 200;
export const LEAST_SECONDS = 60;
export const MOST_SECONDS = 86_400;
export const USUAL_SECONDS = 3600;

export const externalId = longText(
  'Your own name for the player, unique in your application: 1 to 100 of the characters A-Z a-z 0-9 . _ ~ -. Take an id, never an e-mail address: others may see it.',
  { example: 'member-17' },
);
const displayName = longText('The name for display, 1 to 40 visible characters, with a letter or digit.', {
  example: 'Ann Lee',
});

/** The player in the path of a route. */
export class PlayerParam extends inputOf({ externalId }) {}

@InputType({ description: 'The player of your application to erase.' })
export class ErasePlayerInput extends inputOf({ externalId }) {}

export class SavePlayerBody extends inputOf({ displayName }) {}

@InputType({ description: 'A player of your application, as they are to be.' })
export class SavePlayerInput extends inputOf({ externalId, displayName }) {}

@InputType({ description: 'Players of your application, as they are to be.' })
export class SavePlayersInput extends inputOf({
  players: listOf(inputField(SavePlayerInput), `The players, at most ${MOST_AT_ONCE}, each once.`, {
    least: 1,
    most: MOST_AT_ONCE,
  }),
}) {}

const TOKEN = {
  scopes: optional(
    listOf(longText(), 'What the token is to allow; everything that a player may do by default.', {
      most: PLAYER_SCOPES.length,
      example: ['games:read', 'games:play'],
    }),
  ),
  seconds: optional(
    wholeNumber(
      `How long it is valid, ${LEAST_SECONDS} to ${MOST_SECONDS} seconds (1 day); ${USUAL_SECONDS} (1 hour) by default.`,
      { least: LEAST_SECONDS, most: MOST_SECONDS },
    ),
  ),
};

export class CreatePlayerTokenBody extends inputOf(TOKEN) {}

@InputType({ description: 'What a token of a player is for.' })
export class CreatePlayerTokenInput extends inputOf({ externalId, ...TOKEN }) {}

@ArgsType()
export class OwnPlayerArgs extends argsOf({ externalId }) {}
