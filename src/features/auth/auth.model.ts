import { ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { model, shown } from '../../platform/contract/model.js';
import { User } from '../users/users.model.js';

@ObjectType({ description: 'A session that was opened or renewed, with its tokens.' })
export class Session extends model({
  accessToken: shown(String, { description: 'The token for `Authorization: Bearer ...`.' }),
  accessTokenExpiresAt: shown(DateTimeScalar, {
    description: 'The expiry of the access token, by default 15 minutes after it was issued.',
  }),
  refreshToken: shown(String, {
    description: 'The token that renews the session. It works once; see `refresh` about a second use.',
  }),
  refreshTokenExpiresAt: shown(DateTimeScalar, {
    description: 'The expiry of the session unless it is renewed, by default 60 days from now.',
  }),
  user: shown(User, { description: 'The user of the session.' }),
}) {}
