import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { User } from './users.model.js';
import { UsersService } from './users.service.js';

@ApiTags('users')
@Controller('v1/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get(':username')
  @ApiOperation({ summary: 'The public profile of a user.' })
  @ApiOkResponse({ type: User })
  user(@Param('username') username: string): Promise<User> {
    return this.users.profile(username);
  }
}
