import { Int } from '@nestjs/graphql';
import { shown } from '../../platform/contract/model.js';
import { ALL_READING } from '../../platform/contract/scopes.js';
import { verb } from '../../platform/contract/verb.js';
import { User } from '../users/users.model.js';
import { Session } from './auth.model.js';

/** Registration, login, sessions and profiles. */

const SESSION = { session: shown(Session, { description: 'The session, with new tokens.' }) };

export const REGISTER = verb('register', {
  needs: null,
  description: 'Create an account and open its first session.',
  codes: ['PASSWORD_TOO_COMMON', 'USERNAME_TAKEN', 'NAME_TAKEN', 'ACCOUNT_CLOSED'],
  takesKey: true,
  answers: SESSION,
});

export const LOGIN = verb('login', {
  needs: null,
  description: 'Open a session with a username and password.',
  codes: ['INVALID_CREDENTIALS', 'ACCOUNT_CLOSED'],
  answers: SESSION,
});

export const REFRESH = verb('refresh', {
  needs: null,
  description:
    'Renew a session. A refresh token works once; sent again within 10 seconds, it is answered by the same next one while that is unused. Any other second use ends the session.',
  codes: ['INVALID_REFRESH_TOKEN'],
  answers: SESSION,
});

export const LOGOUT = verb('logout', {
  needs: 'account',
  description: 'End the current session.',
  codes: [],
  answers: {
    ended: shown(Int, {
      description: 'The number of sessions that have ended: 1, or 0 if it had already ended.',
    }),
  },
});

export const LOGOUT_EVERYWHERE = verb('logoutEverywhere', {
  needs: 'account',
  description: 'End all your sessions.',
  codes: [],
  answers: { ended: shown(Int, { description: 'The number of sessions that have ended.' }) },
});

export const CREATE_STREAM_TICKET = verb('createStreamTicket', {
  needs: ALL_READING,
  description:
    'Get a ticket for an `EventSource`, which cannot send a token: the parameter `ticket` of `GET /v1/me/events`. It opens one stream, once, within a minute. The stream ends when the access token of this request expires.',
  codes: [],
  answers: {
    ticket: shown(String, { description: 'The ticket, for the parameter `ticket` of the address.' }),
  },
});

export const UPDATE_PROFILE = verb('updateProfile', {
  needs: 'profile:write',
  description:
    'Change your display name, or whose challenges you accept. Fields that are left out stay unchanged.',
  codes: ['NAME_TAKEN', 'ACCOUNT_CLOSED'],
  answers: { user: shown(User, { description: 'Your user as it is now.' }) },
});
