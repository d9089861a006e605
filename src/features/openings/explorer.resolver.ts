import { Args, Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/contract/access.js';
import { ExplorerArgs } from './explorer.inputs.js';
import { Explorer } from './explorer.model.js';
import { Cost } from '../../platform/contract/cost.js';
import { ExplorerService } from './explorer.service.js';

@Resolver(() => Explorer)
export class ExplorerResolver {
  constructor(private readonly explorer: ExplorerService) {}

  // Judges a line of moves and lists the moves that follow.
  @Cost({ fields: 500 })
  @Public()
  @Query(() => Explorer, {
    name: 'explorer',
    description:
      'The moves played in a position, with the results of their games. A game counts soon after its end. Costs 500 fields.',
  })
  explore(@Args() line: ExplorerArgs): Promise<Explorer> {
    return this.explorer.explore(line);
  }
}
