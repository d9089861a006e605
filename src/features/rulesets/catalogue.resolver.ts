import { Args, ID, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/contract/access.js';
import { Cost } from '../../platform/contract/cost.js';
import { UrlScalar } from '../../platform/contract/scalars.js';
import { CatalogueService } from './catalogue.service.js';
import { RULESET_ID } from './descriptions.js';
import { SetupArgs } from './catalogue.inputs.js';
import { ALL_RULESETS, BOARD_URL, Ruleset, Setup } from './catalogue.model.js';

@Resolver(() => Ruleset)
export class CatalogueResolver {
  constructor(private readonly catalogue: CatalogueService) {}

  @Cost(ALL_RULESETS)
  @Public()
  @Query(() => [Ruleset], { description: 'The rule sets that games can be played by.' })
  rulesets(): readonly Ruleset[] {
    return this.catalogue.all();
  }

  @Public()
  @Query(() => Ruleset, { nullable: true, description: 'A rule set by its id; null for an unknown id.' })
  ruleset(@Args('id', { type: () => ID, description: RULESET_ID }) id: string): Ruleset | null {
    return this.catalogue.found(id);
  }

  /** A rule set may come from another answer, which knows no addresses. */
  @ResolveField(() => UrlScalar, { description: BOARD_URL })
  boardUrl({ id }: Ruleset): string {
    return this.catalogue.boardUrl(id);
  }

  @Public()
  @Query(() => Setup, {
    description: 'A set-up of a rule set that draws one, by its number or its text.',
  })
  setup(@Args() { ruleset, ...asked }: SetupArgs): Setup {
    return this.catalogue.setup(ruleset, asked, 'ruleset');
  }
}
