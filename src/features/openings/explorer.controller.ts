import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { ExplorerParam, ExplorerQuery } from './explorer.inputs.js';
import { Explorer } from './explorer.model.js';
import { ExplorerService } from './explorer.service.js';

@ApiTags('history')
@Controller('v1/rulesets')
export class ExplorerController {
  constructor(private readonly explorer: ExplorerService) {}

  @Get(':ruleset/explorer')
  @ApiOperation({ summary: 'The moves that were played after these, and how the games went' })
  @ApiParam({ name: 'ruleset', type: String, example: 'chess' })
  @ApiQuery({ name: 'setup', type: String, required: false })
  @ApiQuery({
    name: 'moves',
    type: String,
    required: false,
    description: 'With commas between, as e2e4,e7e5.',
  })
  @ApiOkResponse({ type: Explorer })
  explore(@Param() { ruleset }: ExplorerParam, @Query() line: ExplorerQuery): Promise<Explorer> {
    return this.explorer.explore({ ruleset, ...line });
  }
}
