import { InputType } from '@nestjs/graphql';
import { longText, optional, text } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';

@InputType({ description: 'A new guest.' })
export class CreateGuestInput extends inputOf({
  displayName: optional(
    longText(
      'The name for display: 1 to 40 visible characters, with a letter or digit. The default is the username.',
      {
        example: 'Ann',
      },
    ),
  ),
}) {}

export const WAYS_IN = {
  username: longText('The username, by the same rules as at registration.', { example: 'ann' }),
  password: longText('The password, by the same rules as at registration.', {
    example: 'three words and a horse',
  }),
  email: optional(
    text('An e-mail address, to which a link goes that verifies it.', { example: 'ann@example.org' }),
  ),
};

@InputType({ description: 'The ways into the account of a guest from now on.' })
export class ClaimAccountInput extends inputOf({
  ...WAYS_IN,
  refreshToken: longText(
    'The refresh token of the session of the guest, since nothing else proves whose it is.',
    {
      example: 'wzn1gK...',
    },
  ),
}) {}
