import { ObjectType } from '@nestjs/graphql';
import { model, shown } from '../../platform/contract/model.js';

@ObjectType({ description: 'What only you see of your account.' })
export class Account extends model({
  email: shown(String, {
    nullable: true,
    description: 'Your verified e-mail address, which nobody else sees; null if you have none.',
    example: 'ann@example.org',
  }),
  pendingEmail: shown(String, {
    nullable: true,
    description: 'The address that waits for the use of the link that was sent there; null if none does.',
    example: 'ann@example.net',
  }),
}) {}
