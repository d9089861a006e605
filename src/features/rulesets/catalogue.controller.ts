import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { wholeList } from '../../platform/listed.js';
import { PUBLIC, Revalidated, TAG, taggedBody, type Tagged } from '../../platform/tagged.js';
import { CatalogueService } from './catalogue.service.js';
import { SetupParam, SetupQuery } from './catalogue.inputs.js';
import { Ruleset, RulesetPage, Setup } from './catalogue.model.js';

@ApiTags('rulesets')
@Controller('v1/rulesets')
export class CatalogueController {
  constructor(private readonly catalogue: CatalogueService) {}

  @Get()
  @ApiOperation({ summary: 'The games that can be played here' })
  @ApiOkResponse({ type: RulesetPage })
  all(): RulesetPage {
    return wholeList(this.catalogue.all());
  }

  @Get(':id')
  @ApiOperation({ summary: 'One of them by its id' })
  @ApiOkResponse({ type: Ruleset, headers: TAG })
  @Revalidated()
  one(@Param('id') id: string): Tagged<Ruleset> {
    return taggedBody(this.catalogue.one(id), PUBLIC);
  }

  @Get(':id/setups')
  @ApiOperation({ summary: 'The set-up of a text, with its number' })
  @ApiParam({ name: 'id', type: String, example: 'half-court-chess' })
  @ApiQuery({ name: 'text', type: String, example: 'NQRBK/qbnrk' })
  @ApiOkResponse({ type: Setup })
  setupOfText(@Param('id') id: string, @Query() { text }: SetupQuery): Setup {
    return this.catalogue.setup(id, { text });
  }

  @Get(':id/setups/:number')
  @ApiOperation({ summary: 'The set-up of a number, from 0 to setupCount - 1' })
  @ApiParam({ name: 'id', type: String, example: 'half-court-chess' })
  @ApiParam({ name: 'number', type: 'integer', example: 4242 })
  @ApiOkResponse({ type: Setup })
  setup(@Param() { id, number }: SetupParam): Setup {
    return this.catalogue.setup(id, { number });
  }
}
