import { InputType } from '@nestjs/graphql';
import { IsString } from 'class-validator';
import { Given } from '../platform/model.js';

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

@InputType()
export class UpdateProfileInput {
  @Given(() => String, { description: 'What others see: 1 to 40 visible characters.', example: 'Ann Lee' })
  @IsString()
  readonly displayName: string;
}
