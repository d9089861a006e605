import { InputType, Int } from '@nestjs/graphql';
import { IsIn, IsInt, IsString } from 'class-validator';
import { Given } from '../../platform/model.js';
import { ChallengesFromEnum } from '../users/users.model.js';
import { CHALLENGES_FROM, type ChallengesFrom } from '../users/challenge-policy.js';

/** What REST takes; its idempotency key comes as a header. */
@InputType({ isAbstract: true })
export class Registration {
  @Given(() => String, {
    description:
      'In any case, kept in lower case: 3 to 30 of a-z, 0-9, _ and -, none of the last two at an end.',
    example: 'ann',
  })
  @IsString()
  readonly username: string;

  @Given(() => String, {
    description: '8 to 128 characters, and none of the most common passwords.',
    example: 'three words and a horse',
  })
  @IsString()
  readonly password: string;

  @Given(() => String, {
    nullable: true,
    description: 'What others see; left out: the username.',
    example: 'Ann Lee',
  })
  @IsString()
  readonly displayName?: string | null;
}

@InputType()
export class RegisterInput extends Registration {
  @Given(() => String, {
    nullable: true,
    description: 'Chosen by the client, 1 to 64 characters; sent again with the same key, it registers once.',
  })
  @IsString()
  readonly idempotencyKey?: string | null;
}

@InputType()
export class LoginInput {
  @Given(() => String, { example: 'ann' })
  @IsString()
  readonly username: string;

  @Given(() => String, { example: 'three words and a horse' })
  @IsString()
  readonly password: string;
}

/** What REST takes; GraphQL takes the token as an argument. */
@InputType({ isAbstract: true })
export class RefreshInput {
  @Given(() => String)
  @IsString()
  readonly refreshToken: string;
}

@InputType({ description: 'What is to be changed; the rest stays.' })
export class UpdateProfileInput {
  @Given(() => String, {
    nullable: true,
    description: 'What others see: 1 to 40 visible characters.',
    example: 'Ann Lee',
  })
  @IsString()
  readonly displayName?: string | null;

  @Given(() => ChallengesFromEnum, {
    nullable: true,
    description: 'Whose challenges you take. Rematches and counter-offers come from everybody.',
  })
  @IsIn(CHALLENGES_FROM)
  readonly challengesFrom?: ChallengesFrom | null;

  @Given(() => Int, {
    nullable: true,
    description: 'rated: by how much the rating of a challenger may differ from yours, 1 to 4000.',
  })
  @IsInt()
  readonly challengesWithin?: number | null;
}
