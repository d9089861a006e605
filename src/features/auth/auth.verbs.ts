import { Int } from '@nestjs/graphql';
import { shown } from '../../platform/contract/model.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
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
  // Any token may end the session that it is of.
  needs: null,
  description: 'End the current session.',
  codes: [],
  answers: {
    ended: shown(Int, {
      description: 'The number of sessions that have ended: 1, or 0 if it had already ended.',
    }),
  },
});

const ENDED = { ended: shown(Int, { description: 'The number of sessions that have ended.' }) };

export const END_SESSION = verb('endSession', {
  needs: 'account',
  description:
    'End a session of yours by its id. Its tokens are refused at once, and within a second by every process of the server; sockets and streams close.',
  codes: ['NOT_FOUND'],
  answers: ENDED,
});

export const END_SESSIONS = verb('endSessions', {
  needs: 'account',
  description: 'End all your other sessions, or all of them and your personal tokens with `all`.',
  codes: [],
  answers: ENDED,
});

export const CONFIRM_PASSWORD = verb('confirmPassword', {
  needs: 'account',
  by: 'password',
  description:
    'Give your password once more. What changes the ways into your account needs a session in which it was given within ten minutes, as it is after a login; otherwise it is refused with `CONFIRMATION_REQUIRED`.',
  codes: ['INVALID_CREDENTIALS'],
  answers: {
    confirmedUntil: shown(DateTimeScalar, { description: 'The time until which this counts.' }),
  },
});

export const CHANGE_PASSWORD = verb('changePassword', {
  needs: 'account',
  by: 'password',
  description: 'Change your password. All your other sessions end; your personal tokens go on.',
  codes: ['INVALID_CREDENTIALS', 'PASSWORD_TOO_COMMON'],
  answers: ENDED,
});

export const CREATE_STREAM_TICKET = verb('createStreamTicket', {
  needs: 'games:read',
  description:
    'Get a ticket for an `EventSource`, which cannot send a token: the parameter `ticket` of `GET /v1/me/events`. It opens one stream, once, within a minute, with the scopes of the token of this request. The stream ends when the access token of this request expires.',
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
