import { InputType } from '@nestjs/graphql';
import { longText, optional, text } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';

@InputType({ description: 'Your new e-mail address.' })
export class ChangeEmailInput extends inputOf({
  email: optional(
    text('The address, which a link that is sent there verifies; null to have none.', {
      example: 'ann@example.org',
    }),
  ),
}) {}

@InputType({ description: 'The secret of a link that was sent to verify an address.' })
export class VerifyEmailInput extends inputOf({
  token: text('What stands behind the `#` of the link.'),
}) {}

@InputType({ description: 'Whose password was forgotten.' })
export class RequestRecoveryInput extends inputOf({
  usernameOrEmail: text('The username, or the verified e-mail address.', { example: 'ann' }),
}) {}

@InputType({ description: 'The secret of a link that was sent to recover an account, and the new password.' })
export class CompleteRecoveryInput extends inputOf({
  token: text('What stands behind the `#` of the link.'),
  password: longText('The new password, by the same rules as at registration.', {
    example: 'four words, a horse and a hat',
  }),
}) {}
