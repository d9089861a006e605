import { InputType } from '@nestjs/graphql';
import { id, listOf, longText, optional, text, wholeNumber } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { ALL_SCOPES } from '../../platform/contract/scopes.js';

export const MOST_OF_A_NAME = 60;
export const MOST_DAYS = 365;

@InputType({ description: 'What a new personal token is for.' })
export class CreateTokenInput extends inputOf({
  name: text(`A name by which you know it again, 1 to ${MOST_OF_A_NAME} characters.`, {
    least: 1,
    most: MOST_OF_A_NAME,
    example: 'my bot',
  }),
  scopes: listOf(longText(), 'What it is to allow: at least one scope of docs/access.md.', {
    most: ALL_SCOPES.length,
    example: ['games:read', 'games:play'],
  }),
  expiresInDays: optional(
    wholeNumber(`The days until it expires, 1 to ${MOST_DAYS}; ${MOST_DAYS} by default.`, {
      least: 1,
      most: MOST_DAYS,
    }),
  ),
}) {}

@InputType({ description: 'The personal token to delete.' })
export class DeleteTokenInput extends inputOf({
  id: id('The id of a personal token of yours.'),
}) {}
