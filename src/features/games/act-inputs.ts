import { InputType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import type { Act } from '../../arbiter/acts/act.js';
import type { Field as ActField } from '../../arbiter/acts/input.js';
import { flag, gameId, oneOf, optional, text, wholeNumber, type Field } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';
import { capitalized, namedClass } from '../../platform/verb.js';
import { CLAIMS, MOVE_FORMATS } from '../../rules/ruleset.js';
import { ClaimEnum, MoveFormatEnum } from './enums.model.js';
import { nodes } from './conditional-moves.model.js';

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
      return nodes(description ?? '');
  }
}

const fieldOf = (field: ActField): Field => (field.optional ? optional(required(field)) : required(field));

export const VERSION = {
  version: optional(
    wholeNumber(
      'The version of the game that the request was made for; if the game has changed since, nothing is done and an error ' +
        'such as STALE_VERSION says why. No such check if left out.',
    ),
  ),
};

const takesNothing = ({ input }: Act): boolean => Object.keys(input).length === 0;

const takenBy = ({ input }: Act) =>
  Object.fromEntries(Object.entries(input).map(([name, field]) => [name, fieldOf(field)]));

@ApiSchema({ description: 'The input of an act that takes nothing but a version.' })
class ActBody extends inputOf(VERSION) {}

/** The body of the route of an act, and whether it may be left out. */
export function bodyOf(act: Act): { readonly type: Class; readonly required: boolean } {
  if (takesNothing(act)) return { type: ActBody, required: false };
  const fields = inputOf({ ...takenBy(act), ...VERSION });
  return { type: namedClass(`${capitalized(act.name)}Body`, fields), required: true };
}

/** The input of the mutation of an act. */
export function inputOfAct(act: Act): Class {
  const fields = inputOf({ gameId, ...takenBy(act), ...VERSION });
  const type = namedClass(`${capitalized(act.name)}Input`, fields);
  InputType({ description: `The input of ${act.name}.` })(type);
  return type;
}
