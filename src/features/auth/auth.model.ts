import { ObjectType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Shown } from '../../platform/model.js';
import { User } from '../users/users.model.js';

@ObjectType({ description: 'A session just opened or renewed: the tokens that speak for it.' })
export class AuthPayload {
  @Shown(() => String, { description: 'Sent as `Authorization: Bearer ...`.' })
  readonly accessToken: string;

  @Shown(() => DateTimeScalar)
  readonly accessTokenExpiresAt: Date;

  @Shown(() => String, { description: 'Renews the session once. A second use ends it.' })
  readonly refreshToken: string;

  @Shown(() => DateTimeScalar, { description: 'When the session ends, unless it is renewed before.' })
  readonly refreshTokenExpiresAt: Date;

  @Shown(() => User)
  readonly user: User;
}

/** REST's answer to the end of all sessions; GraphQL answers the number alone. */
export class EndedSessions {
  @ApiProperty({ type: 'integer', description: 'How many sessions were live until now.' })
  readonly ended: number;
}
