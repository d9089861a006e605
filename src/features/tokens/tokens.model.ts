import { ID, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { model, shown } from '../../platform/contract/model.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';

@ObjectType({ description: 'A personal token of yours, without the token itself, which is shown once.' })
export class PersonalToken extends model({
  id: shown(ID, { description: 'The id of the token, to delete it.' }),
  name: shown(String, { description: 'The name that you gave it.', example: 'my bot' }),
  scopes: shown([String], { description: 'What it allows.', example: ['games:read', 'games:play'] }),
  createdAt: shown(DateTimeScalar, { description: 'The time when it was made.' }),
  lastUsedAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The time of its last use, up to a minute late; null if it was never used.',
  }),
  expiresAt: shown(DateTimeScalar, { description: 'The time until which it is valid.' }),
}) {}

@ApiSchema({ description: 'Your personal tokens, the one made last first.' })
export class PersonalTokenPage extends model(pageFields(PersonalToken)) {}
