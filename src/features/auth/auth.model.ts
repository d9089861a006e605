import { ID, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { pageFields } from '../../platform/contract/paginated.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { model, shown } from '../../platform/contract/model.js';
import { User } from '../users/users.model.js';

@ObjectType({ description: 'A session that was opened or renewed, with its tokens.' })
export class Session extends model({
  id: shown(ID, { description: 'The id of the session, to end it with `endSession`.' }),
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

@ObjectType({ description: 'An open session of yours.' })
export class OpenedSession extends model({
  id: shown(ID, { description: 'The id of the session.' }),
  device: shown(String, {
    description:
      'The client that opened it, in words: `Firefox on Linux`, `curl/8.5.0`. Empty if it did not say.',
    example: 'Firefox on Linux',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time when it was opened.' }),
  lastUsedAt: shown(DateTimeScalar, { description: 'The time of its last use, up to a minute late.' }),
  expiresAt: shown(DateTimeScalar, { description: 'Its expiry, unless it is renewed before.' }),
  isCurrent: shown(Boolean, { description: 'True for the session of this request.' }),
}) {}

@ApiSchema({ description: 'Your open sessions, the one opened last first.' })
export class OpenedSessionPage extends model(pageFields(OpenedSession)) {}
