import { InputType } from '@nestjs/graphql';
import { IsString } from 'class-validator';
import { Given } from '../../platform/model.js';

@InputType()
export class CloseAccountInput {
  @Given(() => String, {
    description: 'Once more, so that nobody else does it who finds you signed in.',
    example: 'three words and a horse',
  })
  @IsString()
  readonly password: string;
}
