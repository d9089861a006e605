import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { User } from '../users/users.model.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { BlockedUserConnection } from './blocks.model.js';
import { BlocksService } from './blocks.service.js';
import { BlocksView } from './blocks.view.js';

@Resolver()
export class BlocksResolver {
  constructor(
    private readonly blocks: BlocksService,
    private readonly view: BlocksView,
  ) {}

  @Query(() => BlockedUserConnection, { description: 'Whom you block, newest first.' })
  blockedUsers(@SignedIn() viewer: Viewer, @Args() page: PageArgs): Promise<BlockedUserConnection> {
    return this.view.made(viewer, page);
  }

  @Mutation(() => User, {
    description: 'From now on this user cannot challenge you, accept challenges of yours, or write to you.',
  })
  blockUser(@SignedIn() viewer: Viewer, @Args('username') username: string): Promise<User> {
    return this.blocks.block(viewer, username);
  }

  @Mutation(() => User, { description: 'Takes a block back, if there is one.' })
  unblockUser(@SignedIn() viewer: Viewer, @Args('username') username: string): Promise<User> {
    return this.blocks.unblock(viewer, username);
  }
}
