import { ArgsType } from '@nestjs/graphql';
import { longText, optional, text, wholeNumber } from '../../platform/fields.js';
import { argsOf, inputOf } from '../../platform/inputs.js';

/** What comes in about set-ups. */

@ArgsType()
export class SetupArgs extends inputOf({
  ruleset: text('The id of a rule set.'),
  number: optional(wholeNumber('From 0.')),
  text: optional(text('As NQRBK/qbnrk.')),
}) {}

/** As it is written. Whether there is such a set-up the rules say. */
const numberOf = (given: unknown): unknown =>
  typeof given === 'string' && /^-?(0|[1-9]\d{0,14})$/.test(given) ? Number(given) : given;

/** A set-up in a path. */
export class SetupParam extends argsOf({
  id: longText(),
  number: { ...wholeNumber('', { error: '$ must be a whole number, as 4242' }), read: numberOf },
}) {}

/** A set-up in the query of an address. */
export class SetupQuery extends argsOf({ text: text() }) {}
