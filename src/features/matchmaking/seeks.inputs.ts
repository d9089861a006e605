import { ArgsType, InputType } from '@nestjs/graphql';
import { MAX_MOVE_SECONDS } from '../../arbiter/time-control.js';
import { TimeControlTypeEnum } from '../games/clocks.model.js';
import { flag, oneOf, optional, text, wholeNumber } from '../../platform/fields.js';
import { argsOf, inputField, inputOf } from '../../platform/inputs.js';
import { PAGE } from '../../platform/page.inputs.js';
import { OPEN_TERMS } from './challenges.inputs.js';

/** What comes in about seeks and the lobby. */

export class CreateSeekBody extends inputOf(OPEN_TERMS) {}

@InputType({ description: 'What you want to play, with whoever fits.' })
export class CreateSeekInput extends inputOf({
  idempotencyKey: optional(text('The same key sent again makes no second seek.')),
  ...OPEN_TERMS,
}) {}

const FILTER = {
  ruleset: optional(text('The id of a rule set.', { example: 'chess' })),
  rated: optional(flag()),
  timeControl: optional(oneOf(TimeControlTypeEnum, 'The type of the time control.')),
  maxSeconds: optional(
    wholeNumber(
      'Those in which the first move takes at most so many seconds: perMove seconds, initial bank.',
      { least: 1, most: MAX_MOVE_SECONDS },
    ),
  ),
  acceptable: optional(flag('Those of others that want an opponent of your rating; for who is signed in.')),
};

@InputType({ description: 'Which seeks of the lobby; what is left out does not matter.' })
export class LobbyFilter extends inputOf(FILTER) {}

@ArgsType()
export class LobbyArgs extends argsOf({ filter: optional(inputField(LobbyFilter)), ...PAGE }) {}

/** The same in the query of an address. */
export class LobbyQuery extends argsOf({ ...FILTER, ...PAGE }) {}
