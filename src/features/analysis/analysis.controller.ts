import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { Refuses } from '../../platform/contract/verb.js';
import { AnalyseInput } from './analysis.inputs.js';
import { Analysis } from './analysis.model.js';
import { AnalysisService } from './analysis.service.js';

const LINE = { ruleset: 'chess', moves: [{ move: 'e2e4' }, { move: 'e7e5' }] };
const TEXT = { ruleset: 'chess', text: '1. e4 e5 2. Nf3' };
const POSITION = { ruleset: 'chess', position: '8/8/8/8/8/5k2/5p2/5K2 w - - 0 1' };

@ApiTags('analysis')
@Controller('v1/analyse')
export class AnalysisController {
  constructor(private readonly analyst: AnalysisService) {}

  @Public()
  @Post()
  @HttpCode(200)
  @Refuses(
    'INVALID_RULESET',
    'INVALID_OPTIONS',
    'INVALID_POSITION',
    'INVALID_SETUP',
    'INVALID_REVEAL',
    'INVALID_GAME_TEXT',
    'GAME_OVER',
    'ILLEGAL_MOVE',
  )
  @ApiOperation({
    operationId: 'analyse',
    summary: 'An analysis of a position or a line of moves by the rules, without a game.',
  })
  @ApiBody({
    type: AnalyseInput,
    examples: { line: { value: LINE }, text: { value: TEXT }, position: { value: POSITION } },
  })
  @ApiOkResponse({ type: Analysis })
  analyse(@Body() input: AnalyseInput): Analysis {
    return this.analyst.analyse(input);
  }
}
