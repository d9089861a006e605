import { Args, Query, Resolver } from '@nestjs/graphql';
import { User } from './users.model.js';
import { UsersService } from './users.service.js';

@Resolver(() => User)
export class UsersResolver {
  constructor(private readonly users: UsersService) {}

  @Query(() => User, { nullable: true, description: 'The public profile; null when nobody has the name.' })
  user(@Args('username') username: string): Promise<User | null> {
    return this.users.byUsername(username);
  }
}
