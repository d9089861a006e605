import { Needs } from '../../platform/contract/access.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { Query, Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import {
  ChangePasswordInput,
  ConfirmPasswordInput,
  EndSessionInput,
  EndSessionsInput,
  LoginInput,
  RefreshInput,
  RegisterInput,
  UpdateProfileInput,
} from './auth.inputs.js';
import { OpenedSession } from './auth.model.js';
import { AuthService } from './auth.service.js';
import {
  CHANGE_PASSWORD,
  CONFIRM_PASSWORD,
  CREATE_STREAM_TICKET,
  END_SESSION,
  END_SESSIONS,
  LOGIN,
  LOGOUT,
  REFRESH,
  REGISTER,
  UPDATE_PROFILE,
} from './auth.verbs.js';
import { type ClientOf, OfClient } from './device.js';
import { SignedIn, type Principal } from './principal.js';
import { MOST_LISTED } from './sessions.js';
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
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof REGISTER>> {
    return { session: await this.auth.register(input, input.idempotencyKey, client) };
  }

  @MutationOf(LOGIN)
  async login(@InputArg() input: LoginInput, @OfClient() client: ClientOf): Promise<PayloadOf<typeof LOGIN>> {
    return { session: await this.auth.login(input, client) };
  }

  @MutationOf(REFRESH)
  async refresh(
    @InputArg() { refreshToken }: RefreshInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof REFRESH>> {
    return { session: await this.auth.refresh(refreshToken, client) };
  }

  @MutationOf(LOGOUT)
  async logout(@SignedIn() viewer: Principal): Promise<PayloadOf<typeof LOGOUT>> {
    return { ended: await this.auth.logout(viewer) };
  }

  @Cost(rowsAtMost(MOST_LISTED))
  @Needs('account')
  @Query(() => [OpenedSession], {
    description: 'Your open sessions, the one opened last first; at most 100.',
  })
  mySessions(@SignedIn() viewer: Principal): Promise<readonly OpenedSession[]> {
    return this.auth.sessionsOf(viewer);
  }

  @MutationOf(END_SESSION)
  async endSession(
    @SignedIn() viewer: Principal,
    @InputArg() { id }: EndSessionInput,
  ): Promise<PayloadOf<typeof END_SESSION>> {
    return { ended: await this.auth.endSession(viewer, id) };
  }

  @MutationOf(END_SESSIONS)
  async endSessions(
    @SignedIn() viewer: Principal,
    @InputArg() { all }: EndSessionsInput,
  ): Promise<PayloadOf<typeof END_SESSIONS>> {
    return { ended: await this.auth.endSessions(viewer, all === true) };
  }

  @MutationOf(CONFIRM_PASSWORD)
  async confirmPassword(
    @SignedIn() viewer: Principal,
    @InputArg() { password }: ConfirmPasswordInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof CONFIRM_PASSWORD>> {
    return { confirmedUntil: await this.auth.confirm(viewer, password, client) };
  }

  @MutationOf(CHANGE_PASSWORD)
  async changePassword(
    @SignedIn() viewer: Principal,
    @InputArg() input: ChangePasswordInput,
    @OfClient() client: ClientOf,
  ): Promise<PayloadOf<typeof CHANGE_PASSWORD>> {
    return { ended: await this.auth.changePassword(viewer, input, client) };
  }

  @MutationOf(CREATE_STREAM_TICKET)
  async createStreamTicket(@SignedIn() viewer: Principal): Promise<PayloadOf<typeof CREATE_STREAM_TICKET>> {
    return { ticket: await this.tickets.issue(viewer) };
  }

  @Needs('profile:read')
  @Query(() => User, { description: 'Your own user.' })
  me(@SignedIn() viewer: Principal): Promise<User> {
    return this.users.person(viewer.userId);
  }

  @MutationOf(UPDATE_PROFILE)
  async updateProfile(
    @SignedIn() viewer: Principal,
    @InputArg() input: UpdateProfileInput,
  ): Promise<PayloadOf<typeof UPDATE_PROFILE>> {
    return { user: await this.users.update(viewer.userId, input) };
  }
}
