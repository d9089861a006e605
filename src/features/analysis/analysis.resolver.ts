import { Args, Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/contract/access.js';
import { Cost, type SentArguments } from '../../platform/contract/cost.js';
import { AnalyseInput, MOST_ANALYSED } from './analysis.inputs.js';
import { Analysis } from './analysis.model.js';
import { AnalysisService } from './analysis.service.js';

/** The cost of judging one move, in fields. */
const JUDGING_COST = 3;

/** The number of moves sent; the maximum if that cannot be seen. */
function movesSent({ input }: SentArguments): number {
  if (typeof input !== 'object' || input === null) return MOST_ANALYSED;
  const { moves, text } = input as { readonly moves?: unknown; readonly text?: unknown };
  if (typeof text === 'string') return Math.min(wordsIn(text), MOST_ANALYSED);
  if (moves == null) return 0;
  return Array.isArray(moves) ? Math.min(moves.length, MOST_ANALYSED) : 1;
}

/** The number of words, an upper bound of the number of moves. */
const wordsIn = (text: string): number => text.match(/[^\s{}()[\];$]+/g)?.length ?? 0;

@Resolver(() => Analysis)
export class AnalysisResolver {
  constructor(private readonly analyst: AnalysisService) {}

  @Cost({ rows: movesSent, perRow: JUDGING_COST })
  @Public()
  @Query(() => Analysis, {
    description:
      'An analysis of a position or a line of moves by the rules, without a game. Costs 3 fields for each move.',
  })
  analyse(
    @Args('input', { description: 'The position or the line to analyse.' }) input: AnalyseInput,
  ): Analysis {
    return this.analyst.analyse(input);
  }
}
