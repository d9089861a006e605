import { Controller, Get, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { fileOf } from '../../platform/files.js';
import { MEDIA_TYPE } from './own-data.lines.js';
import { OwnDataService } from './own-data.service.js';

@ApiTags('exports')
@Controller('v1/me/export')
export class OwnDataController {
  constructor(private readonly ownData: OwnDataService) {}

  @Get()
  @ApiOperation({ summary: 'Everything that is yours, as one stream; one at a time' })
  @ApiOkResponse({
    description: 'As docs/formats.md has it: a line for each thing; without the line `end` it is not whole.',
    content: { [MEDIA_TYPE]: { schema: { type: 'string' } } },
  })
  async all(@SignedIn() viewer: Viewer): Promise<StreamableFile> {
    return fileOf(await this.ownData.export(viewer));
  }
}
