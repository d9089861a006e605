import { Args, Query, Resolver } from '@nestjs/graphql';
import { Cost } from '../../platform/graphql/cost.js';
import { CatalogueService } from './catalogue.service.js';
import { SetupArgs } from './catalogue.inputs.js';
import { ALL_RULESETS, Ruleset, Setup } from './catalogue.model.js';

@Resolver(() => Ruleset)
export class CatalogueResolver {
  constructor(private readonly catalogue: CatalogueService) {}

  @Cost(ALL_RULESETS)
  @Query(() => [Ruleset], { description: 'The games that can be played here.' })
  rulesets(): readonly Ruleset[] {
    return this.catalogue.all();
  }

  @Query(() => Ruleset, { description: 'One of them by its id.' })
  ruleset(@Args('id') id: string): Ruleset {
    return this.catalogue.one(id);
  }

  @Query(() => Setup, {
    description: 'An opening of a rule set that draws one, by its number or by its text.',
  })
  setup(@Args() { ruleset, ...asked }: SetupArgs): Setup {
    return this.catalogue.setup(ruleset, asked);
  }
}
