import { Args, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { Address } from './attempts.js';
import { LoginInput, RegisterInput, UpdateProfileInput } from './auth.inputs.js';
import { AuthPayload } from './auth.model.js';
import { AuthService } from './auth.service.js';
import { SignedIn, type Viewer } from './viewer.js';

@Resolver()
export class AuthResolver {
  constructor(
    private readonly auth: AuthService,
    private readonly users: UsersService,
  ) {}

  @Mutation(() => AuthPayload, { description: 'Makes an account and opens its first session.' })
  register(@Args('input') input: RegisterInput, @Address() address: string): Promise<AuthPayload> {
    return this.auth.register(input, input.idempotencyKey, address);
  }

  @Mutation(() => AuthPayload, { description: 'Opens a session.' })
  login(@Args('input') input: LoginInput, @Address() address: string): Promise<AuthPayload> {
    return this.auth.login(input, address);
  }

  @Mutation(() => AuthPayload, {
    description: 'Renews a session: a refresh token works once, and its second use ends the session.',
  })
  refresh(@Args('refreshToken') refreshToken: string, @Address() address: string): Promise<AuthPayload> {
    return this.auth.refresh(refreshToken, address);
  }

  @Mutation(() => Boolean, { description: 'Ends the session that asks.' })
  logout(@SignedIn() viewer: Viewer): Promise<boolean> {
    return this.auth.logout(viewer);
  }

  @Mutation(() => Int, { description: 'Ends all sessions of the user and says how many there were.' })
  async logoutEverywhere(@SignedIn() viewer: Viewer): Promise<number> {
    return (await this.auth.logoutEverywhere(viewer)).ended;
  }

  @Query(() => User, { description: 'Who asks.' })
  me(@SignedIn() viewer: Viewer): Promise<User> {
    return this.users.byId(viewer.userId);
  }

  @Mutation(() => User, { description: 'Changes what others see of the user.' })
  updateProfile(@SignedIn() viewer: Viewer, @Args('input') input: UpdateProfileInput): Promise<User> {
    return this.users.update(viewer.userId, input);
  }
}
