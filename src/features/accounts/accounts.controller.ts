import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { CloseAccountInput } from './accounts.inputs.js';
import { AccountsService } from './accounts.service.js';
import { CLOSE_ACCOUNT } from './accounts.verbs.js';

@ApiTags('auth')
@Controller('v1/me')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Post('close')
  @RouteOf(CLOSE_ACCOUNT)
  async close(
    @SignedIn() viewer: Principal,
    @Body() { password }: CloseAccountInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof CLOSE_ACCOUNT>> {
    return { user: await this.accounts.close(viewer, password, client) };
  }
}
