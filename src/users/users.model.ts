import { ID, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../platform/graphql/scalars.js';
import { Shown } from '../platform/model.js';

@ObjectType({ description: 'Somebody who plays here.' })
export class User {
  @Shown(() => ID)
  readonly id: string;

  @Shown(() => String, { description: 'Unique, in lower case.', example: 'ann' })
  readonly username: string;

  @Shown(() => String, { description: 'What others see.', example: 'Ann Lee' })
  readonly displayName: string;

  @Shown(() => DateTimeScalar)
  readonly createdAt: Date;
}
