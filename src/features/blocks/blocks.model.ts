import { ObjectType } from '@nestjs/graphql';
import { Cost } from '../../platform/graphql/cost.js';
import { Shown } from '../../platform/model.js';
import { PageInfo } from '../../platform/page.js';
import { User } from '../users/users.model.js';

@ObjectType({ description: 'A user in a page of those whom you block.' })
export class BlockedUserEdge {
  @Shown(() => String)
  readonly cursor: string;

  @Shown(() => User)
  readonly node: User;
}

@ObjectType({ description: 'A page of users whom you block (Relay).' })
export class BlockedUserConnection {
  @Cost({ list: 'ofParent' })
  @Shown(() => [BlockedUserEdge])
  readonly edges: readonly BlockedUserEdge[];

  @Shown(() => PageInfo)
  readonly pageInfo: PageInfo;
}
