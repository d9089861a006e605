import { Controller, Get, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { fileOf } from '../../platform/http/files.js';
import { MEDIA_TYPE } from './own-data.lines.js';
import { OwnDataService } from './own-data.service.js';

export const OWN_DATA = {
  description: 'Lines of JSON as described in docs/formats.md; complete only with its last line, `end`.',
  content: { [MEDIA_TYPE]: { schema: { type: 'string' } } },
};

@ApiTags('exports')
@Controller('v1/me/export')
export class OwnDataController {
  constructor(private readonly ownData: OwnDataService) {}

  @Needs('exports')
  @Get()
  @ApiOperation({
    operationId: 'exportOwnData',
    summary: 'All data of your account, as one stream; one export at a time.',
  })
  @ApiOkResponse(OWN_DATA)
  async all(@SignedIn() viewer: Principal): Promise<StreamableFile> {
    return fileOf(await this.ownData.export(viewer));
  }
}
