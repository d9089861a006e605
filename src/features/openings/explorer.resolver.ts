import { Args, Query, Resolver } from '@nestjs/graphql';
import { ExplorerArgs } from './explorer.inputs.js';
import { Explorer } from './explorer.model.js';
import { Cost } from '../../platform/graphql/cost.js';
import { ExplorerService } from './explorer.service.js';

@Resolver(() => Explorer)
export class ExplorerResolver {
  constructor(private readonly explorer: ExplorerService) {}

  // A line of moves judged, and the moves that follow shown.
  @Cost({ fields: 500 })
  @Query(() => Explorer, {
    name: 'explorer',
    description:
      'The moves that were played after these, and how the games went. A game counts soon after its end.',
  })
  explore(@Args() line: ExplorerArgs): Promise<Explorer> {
    return this.explorer.explore(line);
  }
}
