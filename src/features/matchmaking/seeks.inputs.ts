import { ArgsType, InputType } from '@nestjs/graphql';
import { MAX_MOVE_SECONDS } from '../../arbiter/time-control.js';
import { TimeControlTypeEnum } from '../games/clocks.model.js';
import { flag, idempotencyKey, oneOf, optional, text, wholeNumber } from '../../platform/contract/fields.js';
import { argsOf, inputField, inputOf } from '../../platform/contract/inputs.js';
import { pageInput } from '../../platform/contract/page.inputs.js';
import { OPEN_TERMS } from './challenges.inputs.js';

/** Inputs about seeks and the lobby. */

export class CreateSeekBody extends inputOf(OPEN_TERMS) {}

@InputType({ description: 'The terms of a new seek.' })
export class CreateSeekInput extends inputOf({
  idempotencyKey,
  ...OPEN_TERMS,
}) {}

export const FILTER = {
  ruleset: optional(text('The id of the rule set of the seeks.', { example: 'chess' })),
  rated: optional(flag('True for rated seeks only, false for casual ones only.')),
  timeControl: optional(oneOf(TimeControlTypeEnum, 'The type of the time control of the seeks.')),
  maxSeconds: optional(
    wholeNumber(
      `The longest time for the first move, 1 to ${MAX_MOVE_SECONDS} seconds; leaves out seeks without a time control.`,
      { least: 1, most: MAX_MOVE_SECONDS },
    ),
  ),
  acceptable: optional(
    flag(
      'True for seeks of other users that you may accept only: those that accept your rating, and for a guest the casual ones that let guests in; you must be signed in. False by default.',
    ),
  ),
};

@InputType({ description: 'A filter of seeks: those that match every given field.' })
export class LobbyFilter extends inputOf(FILTER) {}

@ArgsType()
export class LobbyArgs extends argsOf({
  filter: optional(inputField(LobbyFilter, 'The seeks to list; all by default.')),
  ...pageInput(),
}) {}

export class LobbyQuery extends argsOf({ ...FILTER, ...pageInput() }) {}
