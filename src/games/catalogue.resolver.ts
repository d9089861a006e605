import { Args, Query, Resolver } from '@nestjs/graphql';
import { Catalogue } from './catalogue.js';
import { Ruleset } from './catalogue.model.js';

@Resolver(() => Ruleset)
export class CatalogueResolver {
  constructor(private readonly catalogue: Catalogue) {}

  @Query(() => [Ruleset], { description: 'The games that can be played here.' })
  rulesets(): readonly Ruleset[] {
    return this.catalogue.all();
  }

  @Query(() => Ruleset, { description: 'One of them by its id.' })
  ruleset(@Args('id') id: string): Ruleset {
    return this.catalogue.one(id);
  }
}
