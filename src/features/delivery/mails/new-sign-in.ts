import type { Letter } from '../letter.js';
import { momentOf } from '../moment.js';

/** Tells of a sign-in from a device or network that was not seen before. */
export const newSignIn = (username: string, at: string, device: string, accountAt: string): Letter => ({
  subject: 'A sign-in from a new device',
  parts: [
    `Somebody, probably you, signed in to the account ${username} on ${momentOf(at)} from a device or network that was not seen before: ${device === '' ? 'an unnamed program' : device}.`,
    'If this was you, there is nothing to do. If it was not, change the password, which signs out all other devices:',
    { words: 'See sessions and password', link: accountAt },
  ],
});
