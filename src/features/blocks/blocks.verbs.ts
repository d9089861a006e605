import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { User } from '../users/users.model.js';

const USER = { user: shown(User, { description: 'The user who is now blocked or unblocked.' }) };

export const BLOCK_USER = verb('blockUser', {
  needs: 'profile:write',
  description:
    'Block a user, who can then no longer challenge you, accept your challenges or write to you. Running games go on.',
  codes: ['NOT_FOUND', 'ACCOUNT_CLOSED'],
  answers: USER,
});

export const UNBLOCK_USER = verb('unblockUser', {
  needs: 'profile:write',
  description: 'Unblock a user. Does nothing if you do not block them.',
  codes: ['NOT_FOUND'],
  answers: USER,
});
