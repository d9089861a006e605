import { Args, Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/contract/access.js';
import { User } from './users.model.js';
import { UsersService } from './users.service.js';

@Resolver(() => User)
export class UsersResolver {
  constructor(private readonly users: UsersService) {}

  @Public()
  @Query(() => User, { nullable: true, description: 'The user with this username; null if there is none.' })
  user(
    @Args('username', { description: 'The username, in any case.' }) username: string,
  ): Promise<User | null> {
    return this.users.byUsername(username);
  }
}
