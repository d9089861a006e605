import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/contract/access.js';
import {
  GamesArgs,
  HeadToHeadArgs,
  LastGamesArgs,
  OPPONENTS,
  OpponentsArgs,
  StatisticsArgs,
} from './history.inputs.js';
import { GameSearchConnection, HeadToHead, Opponent, Statistics } from './history.model.js';
import { Cost } from '../../platform/contract/cost.js';
import { renamingFields } from '../../platform/errors/errors.js';
import { StopIfGone } from '../auth/principal.js';
import { HistoryView, type FoundGames, type StatisticsOnDemand } from './history.view.js';

/** The cost of adding up the games of a player, in fields. */
const ADDING_UP = 100;
/** The cost of a search besides the games found, and for each game requested, in fields. */
const SEARCHING = { fields: 10, perRow: 3 };

@Resolver(() => HeadToHead)
export class HistoryResolver {
  constructor(private readonly view: HistoryView) {}

  @Cost(SEARCHING)
  @Public()
  @Query(() => GameSearchConnection, {
    description:
      'All games of the server, or those that meet the conditions. Costs more by the number of games asked for.',
  })
  games(
    @Args() { filter, orderBy, ...page }: GamesArgs,
    @StopIfGone() stopIfGone: () => void,
  ): Promise<FoundGames> {
    const nameOf = (field: string) => (field.split('.', 1)[0]! in (filter ?? {}) ? `filter.${field}` : field);
    return renamingFields(nameOf, this.view.search(filter ?? {}, orderBy ?? {}, page, stopIfGone));
  }

  @Cost({ fields: ADDING_UP })
  @Public()
  @Query(() => Statistics, { description: "The statistics of a player's finished games." })
  statistics(@Args() { username, ruleset }: StatisticsArgs): Promise<StatisticsOnDemand> {
    return this.view.statistics(username, ruleset ?? null);
  }

  @Cost({ list: 'own', page: OPPONENTS })
  @Public()
  @Query(() => [Opponent], {
    description: 'The opponents with whom a player has finished the most games, the most frequent first.',
  })
  opponents(@Args() { username, first }: OpponentsArgs): Promise<readonly Opponent[]> {
    return this.view.opponents(username, first);
  }

  @Cost({ fields: ADDING_UP })
  @Public()
  @Query(() => HeadToHead, { description: 'The finished games of two players against each other.' })
  headToHead(@Args() { a, b, ruleset }: HeadToHeadArgs): Promise<HeadToHead> {
    return this.view.headToHead(a, b, ruleset ?? null);
  }

  @Cost(SEARCHING)
  @ResolveField(() => GameSearchConnection, {
    description: 'The last finished games, the newest first.',
  })
  lastGames(@Parent() found: HeadToHead, @Args() page: LastGamesArgs): Promise<FoundGames> {
    return this.view.lastGames(found, page);
  }
}
