import { InputType } from '@nestjs/graphql';
import { longText, oneOf, optional, wholeNumber } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';
import { ChallengesFromEnum } from '../users/users.model.js';

const username = { example: 'ann' };
const password = { example: 'three words and a horse' };

const REGISTRATION = {
  username: longText(
    'In any case, kept in lower case: 3 to 30 of a-z, 0-9, _ and -, none of the last two at an end.',
    username,
  ),
  password: longText('8 to 128 characters, and none of the most common passwords.', password),
  displayName: optional(longText('What others see; left out: the username.', { example: 'Ann Lee' })),
};

/** What REST takes; its idempotency key comes as a header. */
export class RegisterBody extends inputOf(REGISTRATION) {}

@InputType({ description: 'A new account.' })
export class RegisterInput extends inputOf({
  idempotencyKey: optional(
    longText('Chosen by the client, 1 to 64 characters; sent again with the same key, it registers once.'),
  ),
  ...REGISTRATION,
}) {}

@InputType({ description: 'Who logs in.' })
export class LoginInput extends inputOf({
  username: longText('', username),
  password: longText('', password),
}) {}

@InputType({ description: 'A refresh token.' })
export class RefreshInput extends inputOf({ refreshToken: longText() }) {}

@InputType({ description: 'What is to be changed; the rest stays.' })
export class UpdateProfileInput extends inputOf({
  displayName: optional(longText('What others see: 1 to 40 visible characters.', { example: 'Ann Lee' })),
  challengesFrom: optional(
    oneOf(ChallengesFromEnum, 'Whose challenges you take. Rematches and counter-offers come from everybody.'),
  ),
  challengesWithin: optional(
    wholeNumber('rated: by how much the rating of a challenger may differ from yours, 1 to 4000.'),
  ),
}) {}
