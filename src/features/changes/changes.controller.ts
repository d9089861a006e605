import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { ChangesArgs } from './changes.inputs.js';
import { ChangesDocument } from './changes.model.js';
import { ChangesView } from './changes.view.js';

@ApiTags('changes')
@Controller('v1/changes')
export class ChangesController {
  constructor(private readonly view: ChangesView) {}

  @Get()
  @ApiOperation({ summary: 'Everything of yours that has changed since you last asked, the oldest first' })
  @ApiQuery({ name: 'since', type: String, required: false })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'fromNow', type: Boolean, required: false })
  @ApiOkResponse({ type: ChangesDocument })
  page(@SignedIn() viewer: Viewer, @Query() request: ChangesArgs): Promise<ChangesDocument> {
    return this.view.document(viewer, request);
  }
}
