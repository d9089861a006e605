import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { Revalidated, TAG, taggedBody, type Tagged } from '../../platform/http/etag.js';
import { User } from './users.model.js';
import { UsersService } from './users.service.js';

@ApiTags('users')
@Controller('v1/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Public()
  @Get(':username')
  @ApiOperation({ operationId: 'user', summary: 'The user with this username.' })
  @ApiOkResponse({ type: User, headers: TAG })
  @Revalidated()
  async user(@Param('username') username: string): Promise<Tagged<User>> {
    return taggedBody(await this.users.profile(username, 'username'));
  }
}
