import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { Address } from './attempts.js';
import { LoginInput, RefreshInput, Registration, UpdateProfileInput } from './auth.inputs.js';
import { AuthPayload, EndedSessions } from './auth.model.js';
import { AuthService } from './auth.service.js';
import { SignedIn, type Viewer } from './viewer.js';

@ApiTags('auth')
@Controller('v1')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly users: UsersService,
  ) {}

  @Post('users')
  @ApiOperation({ summary: 'Makes an account and opens its first session.' })
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'Sent again, it registers once.' })
  @ApiCreatedResponse({ type: AuthPayload })
  register(
    @Body() body: Registration,
    @Address() address: string,
    @Headers('Idempotency-Key') key?: string,
  ): Promise<AuthPayload> {
    return this.auth.register(body, key, address);
  }

  @Post('sessions')
  @ApiOperation({ summary: 'Opens a session.' })
  @ApiCreatedResponse({ type: AuthPayload })
  login(@Body() body: LoginInput, @Address() address: string): Promise<AuthPayload> {
    return this.auth.login(body, address);
  }

  @Post('sessions/refresh')
  @HttpCode(200)
  @ApiOperation({ summary: 'Renews a session: a refresh token works once, its second use ends the session.' })
  @ApiOkResponse({ type: AuthPayload })
  refresh(@Body() body: RefreshInput, @Address() address: string): Promise<AuthPayload> {
    return this.auth.refresh(body.refreshToken, address);
  }

  @Delete('sessions/current')
  @HttpCode(204)
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Ends the session that asks.' })
  @ApiNoContentResponse()
  async logout(@SignedIn() viewer: Viewer): Promise<void> {
    await this.auth.logout(viewer);
  }

  @Delete('sessions')
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Ends all sessions of the user.' })
  @ApiOkResponse({ type: EndedSessions })
  logoutEverywhere(@SignedIn() viewer: Viewer): Promise<EndedSessions> {
    return this.auth.logoutEverywhere(viewer);
  }

  @Get('me')
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Who asks.' })
  @ApiOkResponse({ type: User })
  me(@SignedIn() viewer: Viewer): Promise<User> {
    return this.users.byId(viewer.userId);
  }

  @Patch('me')
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Changes what others see of the user.' })
  @ApiOkResponse({ type: User })
  updateProfile(@SignedIn() viewer: Viewer, @Body() body: UpdateProfileInput): Promise<User> {
    return this.users.update(viewer.userId, body);
  }
}
