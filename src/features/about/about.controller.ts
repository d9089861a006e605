import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { Server } from './about.model.js';
import { AboutService } from './about.service.js';

@ApiTags('users')
@Controller('v1')
export class AboutController {
  constructor(private readonly about: AboutService) {}

  @Public()
  @Get()
  @ApiOperation({ operationId: 'server', summary: 'The server and who runs it.' })
  @ApiOkResponse({ type: Server })
  server(): Server {
    return this.about.server();
  }
}
