import { ArgsType } from '@nestjs/graphql';
import { flag, optional, text, wholeNumber } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { itemCount } from '../../platform/contract/page.inputs.js';

@ArgsType()
export class ChangesArgs extends inputOf({
  since: optional(
    text('The cursor of the last answer, at most 90 days old; everything from the beginning when left out.'),
  ),
  first: optional(wholeNumber(itemCount('changes', MAX_PAGE_SIZE))),
  fromNow: optional(
    flag(
      'True to get only the cursor of this moment, without changes: take it first, then read your data by other queries. Not together with `since`.',
    ),
  ),
}) {}
