import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { User } from '../users/users.model.js';
import { Account } from './recovery.model.js';

export const CHANGE_EMAIL = verb('changeEmail', {
  needs: 'account',
  by: 'password',
  description:
    'Change your e-mail address, which recovers your account and gets the notices about it, and the news of your games (`updateNewsSettings`). A link is sent to the new one, which counts once the link was used; the old one is told.',
  codes: ['CONFIRMATION_REQUIRED', 'NO_MAIL', 'ACCOUNT_CLOSED'],
  answers: { account: shown(Account, { description: 'Your addresses as they are now.' }) },
});

export const VERIFY_EMAIL = verb('verifyEmail', {
  needs: null,
  description: 'Verify an e-mail address by the link that was sent there. The link works once, for a day.',
  codes: ['INVALID_LINK', 'LIMIT_REACHED'],
  answers: { email: shown(String, { description: 'The address, which is that of the account now.' }) },
});

export const REQUEST_RECOVERY = verb('requestRecovery', {
  needs: null,
  description:
    'Ask for a link that lets you choose a new password. It is sent to the verified e-mail address of the account. The answer and its time are the same whether the account exists, has an address, or not. If the server sends no mail, the operator makes such a link (see `GET /v1`).',
  codes: [],
  answers: { accepted: shown(Boolean, { description: 'Always true.' }) },
});

export const COMPLETE_RECOVERY = verb('completeRecovery', {
  needs: null,
  description:
    'Choose a new password by the link that was sent. The link works once, for an hour. All sessions and personal tokens of the account end.',
  codes: ['INVALID_LINK', 'PASSWORD_TOO_COMMON'],
  answers: { user: shown(User, { description: 'The user, who can log in with the new password.' }) },
});
