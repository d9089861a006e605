import { ArgsType } from '@nestjs/graphql';
import { text } from '../../platform/contract/fields.js';
import { argsOf } from '../../platform/contract/inputs.js';

const LEAST = 2;
export const MOST_OF_A_PREFIX = 40;

/** The most users that are found by the beginning of a name. */
export const MOST_FOUND = 20;

@ArgsType()
export class UsersArgs extends argsOf({
  prefix: text(
    `The beginning of a username or display name, ${LEAST} to ${MOST_OF_A_PREFIX} characters, in any case; in a display name, accents and signs do not matter either.`,
    {
      least: LEAST,
      most: MOST_OF_A_PREFIX,
      example: 'ann',
    },
  ),
}) {}
