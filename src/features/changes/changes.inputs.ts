import { ArgsType } from '@nestjs/graphql';
import { flag, optional, text, wholeNumber } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

@ArgsType()
export class ChangesArgs extends inputOf({
  since: optional(
    text('The cursor of the last answer, at most 90 days old; everything from the beginning when left out.'),
  ),
  first: optional(wholeNumber('The number of changes, 1 to 100; 100 by default.')),
  fromNow: optional(
    flag(
      'True for no changes but the cursor of this moment, after which other queries read the rest; not with `since`.',
    ),
  ),
}) {}
