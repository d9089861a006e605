import type { Letter } from '../letter.js';
import { momentOf } from '../moment.js';

/** Tells the old address that the account has another one, or none, from now on. */
export const emailChanged = (username: string, at: string, isRemoved: boolean): Letter => ({
  subject: 'Your e-mail address was changed',
  parts: [
    `On ${momentOf(at)} the account ${username} ${isRemoved ? 'gave up this e-mail address' : 'got another e-mail address'}. This is the last mail about it that comes here.`,
    'If this was you, there is nothing to do. If it was not, write to the operator of the server.',
  ],
});
