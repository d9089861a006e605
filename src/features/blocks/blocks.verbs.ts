import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { User } from '../users/users.model.js';

const USER = { user: shown(User) };

export const BLOCK_USER = verb('blockUser', {
  description: 'From now on this user cannot challenge you, accept challenges of yours, or write to you.',
  answers: USER,
});

export const UNBLOCK_USER = verb('unblockUser', {
  description: 'Takes a block back, if there is one.',
  answers: USER,
});
