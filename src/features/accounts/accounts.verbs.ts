import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { User } from '../users/users.model.js';

export const CLOSE_ACCOUNT = verb('closeAccount', {
  needs: 'account',
  by: 'password',
  description:
    'Close your account. This cannot be undone: running games are resigned, and your games stay, under the name closed-account.',
  codes: ['INVALID_CREDENTIALS'],
  answers: { user: shown(User, { description: 'Your user as others see it from now on.' }) },
});
