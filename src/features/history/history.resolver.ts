import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { GamesArgs, HeadToHeadArgs, OpponentsArgs, StatisticsArgs } from './history.inputs.js';
import { GameSearchConnection, HeadToHead, Opponent, Statistics } from './history.model.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { Cost } from '../../platform/graphql/cost.js';
import { HistoryView, OPPONENTS, type FoundGames } from './history.view.js';

/** What it costs to add up the games of a player, in fields. */
const ADDING_UP = 100;
/** What a search costs beside the games that it finds, and for each that it looks through, in fields. */
const SEARCHING = { fields: 10, perRow: 3 };

@Resolver(() => HeadToHead)
export class HistoryResolver {
  constructor(private readonly view: HistoryView) {}

  @Cost(SEARCHING)
  @Query(() => GameSearchConnection, {
    description: 'All games that there are, or those that are looked for.',
  })
  games(@Args() { filter, orderBy, ...page }: GamesArgs): Promise<FoundGames> {
    return this.view.search(filter ?? {}, orderBy ?? {}, page);
  }

  @Cost({ fields: ADDING_UP })
  @Query(() => Statistics, { description: 'What the finished games of a player add up to.' })
  statistics(@Args() { username, ruleset }: StatisticsArgs): Promise<Statistics> {
    return this.view.statistics(username, ruleset ?? null);
  }

  @Cost({ list: 'own', page: OPPONENTS })
  @Query(() => [Opponent], { description: 'Whom a player has finished the most games with; 20 by default.' })
  opponents(@Args() { username, first }: OpponentsArgs): Promise<readonly Opponent[]> {
    return this.view.opponents(username, first);
  }

  @Cost({ fields: ADDING_UP })
  @Query(() => HeadToHead, { description: 'What two players have played against each other.' })
  headToHead(@Args() { a, b, ruleset }: HeadToHeadArgs): Promise<HeadToHead> {
    return this.view.headToHead(a, b, ruleset ?? null);
  }

  @Cost(SEARCHING)
  @ResolveField(() => GameSearchConnection, {
    description: 'The last finished ones, the newest first; 5 by default.',
  })
  lastGames(@Parent() found: HeadToHead, @Args() page: PageArgs): Promise<FoundGames> {
    return this.view.lastGames(found, page);
  }
}
