import { ID, Int, InterfaceType, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, model, shown } from '../../platform/model.js';
import { CHALLENGES_FROM } from './challenge-policy.js';

export const ChallengesFromEnum = enumOf(CHALLENGES_FROM, {
  name: 'ChallengesFrom',
  description: 'Whose challenges a user takes; rated: of those within so much of the own rating.',
});

const NAMES = {
  id: shown(ID),
  displayName: shown(String, { description: 'What others see.', example: 'Ann Lee' }),
  closed: shown(Boolean, {
    description:
      'Whether the account is closed. Then the names are those of all closed accounts, which differ by id alone.',
  }),
};

const USERNAME = {
  description: 'Unique, in lower case; `closed-account` is that of all closed accounts.',
  example: 'ann',
};

@InterfaceType({
  description: 'Somebody who has a seat in a game: a user. Other kinds of players may come.',
  resolveType: () => User.name,
})
export abstract class Player {
  @NAMES.id
  readonly id: string;

  @shown(String, { ...USERNAME, nullable: true })
  readonly username: string | null;

  @NAMES.displayName
  readonly displayName: string;

  @NAMES.closed
  readonly closed: boolean;
}

@ObjectType({ description: 'Somebody who has an account here.', implements: () => [Player] })
export class User extends model({
  ...NAMES,
  username: shown(String, USERNAME),
  createdAt: shown(DateTimeScalar, { nullable: true, description: 'Null: the account is closed.' }),
  challengesFrom: shown(ChallengesFromEnum, { description: 'Whose challenges this user takes.' }),
  challengesWithin: shown(Int, {
    nullable: true,
    description: 'rated: by how much the rating of a challenger may differ, in the pool of the challenge.',
  }),
}) {}
