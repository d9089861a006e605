import { capitalized } from '../../rules/capitalized.js';
import { InputType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import type { Act } from '../../arbiter/acts/act.js';
import type { Field as ActField } from '../../arbiter/acts/input.js';
import {
  flag,
  gameId,
  hash,
  oneOf,
  optional,
  text,
  wholeNumber,
  type Field,
} from '../../platform/contract/fields.js';
import { inputField, inputOf } from '../../platform/contract/inputs.js';
import { namedClass } from '../../platform/contract/verb.js';
import { CLAIMS, MOVE_FORMATS } from '../../rules/ruleset.js';
import { ClaimEnum, MoveFormatEnum } from './enums.model.js';
import { nodes } from './conditional-moves.model.js';

/** Input classes made from the input that each act declares; both transports validate and document with them. */

type Class = new () => object;

/** The enums of the two schemas, by the word list that an act declares. */
const ENUMS = new Map<readonly string[], Readonly<Record<string, string>>>([
  [CLAIMS, ClaimEnum],
  [MOVE_FORMATS, MoveFormatEnum],
]);

function required(field: ActField): Field {
  const { description, example } = field;
  const options = example === undefined ? {} : { example };
  switch (field.kind) {
    case 'wholeNumber':
      return wholeNumber(description, { ...options, least: field.min });
    case 'text':
      return text(description, { ...options, least: 1, most: field.most });
    case 'word':
      return oneOf(ENUMS.get(field.of)!, description, options);
    case 'flag':
      return flag(description, options);
    case 'tree':
      return nodes(description ?? '');
  }
}

const fieldOf = (field: ActField): Field => (field.optional ? optional(required(field)) : required(field));

@InputType({ description: 'A state of a game that you saw, as its receipt says it.' })
export class SeenInput extends inputOf({
  version: wholeNumber('The version of the game.'),
  hash: hash('The hash of the newest entry of the chain at this version: 64 lower-case hex digits.'),
}) {}

/** What an act may say of the state that it was made for. */
export const SEEN = {
  version: optional(
    wholeNumber(
      'The version of the game that the request was made for; if the game has changed since, nothing is done and an error ' +
        'such as STALE_VERSION says why. No such check if left out.',
    ),
  ),
  seen: optional(
    inputField(
      SeenInput,
      'The state of the game that the request was made for, as `version`, but by its hash: also refused with STALE_VERSION ' +
        'if the game came to this version by another course than the one that you saw. It is not stored.',
    ),
  ),
};

const takesNothing = ({ input }: Act): boolean => Object.keys(input).length === 0;

const takenBy = ({ input }: Act) =>
  Object.fromEntries(Object.entries(input).map(([name, field]) => [name, fieldOf(field)]));

@ApiSchema({ description: 'The input of an act that takes nothing but the state of the game that you saw.' })
class ActBody extends inputOf(SEEN) {}

/** The request body for an act's route, and whether it is required. */
export function bodyOf(act: Act): { readonly type: Class; readonly required: boolean } {
  if (takesNothing(act)) return { type: ActBody, required: false };
  const fields = inputOf({ ...takenBy(act), ...SEEN });
  return { type: namedClass(`${capitalized(act.name)}Body`, fields), required: true };
}

/** The input type of an act's mutation. */
export function inputOfAct(act: Act): Class {
  const fields = inputOf({ gameId, ...takenBy(act), ...SEEN });
  const type = namedClass(`${capitalized(act.name)}Input`, fields);
  InputType({ description: `The input of ${act.name}.` })(type);
  return type;
}
