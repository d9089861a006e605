import { Int } from '@nestjs/graphql';
import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { User } from '../users/users.model.js';
import { Session } from './auth.model.js';

/** What makes accounts and sessions, and ends sessions. */

const SESSION = { session: shown(Session) };

export const REGISTER = verb('register', {
  description: 'Makes an account and opens its first session.',
  answers: SESSION,
});

export const LOGIN = verb('login', { description: 'Opens a session.', answers: SESSION });

export const REFRESH = verb('refresh', {
  description: 'Renews a session: a refresh token works once, and its second use ends the session.',
  answers: SESSION,
});

export const LOGOUT = verb('logout', {
  description: 'Ends the session that asks.',
  answers: {
    ended: shown(Int, { description: 'How many sessions have ended: 1, or 0 when it had already.' }),
  },
});

export const LOGOUT_EVERYWHERE = verb('logoutEverywhere', {
  description: 'Ends all sessions of the user.',
  answers: { ended: shown(Int, { description: 'How many sessions were live until now.' }) },
});

export const UPDATE_PROFILE = verb('updateProfile', {
  description: 'Changes what others see of the user.',
  answers: { user: shown(User) },
});
