import { Args, Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/contract/access.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { MOST_FOUND, UsersArgs } from './users.inputs.js';
import { User } from './users.model.js';
import { UsersService } from './users.service.js';

@Resolver(() => User)
export class UsersResolver {
  constructor(private readonly service: UsersService) {}

  @Public()
  @Query(() => User, { nullable: true, description: 'The user with this username; null if there is none.' })
  user(
    @Args('username', { description: 'The username, in any case.' }) username: string,
  ): Promise<User | null> {
    return this.service.byUsername(username);
  }

  @Public()
  @Cost(rowsAtMost(MOST_FOUND))
  @Query(() => [User], {
    description: `The users whose username or display name begins so, at most ${MOST_FOUND}: first those by username, each in the order of usernames.`,
  })
  users(@Args() { prefix }: UsersArgs): Promise<readonly User[]> {
    return this.service.beginningWith(prefix);
  }
}
