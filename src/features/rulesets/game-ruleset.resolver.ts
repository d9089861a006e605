import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Game } from '../games/games.model.js';
import { CatalogueService } from './catalogue.service.js';
import { Ruleset } from './catalogue.model.js';

@Resolver(() => Game)
export class GameRulesetResolver {
  constructor(private readonly catalogue: CatalogueService) {}

  @ResolveField(() => Ruleset, { description: 'What is played.' })
  ruleset(@Parent() { row }: Game): Ruleset {
    return this.catalogue.one(row.ruleset);
  }
}
