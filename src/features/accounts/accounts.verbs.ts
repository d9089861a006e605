import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { User } from '../users/users.model.js';

export const CLOSE_ACCOUNT = verb('closeAccount', {
  description:
    'Closes your account for good: running games are resigned, and all games stay, under closed-account.',
  answers: { user: shown(User, { description: 'What is left of you for others.' }) },
});
