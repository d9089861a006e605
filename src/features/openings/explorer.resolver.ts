import { Args, Query, Resolver } from '@nestjs/graphql';
import { ExplorerArgs } from './explorer.inputs.js';
import { Explorer } from './explorer.model.js';
import { ExplorerService } from './explorer.service.js';

@Resolver(() => Explorer)
export class ExplorerResolver {
  constructor(private readonly explorer: ExplorerService) {}

  @Query(() => Explorer, {
    name: 'explorer',
    description:
      'The moves that were played after these, and how the games went. A game counts soon after its end.',
  })
  explore(@Args() line: ExplorerArgs): Promise<Explorer> {
    return this.explorer.explore(line);
  }
}
