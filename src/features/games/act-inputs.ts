import { ArgsType, InputType } from '@nestjs/graphql';
import type { Act } from '../../arbiter/acts/act.js';
import type { Field as ActField } from '../../arbiter/acts/input.js';
import { flag, id, oneOf, optional, text, wholeNumber, type Field } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';
import { CLAIMS, MOVE_FORMATS } from '../../rules/ruleset.js';
import { ClaimEnum, MoveFormatEnum } from './enums.model.js';
import { tree } from './games.inputs.js';

/** Of what an act says that it takes, the class that both schemas show and by which both transports check it. */

type Class = new () => object;

/** The words of fields and the enumerations that show them. */
const ENUMS = new Map<readonly string[], Readonly<Record<string, string>>>([
  [CLAIMS, ClaimEnum],
  [MOVE_FORMATS, MoveFormatEnum],
]);

function required(field: ActField): Field {
  const { description, example } = field;
  const told = example === undefined ? {} : { example };
  switch (field.kind) {
    case 'wholeNumber': {
      const error = `$ must be a whole number from ${field.min}`;
      return wholeNumber(description, { ...told, least: field.min, error });
    }
    case 'text':
      return text(description, { ...told, least: 1, most: field.most });
    case 'word':
      return oneOf(ENUMS.get(field.of)!, description, told);
    case 'flag':
      return flag(description, told);
    case 'tree':
      return tree(description);
  }
}

const fieldOf = (field: ActField): Field => (field.optional ? optional(required(field)) : required(field));

const VERSION = {
  version: optional(
    wholeNumber(
      'The version of the game that this is meant for: once it has changed nothing is done (STALE_VERSION, or what else stands against it).',
    ),
  ),
};

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const takesNothing = ({ input }: Act): boolean => Object.keys(input).length === 0;

const takenBy = ({ input }: Act) =>
  Object.fromEntries(Object.entries(input).map(([name, field]) => [name, fieldOf(field)]));

/** A class below `base` with a name of its own, which the schemas show. */
const named = (name: string, base: Class): Class => ({ [name]: class extends base {} })[name]!;

class ActInput extends inputOf(VERSION) {}

/** The body of the route of an act. */
export const bodyOf = (act: Act): Class =>
  takesNothing(act)
    ? ActInput
    : named(act.inputName?.rest ?? `${capital(act.name)}Input`, inputOf({ ...takenBy(act), ...VERSION }));

/** The arguments of the mutation of an act: one by one, or all in one `input`. */
export function argumentsOf(act: Act): { readonly type: Class; readonly isInput: boolean } {
  const fields = inputOf({ ...takenBy(act), gameId: id(), ...VERSION });
  const type = named(act.inputName?.graphql ?? `${capital(act.name)}Args`, fields);
  if (act.inputName === undefined) ArgsType()(type);
  else InputType({ description: act.inputName.description })(type);
  return { type, isInput: act.inputName !== undefined };
}
