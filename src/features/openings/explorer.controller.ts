import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { Refuses } from '../../platform/contract/verb.js';
import {
  EXPLORED_MOVES,
  EXPLORED_RULESET,
  EXPLORED_SETUP,
  ExplorerParam,
  ExplorerQuery,
} from './explorer.inputs.js';
import { Explorer } from './explorer.model.js';
import { ExplorerService } from './explorer.service.js';

@ApiTags('history')
@Controller('v1/rulesets')
export class ExplorerController {
  constructor(private readonly explorer: ExplorerService) {}

  @Public()
  @Get(':ruleset/explorer')
  @Refuses('INVALID_SETUP', 'GAME_OVER', 'ILLEGAL_MOVE')
  @ApiOperation({
    operationId: 'explorer',
    summary: 'The moves played in a position, with the results of their games.',
  })
  @ApiParam({ name: 'ruleset', type: String, description: EXPLORED_RULESET, example: 'chess' })
  @ApiQuery({ name: 'setup', type: String, required: false, description: EXPLORED_SETUP })
  @ApiQuery({
    name: 'moves',
    type: String,
    required: false,
    description: `${EXPLORED_MOVES} Separated by commas, as in e2e4,e7e5.`,
  })
  @ApiOkResponse({ type: Explorer })
  explore(@Param() { ruleset }: ExplorerParam, @Query() line: ExplorerQuery): Promise<Explorer> {
    return this.explorer.explore({ ruleset, ...line });
  }
}
