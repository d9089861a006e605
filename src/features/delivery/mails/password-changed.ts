import type { Letter } from '../letter.js';
import { momentOf } from '../moment.js';

/** Tells that the password is another one now. */
export const passwordChanged = (username: string, at: string, recoverAt: string): Letter => ({
  subject: 'Your password was changed',
  parts: [
    `The password of the account ${username} was changed on ${momentOf(at)}. Its other sessions have ended.`,
    'If this was you, there is nothing to do. If it was not, recover the account at once:',
    { words: 'Recover the account', link: recoverAt },
  ],
});
