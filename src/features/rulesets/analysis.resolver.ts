import { Args, Query, Resolver } from '@nestjs/graphql';
import { AnalyseInput } from './analysis.inputs.js';
import { Analysis } from './analysis.model.js';
import { AnalysisService } from './analysis.service.js';

@Resolver(() => Analysis)
export class AnalysisResolver {
  constructor(private readonly analyst: AnalysisService) {}

  @Query(() => Analysis, {
    description: 'Judges a position or a line of moves without a game; nobody has to be signed in.',
  })
  analyse(@Args('input') input: AnalyseInput): Analysis {
    return this.analyst.analyse(input);
  }
}
