import { ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/contract/connection.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { model } from '../../platform/contract/model.js';
import { User } from '../users/users.model.js';

@ObjectType({ description: 'A page of the users whom you block.' })
export class BlockedUserConnection extends model(
  connectionOf(User, 'A blocked user on a page.', {
    edgeName: 'BlockedUserEdge',
  }),
) {}

/** The same in REST. */
export class BlockedUserPage extends model(pageFields(User)) {}
