import { ArgsType } from '@nestjs/graphql';
import { flag, optional, text, wholeNumber } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

@ArgsType()
export class ChangesArgs extends inputOf({
  since: optional(
    text('The cursor of your last answer, at most 90 days old. Without it from the beginning: all there is.'),
  ),
  first: optional(wholeNumber('How many; 1 to 100, and 100 by default.')),
  fromNow: optional(
    flag(
      'No changes, and the cursor of this moment: for whoever reads everything else by other queries, afterwards.',
    ),
  ),
}) {}
