import { Body, Controller, Delete, Get, Headers, Patch, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { Revalidated, TAG, taggedBody, type Tagged } from '../../platform/http/etag.js';
import { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { Address } from './attempts.js';
import { LoginInput, RefreshInput, RegisterBody, UpdateProfileInput } from './auth.inputs.js';
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
    @Address() address: string,
    @Headers('Idempotency-Key') key?: string,
  ): Promise<RestPayloadOf<typeof REGISTER>> {
    return { session: await this.auth.register(body, key, address) };
  }

  @Post('sessions')
  @RouteOf(LOGIN, 201)
  async login(@Body() body: LoginInput, @Address() address: string): Promise<RestPayloadOf<typeof LOGIN>> {
    return { session: await this.auth.login(body, address) };
  }

  @Post('sessions/refresh')
  @RouteOf(REFRESH)
  async refresh(
    @Body() { refreshToken }: RefreshInput,
    @Address() address: string,
  ): Promise<RestPayloadOf<typeof REFRESH>> {
    return { session: await this.auth.refresh(refreshToken, address) };
  }

  @Delete('sessions/current')
  @RouteOf(LOGOUT)
  async logout(@SignedIn() viewer: Principal): Promise<RestPayloadOf<typeof LOGOUT>> {
    return { ended: await this.auth.logout(viewer) };
  }

  @Delete('sessions')
  @RouteOf(LOGOUT_EVERYWHERE)
  async logoutEverywhere(@SignedIn() viewer: Principal): Promise<RestPayloadOf<typeof LOGOUT_EVERYWHERE>> {
    return { ended: await this.auth.logoutEverywhere(viewer) };
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
    return taggedBody(await this.users.one(viewer.userId));
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
