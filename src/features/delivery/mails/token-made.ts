import type { Letter } from '../letter.js';
import { momentOf } from '../moment.js';

/** Tells of a new personal token, which opens a part of the account to a program. */
export const tokenMade = (
  username: string,
  at: string,
  name: string,
  scopes: string,
  accountAt: string,
): Letter => ({
  subject: 'A personal token was made',
  parts: [
    `On ${momentOf(at)} a personal token named “${name}” was made for the account ${username}. It allows: ${scopes}.`,
    'If this was you, there is nothing to do. If it was not, delete the token and change the password:',
    { words: 'See tokens and password', link: accountAt },
  ],
});
