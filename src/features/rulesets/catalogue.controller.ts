import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { wholeList } from '../../platform/contract/paginated.js';
import { PUBLIC, Revalidated, TAG, taggedBody, type Tagged } from '../../platform/http/etag.js';
import { Refuses } from '../../platform/contract/verb.js';
import { RULESET_ID } from './descriptions.js';
import { CatalogueService } from './catalogue.service.js';
import { SETUP_NUMBER, SETUP_TEXT, SetupParam, SetupQuery } from './catalogue.inputs.js';
import { Ruleset, RulesetPage, Setup } from './catalogue.model.js';

@ApiTags('rulesets')
@Controller('v1/rulesets')
export class CatalogueController {
  constructor(private readonly catalogue: CatalogueService) {}

  @Public()
  @Get()
  @ApiOperation({ operationId: 'rulesets', summary: 'The rule sets that games can be played by.' })
  @ApiOkResponse({ type: RulesetPage })
  all(): RulesetPage {
    return wholeList(this.catalogue.all());
  }

  @Public()
  @Get(':id')
  @ApiOperation({ operationId: 'ruleset', summary: 'A rule set by its id.' })
  @ApiOkResponse({ type: Ruleset, headers: TAG })
  @Revalidated()
  one(@Param('id') id: string): Tagged<Ruleset> {
    return taggedBody(this.catalogue.one(id), PUBLIC);
  }

  @Public()
  @Get(':id/setups')
  @Refuses('INVALID_SETUP')
  @ApiOperation({ operationId: 'setupByText', summary: 'A set-up by its text.' })
  @ApiParam({ name: 'id', type: String, description: RULESET_ID, example: 'half-court-chess' })
  @ApiQuery({ name: 'text', type: String, description: SETUP_TEXT, example: 'NQRBK/qbnrk' })
  @ApiOkResponse({ type: Setup })
  setupOfText(@Param('id') id: string, @Query() { text }: SetupQuery): Setup {
    return this.catalogue.setup(id, { text });
  }

  @Public()
  @Get(':id/setups/:number')
  @Refuses('INVALID_SETUP')
  @ApiOperation({ operationId: 'setup', summary: 'A set-up by its number.' })
  @ApiParam({ name: 'id', type: String, description: RULESET_ID, example: 'half-court-chess' })
  @ApiParam({ name: 'number', type: 'integer', description: SETUP_NUMBER, example: 4242 })
  @ApiOkResponse({ type: Setup })
  setup(@Param() { id, number }: SetupParam): Setup {
    return this.catalogue.setup(id, { number });
  }
}
