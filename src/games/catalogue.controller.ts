import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Catalogue } from './catalogue.js';
import { Ruleset } from './catalogue.model.js';

@ApiTags('rulesets')
@Controller('v1/rulesets')
export class CatalogueController {
  constructor(private readonly catalogue: Catalogue) {}

  @Get()
  @ApiOperation({ summary: 'The games that can be played here' })
  @ApiOkResponse({ type: [Ruleset] })
  all(): readonly Ruleset[] {
    return this.catalogue.all();
  }

  @Get(':id')
  @ApiOperation({ summary: 'One of them by its id' })
  @ApiOkResponse({ type: Ruleset })
  one(@Param('id') id: string): Ruleset {
    return this.catalogue.one(id);
  }
}
