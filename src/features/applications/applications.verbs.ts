import { ID } from '@nestjs/graphql';
import { shown } from '../../platform/contract/model.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { verb } from '../../platform/contract/verb.js';
import { Application, ApplicationSecret } from './applications.model.js';

const OF_A_PERSON = { needs: 'account', by: 'password' } as const;
const APPLICATION = shown(Application, { description: 'The application as it is now.' });
const SECRET = shown(String, {
  description: 'The secret, which is shown in this answer alone: keep it on your server.',
});

export const CREATE_APPLICATION = verb('createApplication', {
  ...OF_A_PERSON,
  description:
    'Register an application, through which a site of yours brings its own players. Its server exchanges id and secret for a token at `POST /oauth/token`.',
  codes: ['CONFIRMATION_REQUIRED', 'LIMIT_REACHED', 'FORBIDDEN'],
  answers: { application: APPLICATION, secret: SECRET },
});

export const CREATE_APPLICATION_TOKEN = verb('createApplicationToken', {
  needs: null,
  description:
    'Exchange a secret of an application for a token by which it acts as itself, with the scope `application`. `POST /oauth/token` does the same in the words of OAuth.',
  codes: ['INVALID_CLIENT', 'NOT_FOUND'],
  answers: {
    token: shown(String, { description: 'The token, for `Authorization: Bearer ...`.' }),
    expiresAt: shown(DateTimeScalar, { description: 'The time until which it is valid.' }),
  },
});

export const UPDATE_APPLICATION = verb('updateApplication', {
  ...OF_A_PERSON,
  description: 'Change the name, the address or the chat of an application of yours.',
  codes: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  answers: { application: APPLICATION },
});

export const DELETE_APPLICATION = verb('deleteApplication', {
  ...OF_A_PERSON,
  description:
    'Delete an application of yours. Its tokens and those of its players are refused at once; its players are erased as closed accounts are. Games and their records stay.',
  codes: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  answers: { deletedId: shown(ID, { description: 'The id of the application that was deleted.' }) },
});

export const CREATE_APPLICATION_SECRET = verb('createApplicationSecret', {
  ...OF_A_PERSON,
  description:
    'Make a second secret of an application of yours, to replace the first one. Use it in your server, then delete the old one.',
  codes: ['NOT_FOUND', 'CONFIRMATION_REQUIRED', 'LIMIT_REACHED'],
  answers: {
    secret: SECRET,
    applicationSecret: shown(ApplicationSecret, { description: 'The secret as it is listed.' }),
  },
});

export const DELETE_APPLICATION_SECRET = verb('deleteApplicationSecret', {
  ...OF_A_PERSON,
  description:
    'Delete a secret of an application of yours, and end all tokens of the application and its players and all links to claim one of these, which may have been made with it.',
  codes: ['NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  answers: { application: APPLICATION },
});

export const ADD_APPLICATION_OWNER = verb('addApplicationOwner', {
  ...OF_A_PERSON,
  description: 'Make a person the second owner of an application of yours, with the same rights as you.',
  codes: ['NOT_FOUND', 'CONFIRMATION_REQUIRED', 'LIMIT_REACHED', 'FORBIDDEN'],
  answers: { application: APPLICATION },
});

export const REMOVE_APPLICATION_OWNER = verb('removeApplicationOwner', {
  ...OF_A_PERSON,
  description:
    'Remove an owner of an application of yours, who may be you. The last owner stays: delete the application instead.',
  codes: ['NOT_FOUND', 'CONFIRMATION_REQUIRED', 'FORBIDDEN'],
  answers: { application: APPLICATION },
});
