import { ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { model, shown } from '../../platform/model.js';
import { User } from '../users/users.model.js';

@ObjectType({ description: 'A session just opened or renewed: the tokens that speak for it.' })
export class Session extends model({
  accessToken: shown(String, { description: 'Sent as `Authorization: Bearer ...`.' }),
  accessTokenExpiresAt: shown(DateTimeScalar),
  refreshToken: shown(String, { description: 'Renews the session once. A second use ends it.' }),
  refreshTokenExpiresAt: shown(DateTimeScalar, {
    description: 'When the session ends, unless it is renewed before.',
  }),
  user: shown(User),
}) {}
