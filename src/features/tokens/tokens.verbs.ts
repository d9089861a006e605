import { Int } from '@nestjs/graphql';
import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { PersonalToken } from './tokens.model.js';

export const CREATE_TOKEN = verb('createToken', {
  needs: 'account',
  by: 'password',
  description:
    'Make a personal token, for a script or a bot of yours. It is shown once, in this answer, and goes where an access token goes. It needs no refresh, and allows what its scopes name, but never changes the ways into your account.',
  codes: ['CONFIRMATION_REQUIRED', 'LIMIT_REACHED'],
  answers: {
    token: shown(String, { description: 'The token itself, for `Authorization: Bearer ...`.' }),
    personalToken: shown(PersonalToken, { description: 'The token as it is listed.' }),
  },
});

export const DELETE_TOKEN = verb('deleteToken', {
  needs: 'account',
  description:
    'Delete a personal token of yours. It is refused at once, as the tokens of an ended session are.',
  codes: ['NOT_FOUND'],
  answers: { ended: shown(Int, { description: 'The number of tokens that have ended: 1.' }) },
});
