import { Needs } from '../../platform/contract/access.js';
import { Query, Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { Address } from './attempts.js';
import { LoginInput, RefreshInput, RegisterInput, UpdateProfileInput } from './auth.inputs.js';
import { AuthService } from './auth.service.js';
import {
  CREATE_STREAM_TICKET,
  LOGIN,
  LOGOUT,
  LOGOUT_EVERYWHERE,
  REFRESH,
  REGISTER,
  UPDATE_PROFILE,
} from './auth.verbs.js';
import { SignedIn, type Principal } from './principal.js';
import { StreamTickets } from './stream-tickets.js';

@Resolver()
export class AuthResolver {
  constructor(
    private readonly auth: AuthService,
    private readonly users: UsersService,
    private readonly tickets: StreamTickets,
  ) {}

  @MutationOf(REGISTER)
  async register(
    @InputArg() input: RegisterInput,
    @Address() address: string,
  ): Promise<PayloadOf<typeof REGISTER>> {
    return { session: await this.auth.register(input, input.idempotencyKey, address) };
  }

  @MutationOf(LOGIN)
  async login(@InputArg() input: LoginInput, @Address() address: string): Promise<PayloadOf<typeof LOGIN>> {
    return { session: await this.auth.login(input, address) };
  }

  @MutationOf(REFRESH)
  async refresh(
    @InputArg() { refreshToken }: RefreshInput,
    @Address() address: string,
  ): Promise<PayloadOf<typeof REFRESH>> {
    return { session: await this.auth.refresh(refreshToken, address) };
  }

  @MutationOf(LOGOUT)
  async logout(@SignedIn() viewer: Principal): Promise<PayloadOf<typeof LOGOUT>> {
    return { ended: await this.auth.logout(viewer) };
  }

  @MutationOf(LOGOUT_EVERYWHERE)
  async logoutEverywhere(@SignedIn() viewer: Principal): Promise<PayloadOf<typeof LOGOUT_EVERYWHERE>> {
    return { ended: await this.auth.logoutEverywhere(viewer) };
  }

  @MutationOf(CREATE_STREAM_TICKET)
  async createStreamTicket(@SignedIn() viewer: Principal): Promise<PayloadOf<typeof CREATE_STREAM_TICKET>> {
    return { ticket: await this.tickets.issue(viewer) };
  }

  @Needs('profile:read')
  @Query(() => User, { description: 'Your own user.' })
  me(@SignedIn() viewer: Principal): Promise<User> {
    return this.users.one(viewer.userId);
  }

  @MutationOf(UPDATE_PROFILE)
  async updateProfile(
    @SignedIn() viewer: Principal,
    @InputArg() input: UpdateProfileInput,
  ): Promise<PayloadOf<typeof UPDATE_PROFILE>> {
    return { user: await this.users.update(viewer.userId, input) };
  }
}
