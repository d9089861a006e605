import { ArgsType } from '@nestjs/graphql';
import { RULESET_ID } from './descriptions.js';
import { longText, optional, text, wholeNumber } from '../../platform/contract/fields.js';
import { argsOf, inputOf } from '../../platform/contract/inputs.js';

/** Inputs about set-ups. */

export const SETUP_NUMBER = 'The number of the set-up, from 0 to setupCount - 1.';
export const SETUP_TEXT = "The first side's first row and the second side's, as in NQRBK/qbnrk.";

@ArgsType()
export class SetupArgs extends inputOf({
  ruleset: text(RULESET_ID),
  number: optional(wholeNumber(`${SETUP_NUMBER} Exactly one of number and text is required.`)),
  text: optional(text(SETUP_TEXT)),
}) {}

/** Accepts decimal notation only; the rules check the range. */
const numberOf = (given: unknown): unknown =>
  typeof given === 'string' && /^-?(0|[1-9]\d{0,14})$/.test(given) ? Number(given) : given;

export class SetupParam extends argsOf({
  id: longText(RULESET_ID),
  number: { ...wholeNumber(SETUP_NUMBER), read: numberOf },
}) {}

export class SetupQuery extends argsOf({ text: text(SETUP_TEXT) }) {}
