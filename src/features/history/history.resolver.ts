import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { GamesArgs, HeadArgs, HeadToHeadArgs, OpponentsArgs, StatisticsArgs } from './history.inputs.js';
import { GameSearch, HeadToHead, Opponent, Statistics } from './history.model.js';
import { Cost } from '../../platform/graphql/cost.js';
import { HistoryView, type FoundGames } from './history.view.js';

@Resolver(() => HeadToHead)
export class HistoryResolver {
  constructor(private readonly view: HistoryView) {}

  @Query(() => GameSearch, { description: 'All games that there are, or those that are looked for.' })
  games(@Args() { filter, orderBy, ...page }: GamesArgs): Promise<FoundGames> {
    return this.view.search(filter ?? {}, orderBy ?? {}, page);
  }

  @Query(() => Statistics, { description: 'What the finished games of a player add up to.' })
  statistics(@Args() { username, ruleset }: StatisticsArgs): Promise<Statistics> {
    return this.view.statistics(username, ruleset ?? null);
  }

  @Cost({ list: 'own' })
  @Query(() => [Opponent], { description: 'Whom a player has finished the most games with; 20 by default.' })
  opponents(@Args() { username, first }: OpponentsArgs): Promise<readonly Opponent[]> {
    return this.view.opponents(username, first);
  }

  @Query(() => HeadToHead, { description: 'What two players have played against each other.' })
  headToHead(@Args() { a, b, ruleset }: HeadToHeadArgs): Promise<HeadToHead> {
    return this.view.headToHead(a, b, ruleset ?? null);
  }

  @ResolveField(() => GameSearch, { description: 'The last finished ones, the newest first; 5 by default.' })
  lastGames(@Parent() found: HeadToHead, @Args() { first }: HeadArgs): Promise<FoundGames> {
    return this.view.lastGames(found, first);
  }
}
