import { Args, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { ExportArgs } from '../games/export.inputs.js';
import { Game } from '../games/games.model.js';
import { Cost } from '../../platform/contract/cost.js';
import { ExportsService } from './exports.service.js';

@Resolver(() => Game)
export class ExportsResolver {
  constructor(private readonly exports: ExportsService) {}

  @Cost({ fields: 100 })
  @ResolveField(() => String, {
    nullable: true,
    description:
      'The game as text, without plies that were taken back; null when it has not started. Costs 100 fields.',
  })
  export(@Parent() { row }: Game, @Args() args: ExportArgs): Promise<string | null> {
    return this.exports.text(row, args);
  }
}
