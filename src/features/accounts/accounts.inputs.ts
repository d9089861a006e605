import { InputType } from '@nestjs/graphql';
import { longText } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

@InputType({ description: 'What confirms that you close your account.' })
export class CloseAccountInput extends inputOf({
  password: longText('Once more, so that nobody else does it who finds you signed in.', {
    example: 'three words and a horse',
  }),
}) {}
