import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Address } from '../auth/attempts.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { CloseAccountInput } from './accounts.inputs.js';
import { AccountsService } from './accounts.service.js';

@ApiTags('auth')
@ApiBearerAuth()
@Controller('v1/me')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Post('close')
  @HttpCode(204)
  @ApiOperation({
    summary:
      'Closes your account for good: running games are resigned, and all games stay, under closed-account.',
  })
  @ApiNoContentResponse()
  async close(
    @SignedIn() viewer: Viewer,
    @Body() { password }: CloseAccountInput,
    @Address() address: string,
  ): Promise<void> {
    await this.accounts.close(viewer, password, address);
  }
}
