import type { Letter } from '../letter.js';

export interface RecoverableAccount {
  readonly username: string;
  readonly link: string;
}

/** Lets somebody who has forgotten the password choose a new one, for each account of an address. */
export const recovery = (accounts: readonly RecoverableAccount[]): Letter => ({
  subject: 'Choose a new password',
  parts: [
    'Somebody, probably you, has asked for a new password. A new one signs out every device, and ends the personal tokens of the account.',
    ...accounts.map(({ username, link }) => ({ words: `New password for ${username}`, link })),
    'Each link works once, for an hour. If this was not you, do nothing: the password stays as it is.',
  ],
});
