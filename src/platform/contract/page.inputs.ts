import { ArgsType } from '@nestjs/graphql';
import { optional, text, wholeNumber } from './fields.js';
import { argsOf } from './inputs.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './page.js';

/** The arguments of pages, which OpenAPI shows as their routes declare them. */

const graphqlOnly = true;

/** The number of items that a list returns, in words; `size` is the default. */
export const itemCount = (items: string, size: number): string =>
  `The number of ${items}: 1 to ${MAX_PAGE_SIZE}, ${size} by default.`;

/** The arguments of a list with this default page size. */
export const pageInput = (size: number = DEFAULT_PAGE_SIZE) => ({
  first: optional(
    wholeNumber(itemCount('items to return, from the start of the list or from `after`', size), {
      graphqlOnly,
    }),
  ),
  after: optional(text('The cursor after which the page starts, exclusive.', { graphqlOnly })),
});

@ArgsType()
export class PageArgs extends argsOf(pageInput()) {}

@ArgsType()
export class LongPageArgs extends argsOf(pageInput(MAX_PAGE_SIZE)) {}

/** The arguments of a list that can be read from either end. */
export const rangeInput = (size: number) => ({
  last: optional(
    wholeNumber(
      `The number of items to return, from the end of the list or before \`before\`: 1 to ${MAX_PAGE_SIZE}. ` +
        'Not together with `first`.',
      { graphqlOnly },
    ),
  ),
  before: optional(text('The cursor before which the page ends, exclusive.', { graphqlOnly })),
  ...pageInput(size),
});

@ArgsType()
export class LongRangeArgs extends argsOf(rangeInput(MAX_PAGE_SIZE)) {}
