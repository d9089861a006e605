import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { EmailsService } from './emails.service.js';
import { RecoveriesService } from './recoveries.service.js';
import {
  ChangeEmailInput,
  CompleteRecoveryInput,
  RequestRecoveryInput,
  VerifyEmailInput,
} from './recovery.inputs.js';
import { Account } from './recovery.model.js';
import { CHANGE_EMAIL, COMPLETE_RECOVERY, REQUEST_RECOVERY, VERIFY_EMAIL } from './recovery.verbs.js';

@ApiTags('auth')
@Controller('v1')
export class RecoveryController {
  constructor(
    private readonly emails: EmailsService,
    private readonly recoveries: RecoveriesService,
  ) {}

  @Needs('account')
  @Get('me/account')
  @ApiOperation({ operationId: 'myAccount', summary: 'What only you see of your account.' })
  @ApiOkResponse({ type: Account })
  myAccount(@SignedIn() viewer: Principal): Promise<Account> {
    return this.emails.of(viewer);
  }

  @Put('me/email')
  @RouteOf(CHANGE_EMAIL)
  async changeEmail(
    @SignedIn() viewer: Principal,
    @Body() { email }: ChangeEmailInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof CHANGE_EMAIL>> {
    return { account: await this.emails.change(viewer, email ?? null, client) };
  }

  @Post('email-verifications')
  @RouteOf(VERIFY_EMAIL)
  async verifyEmail(@Body() { token }: VerifyEmailInput): Promise<RestPayloadOf<typeof VERIFY_EMAIL>> {
    return { email: await this.emails.verify(token) };
  }

  @Post('recoveries')
  @RouteOf(REQUEST_RECOVERY, 202)
  async requestRecovery(
    @Body() { usernameOrEmail }: RequestRecoveryInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof REQUEST_RECOVERY>> {
    await this.recoveries.request(usernameOrEmail, client);
    return { accepted: true };
  }

  @Post('recoveries/complete')
  @RouteOf(COMPLETE_RECOVERY)
  async completeRecovery(
    @Body() { token, password }: CompleteRecoveryInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof COMPLETE_RECOVERY>> {
    return { user: await this.recoveries.complete(token, password, client) };
  }
}
