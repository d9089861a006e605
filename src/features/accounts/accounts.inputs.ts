import { InputType } from '@nestjs/graphql';
import { longText } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';

@InputType({ description: 'The confirmation that you close your account.' })
export class CloseAccountInput extends inputOf({
  password: longText('Your password.', {
    example: 'three words and a horse',
  }),
}) {}
