import { ArgsType } from '@nestjs/graphql';
import { optional, text, wholeNumber } from './fields.js';
import { argsOf } from './inputs.js';

/** The arguments of pages, which OpenAPI shows as their routes declare them. */

const graphqlOnly = true;

export const PAGE = {
  first: optional(
    wholeNumber(
      'The number of items to return, from the start of the list or from `after`: 1 to 100. By default 100 in moves, ' +
        'messages, events and rating histories, and 20 in most other lists.',
      { graphqlOnly },
    ),
  ),
  after: optional(text('The cursor after which the page starts, exclusive.', { graphqlOnly })),
};

@ArgsType()
export class PageArgs extends argsOf(PAGE) {}

/** Of a list that is read from either end. */
export const RANGE = {
  last: optional(
    wholeNumber(
      'The number of items to return, from the end of the list or before `before`: 1 to 100. Not together with `first`.',
      { graphqlOnly },
    ),
  ),
  before: optional(text('The cursor before which the page ends, exclusive.', { graphqlOnly })),
  ...PAGE,
};

@ArgsType()
export class RangeArgs extends argsOf(RANGE) {}
