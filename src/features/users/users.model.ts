import { ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, Shown } from '../../platform/model.js';
import { CHALLENGES_FROM } from './challenge-policy.js';

export const ChallengesFromEnum = enumOf(CHALLENGES_FROM);
registerEnumType(ChallengesFromEnum, {
  name: 'ChallengesFrom',
  description: 'Whose challenges a user takes; rated: of those within so much of the own rating.',
});

@ObjectType({ description: 'Somebody who plays here.' })
export class User {
  @Shown(() => ID)
  readonly id: string;

  @Shown(() => String, {
    description: 'Unique, in lower case; `closed-account` is that of all closed accounts.',
    example: 'ann',
  })
  readonly username: string;

  @Shown(() => String, { description: 'What others see.', example: 'Ann Lee' })
  readonly displayName: string;

  @Shown(() => Boolean, {
    description:
      'Has this user closed the account? Then the names are those of all closed accounts, which differ by id alone.',
  })
  readonly closed: boolean;

  @Shown(() => DateTimeScalar, { nullable: true, description: 'Null: the account is closed.' })
  readonly createdAt: Date | null;

  @Shown(() => ChallengesFromEnum, { description: 'Whose challenges this user takes.' })
  readonly challengesFrom: keyof typeof ChallengesFromEnum;

  @Shown(() => Int, {
    nullable: true,
    description: 'rated: by how much the rating of a challenger may differ, in the pool of the challenge.',
  })
  readonly challengesWithin: number | null;
}
