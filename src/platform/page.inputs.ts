import { ArgsType } from '@nestjs/graphql';
import { optional, text, wholeNumber } from './fields.js';
import { argsOf } from './inputs.js';

/** The arguments of pages, which OpenAPI shows as their routes declare them. */

const graphqlOnly = true;

export const PAGE = {
  first: optional(wholeNumber('How many, from the start; 1 to 100.', { graphqlOnly })),
  after: optional(text('Behind this cursor.', { graphqlOnly })),
};

@ArgsType()
export class PageArgs extends argsOf(PAGE) {}

/** Of a list that is read from either end. */
export const RANGE = {
  last: optional(wholeNumber('How many, from the end; 1 to 100.', { graphqlOnly })),
  before: optional(text('Before this cursor.', { graphqlOnly })),
  ...PAGE,
};

@ArgsType()
export class RangeArgs extends argsOf(RANGE) {}
