import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Judges a position or a line of moves without a game' })
  @ApiBody({
    type: AnalyseInput,
    examples: { line: { value: LINE }, text: { value: TEXT }, position: { value: POSITION } },
  })
  @ApiOkResponse({ type: Analysis })
  analyse(@Body() input: AnalyseInput): Analysis {
    return this.analyst.analyse(input);
  }
}
