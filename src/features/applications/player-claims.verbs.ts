import { shown } from '../../platform/contract/model.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { verb } from '../../platform/contract/verb.js';
import { Session } from '../auth/auth.model.js';
import { ApplicationSite } from './applications.model.js';
import { OF_AN_APPLICATION } from './players.verbs.js';

export const CREATE_CLAIM_LINK = verb('createClaimLink', {
  ...OF_AN_APPLICATION,
  description:
    'Make a link by which whoever plays as a player of your application takes the player over: the same user gets a username and a password and leaves the application. It works once, for an hour, and replaces an earlier one.',
  codes: ['NOT_FOUND', 'INVALID_CLIENT'],
  answers: {
    url: shown(String, {
      description:
        'The link, for nobody but who plays as this player. What stands behind the `#` is a secret.',
      example: 'https://play.example.org/claim#q1w2e3',
    }),
    expiresAt: shown(DateTimeScalar, { description: 'The time until which it works.' }),
  },
});

export const LOOK_AT_CLAIM = verb('lookAtClaim', {
  needs: null,
  description:
    'Tell whom a link of an application is for, before it is used. Nothing changes, and the link works as before. A mutation, so that its secret is in no address.',
  codes: ['INVALID_LINK'],
  answers: {
    displayName: shown(String, {
      description: 'The name for display of the player whom the link takes over.',
      example: 'Ann Lee',
    }),
    application: shown(ApplicationSite, { description: 'The application whose player it is.' }),
  },
});

export const CLAIM_PLAYER = verb('claimPlayer', {
  needs: null,
  description:
    'Take over a player of an application by the link that it made, and become a person. Games, opponents and their records stay as they are, under the new name. The tokens of the player end; the application still reads the games that were played there. `myAccount` tells whether a link went to the e-mail address.',
  codes: ['INVALID_LINK', 'PASSWORD_TOO_COMMON', 'USERNAME_TAKEN', 'NAME_TAKEN'],
  answers: { session: shown(Session, { description: 'The session, with its user.' }) },
});
