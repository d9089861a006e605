import { Args, Query, Resolver } from '@nestjs/graphql';
import { Needs } from '../../platform/contract/access.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { PageArgs } from '../../platform/contract/page.inputs.js';
import { BlockUserInput, UnblockUserInput } from './blocks.inputs.js';
import { BlockedUserConnection } from './blocks.model.js';
import { BlocksService } from './blocks.service.js';
import { BLOCK_USER, UNBLOCK_USER } from './blocks.verbs.js';
import { BlocksView } from './blocks.view.js';

@Resolver()
export class BlocksResolver {
  constructor(
    private readonly blocks: BlocksService,
    private readonly view: BlocksView,
  ) {}

  @Needs('profile:read')
  @Query(() => BlockedUserConnection, { description: 'The users whom you block, newest first.' })
  blockedUsers(@SignedIn() viewer: Principal, @Args() page: PageArgs): Promise<BlockedUserConnection> {
    return this.view.made(viewer, page);
  }

  @MutationOf(BLOCK_USER)
  async block(
    @SignedIn() viewer: Principal,
    @InputArg() { username }: BlockUserInput,
  ): Promise<PayloadOf<typeof BLOCK_USER>> {
    return { user: await this.blocks.block(viewer, username) };
  }

  @MutationOf(UNBLOCK_USER)
  async unblock(
    @SignedIn() viewer: Principal,
    @InputArg() { username }: UnblockUserInput,
  ): Promise<PayloadOf<typeof UNBLOCK_USER>> {
    return { user: await this.blocks.unblock(viewer, username) };
  }
}
