import { Body, Controller, Delete, Get, Headers, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { wholeList } from '../../platform/contract/paginated.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { Revalidated, TAG, taggedBody, type Tagged } from '../../platform/http/etag.js';
import { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import {
  ChangePasswordInput,
  ConfirmPasswordInput,
  EndSessionInput,
  EndSessionsInput,
  LoginInput,
  RefreshInput,
  RegisterBody,
  UpdateProfileInput,
} from './auth.inputs.js';
import { OpenedSessionPage } from './auth.model.js';
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
import { StreamTickets } from './stream-tickets.js';

@ApiTags('auth')
@Controller('v1')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly users: UsersService,
    private readonly tickets: StreamTickets,
  ) {}

  @Post('users')
  @RouteOf(REGISTER, 201)
  async register(
    @Body() body: RegisterBody,
    @OfClient() client: ClientOf,
    @Headers('Idempotency-Key') key?: string,
  ): Promise<RestPayloadOf<typeof REGISTER>> {
    return { session: await this.auth.register(body, key, client) };
  }

  @Post('sessions')
  @RouteOf(LOGIN, 201)
  async login(@Body() body: LoginInput, @OfClient() client: ClientOf): Promise<RestPayloadOf<typeof LOGIN>> {
    return { session: await this.auth.login(body, client) };
  }

  @Post('sessions/refresh')
  @RouteOf(REFRESH)
  async refresh(
    @Body() { refreshToken }: RefreshInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof REFRESH>> {
    return { session: await this.auth.refresh(refreshToken, client) };
  }

  @Needs('account')
  @Get('me/sessions')
  @ApiOperation({ operationId: 'mySessions', summary: 'Your open sessions, the one opened last first.' })
  @ApiOkResponse({ type: OpenedSessionPage })
  async mySessions(@SignedIn() viewer: Principal): Promise<OpenedSessionPage> {
    return wholeList(await this.auth.sessionsOf(viewer));
  }

  @Delete('me/sessions/current')
  @RouteOf(LOGOUT)
  async logout(@SignedIn() viewer: Principal): Promise<RestPayloadOf<typeof LOGOUT>> {
    return { ended: await this.auth.logout(viewer) };
  }

  @Delete('me/sessions/:id')
  @RouteOf(END_SESSION)
  async endSession(
    @SignedIn() viewer: Principal,
    @Param() { id }: EndSessionInput,
  ): Promise<RestPayloadOf<typeof END_SESSION>> {
    return { ended: await this.auth.endSession(viewer, id) };
  }

  @Delete('me/sessions')
  @RouteOf(END_SESSIONS)
  async endSessions(
    @SignedIn() viewer: Principal,
    @Query() { all }: EndSessionsInput,
  ): Promise<RestPayloadOf<typeof END_SESSIONS>> {
    return { ended: await this.auth.endSessions(viewer, all === true) };
  }

  @Post('me/confirmations')
  @RouteOf(CONFIRM_PASSWORD)
  async confirmPassword(
    @SignedIn() viewer: Principal,
    @Body() { password }: ConfirmPasswordInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof CONFIRM_PASSWORD>> {
    return { confirmedUntil: await this.auth.confirm(viewer, password, client) };
  }

  @Put('me/password')
  @RouteOf(CHANGE_PASSWORD)
  async changePassword(
    @SignedIn() viewer: Principal,
    @Body() body: ChangePasswordInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof CHANGE_PASSWORD>> {
    return { ended: await this.auth.changePassword(viewer, body, client) };
  }

  @Post('stream-tickets')
  @RouteOf(CREATE_STREAM_TICKET, 201)
  async createStreamTicket(
    @SignedIn() viewer: Principal,
  ): Promise<RestPayloadOf<typeof CREATE_STREAM_TICKET>> {
    return { ticket: await this.tickets.issue(viewer) };
  }

  @Needs('profile:read')
  @Get('me')
  @ApiOperation({ operationId: 'me', summary: 'Your own user.' })
  @ApiOkResponse({ type: User, headers: TAG })
  @Revalidated()
  async me(@SignedIn() viewer: Principal): Promise<Tagged<User>> {
    return taggedBody(await this.users.person(viewer.userId));
  }

  @Patch('me')
  @RouteOf(UPDATE_PROFILE)
  async updateProfile(
    @SignedIn() viewer: Principal,
    @Body() body: UpdateProfileInput,
  ): Promise<RestPayloadOf<typeof UPDATE_PROFILE>> {
    return { user: await this.users.update(viewer.userId, body) };
  }
}
