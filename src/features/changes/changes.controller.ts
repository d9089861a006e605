import { Controller, Get, Query } from '@nestjs/common';
import { Refuses } from '../../platform/contract/verb.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { ChangesArgs } from './changes.inputs.js';
import { ChangePage } from './changes.model.js';
import { ChangesView } from './changes.view.js';

@ApiTags('changes')
@Controller('v1/changes')
export class ChangesController {
  constructor(private readonly view: ChangesView) {}

  @Needs('games:read')
  @Get()
  @Refuses('INVALID_CURSOR', 'CURSOR_EXPIRED')
  @ApiOperation({
    operationId: 'changes',
    summary: 'The items of your data that changed since the last request, the oldest change first.',
    description: 'Changes that need another scope than the token has are left out.',
  })
  @ApiOkResponse({ type: ChangePage })
  page(@SignedIn() viewer: Principal, @Query() request: ChangesArgs): Promise<ChangePage> {
    return this.view.document(viewer, request);
  }
}
