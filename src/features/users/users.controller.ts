import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { wholeList } from '../../platform/contract/paginated.js';
import { Revalidated, TAG, taggedBody, type Tagged } from '../../platform/http/etag.js';
import { MOST_FOUND, UsersArgs } from './users.inputs.js';
import { User, UserPage } from './users.model.js';
import { UsersService } from './users.service.js';

@ApiTags('users')
@Controller('v1/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Public()
  @Get()
  @ApiOperation({
    operationId: 'users',
    summary: `The users whose username or display name begins so, at most ${MOST_FOUND}.`,
  })
  @ApiOkResponse({ type: UserPage })
  async found(@Query() { prefix }: UsersArgs): Promise<UserPage> {
    return wholeList(await this.users.beginningWith(prefix));
  }

  @Public()
  @Get(':username')
  @ApiOperation({ operationId: 'user', summary: 'The user with this username.' })
  @ApiOkResponse({ type: User, headers: TAG })
  @Revalidated()
  async user(@Param('username') username: string): Promise<Tagged<User>> {
    return taggedBody(await this.users.profile(username, 'username'));
  }
}
