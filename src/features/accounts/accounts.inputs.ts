import { InputType } from '@nestjs/graphql';
import { longText } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

@InputType({ description: 'The confirmation that you close your account.' })
export class CloseAccountInput extends inputOf({
  password: longText('Your password.', {
    example: 'three words and a horse',
  }),
}) {}
