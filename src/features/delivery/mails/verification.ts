import type { Letter } from '../letter.js';

/** Asks whether an address belongs to the user who named it. */
export const verification = (username: string, link: string): Letter => ({
  subject: 'Confirm your e-mail address',
  parts: [
    `Somebody, probably you, wants this to be the e-mail address of the account ${username}. It is used to recover the account, and to tell its owner what happens with it and in its games; each of those mails says how to stop them. Nobody else sees it.`,
    { words: 'Confirm this address', link },
    'The link works once, for a day. If this was not you, do nothing: without the link the address is not used.',
  ],
});
