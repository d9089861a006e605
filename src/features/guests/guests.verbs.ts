import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { Session } from '../auth/auth.model.js';

const SESSION = { session: shown(Session, { description: 'The session, with its user.' }) };

export const CREATE_GUEST = verb('createGuest', {
  needs: null,
  description:
    'Play at once, without an account: a guest plays casual games by links and seeks, at most three at a time. The game and the guest are kept by `claimAccount`; otherwise the guest is forgotten 30 days after the last game.',
  codes: ['NAME_TAKEN'],
  answers: SESSION,
});

export const CLAIM_ACCOUNT = verb('claimAccount', {
  needs: 'games:play',
  by: 'guest',
  description:
    'Make a guest a person, with a username and a password. Games, opponents and their records stay as they are, under the new name. The session of the guest ends, and the answer has a new one. `myAccount` tells whether a link went to the e-mail address.',
  codes: ['INVALID_REFRESH_TOKEN', 'PASSWORD_TOO_COMMON', 'USERNAME_TAKEN', 'NAME_TAKEN', 'ACCOUNT_CLOSED'],
  answers: SESSION,
});
