import { InputType } from '@nestjs/graphql';
import {
  flag,
  idempotencyKey,
  longText,
  id,
  oneOf,
  optional,
  wholeNumber,
} from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { ChallengesFromEnum } from '../users/users.model.js';

const username = { example: 'ann' };
const DISPLAY_NAME = 'The name for display: 1 to 40 visible characters, with a letter or digit.';
const password = { example: 'three words and a horse' };

const REGISTRATION = {
  username: longText(
    'The username: 3 to 30 of a-z, 0-9, _ and -, with a letter or digit at both ends. Capitals become lower case.',
    username,
  ),
  password: longText(
    'The password, 8 to 128 characters; not a common one and not based on your names.',
    password,
  ),
  displayName: optional(longText(`${DISPLAY_NAME} The default is the username.`, { example: 'Ann Lee' })),
};

/** The body in REST, where the idempotency key is a header. */
export class RegisterBody extends inputOf(REGISTRATION) {}

@InputType({ description: 'The data of a new account.' })
export class RegisterInput extends inputOf({
  idempotencyKey,
  ...REGISTRATION,
}) {}

@InputType({ description: 'A username and its password.' })
export class LoginInput extends inputOf({
  username: longText('The username, in any case.', username),
  password: longText('The password.', password),
}) {}

@InputType({ description: 'The session to end.' })
export class EndSessionInput extends inputOf({
  id: id('The id of an open session of yours.'),
}) {}

@InputType({ description: 'Which sessions to end.' })
export class EndSessionsInput extends inputOf({
  all: optional(flag('True for all of them, that of this request included; otherwise all others.')),
}) {}

@InputType({ description: 'Your password, once more.' })
export class ConfirmPasswordInput extends inputOf({
  password: longText('Your password.', password),
}) {}

@InputType({ description: 'The old password and the new one.' })
export class ChangePasswordInput extends inputOf({
  current: longText('Your password until now.', password),
  password: longText('The new password, by the same rules as at registration.', {
    example: 'four words, a horse and a hat',
  }),
}) {}

@InputType({ description: 'The refresh token of a session.' })
export class RefreshInput extends inputOf({
  refreshToken: longText('The newest refresh token of the session; each works once.'),
}) {}

@InputType({ description: 'The changes of a profile; what is left out stays as it is.' })
export class UpdateProfileInput extends inputOf({
  displayName: optional(longText(DISPLAY_NAME, { example: 'Ann Lee' })),
  challengesFrom: optional(
    oneOf(
      ChallengesFromEnum,
      'The users whose challenges you accept; rematches and counter-offers arrive from everybody.',
    ),
  ),
  challengesWithin: optional(
    wholeNumber(
      'The largest difference in rating of an accepted challenger, 1 to 4000. Required if you accept challenges by rating, not allowed otherwise.',
    ),
  ),
}) {}
