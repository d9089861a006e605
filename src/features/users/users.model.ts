import { ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, model, shown } from '../../platform/model.js';
import { CHALLENGES_FROM } from './challenge-policy.js';

export const ChallengesFromEnum = enumOf(CHALLENGES_FROM, {
  name: 'ChallengesFrom',
  description: 'Whose challenges a user takes; rated: of those within so much of the own rating.',
});

@ObjectType({ description: 'Somebody who plays here.' })
export class User extends model({
  id: shown(ID),
  username: shown(String, {
    description: 'Unique, in lower case; `closed-account` is that of all closed accounts.',
    example: 'ann',
  }),
  displayName: shown(String, { description: 'What others see.', example: 'Ann Lee' }),
  closed: shown(Boolean, {
    description:
      'Has this user closed the account? Then the names are those of all closed accounts, which differ by id alone.',
  }),
  createdAt: shown(DateTimeScalar, { nullable: true, description: 'Null: the account is closed.' }),
  challengesFrom: shown(ChallengesFromEnum, { description: 'Whose challenges this user takes.' }),
  challengesWithin: shown(Int, {
    nullable: true,
    description: 'rated: by how much the rating of a challenger may differ, in the pool of the challenge.',
  }),
}) {}
