import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { ExportArgs } from '../games/export.inputs.js';
import { IdArgs } from '../games/games.inputs.js';
import { mostGamesIn } from '../../formats/most-games.js';
import { LIMITS } from '../../formats/score.js';
import { Cost, type SentArguments } from '../../platform/graphql/cost.js';
import { PageArgs, RangeArgs } from '../../platform/page.inputs.js';
import { User } from '../users/users.model.js';
import { ImportGamesMutationInput } from './imports.inputs.js';
import { ImportedGame, ImportedGameConnection, ImportedPlyConnection } from './imports.model.js';
import { ImportsService } from './imports.service.js';
import { ImportsView } from './imports.view.js';

/** How many games the answer may have: as many as the text. */
function gamesSent({ input }: SentArguments): number {
  const { text } = (input ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' ? Math.min(mostGamesIn(text), LIMITS.games) : 1;
}

@Resolver(() => ImportedGame)
export class ImportsResolver {
  constructor(
    private readonly imports: ImportsService,
    private readonly view: ImportsView,
  ) {}

  @Query(() => ImportedGame, { description: 'An imported game by its id, whoever has imported it.' })
  async importedGame(@Args() { id }: IdArgs): Promise<ImportedGame> {
    return this.view.game(await this.imports.one(id));
  }

  @Query(() => ImportedGameConnection, { description: 'The games that you have imported, newest first.' })
  myImportedGames(@SignedIn() viewer: Viewer, @Args() page: PageArgs): Promise<ImportedGameConnection> {
    return this.view.mine(viewer, page);
  }

  @Cost({ list: 'own', rows: gamesSent })
  @Mutation(() => [ImportedGame], {
    description:
      'Brings games here that were played elsewhere, in the order of their text. What is longer than a request of ' +
      'GraphQL may be goes to POST /v1/imports.',
  })
  async importGames(
    @SignedIn() viewer: Viewer,
    @Args('input') input: ImportGamesMutationInput,
  ): Promise<ImportedGame[]> {
    return (await this.imports.import(viewer, input)).map((row) => this.view.game(row));
  }

  @Mutation(() => Boolean, { description: 'Deletes a game that you have imported, for good.' })
  deleteImportedGame(@SignedIn() viewer: Viewer, @Args() { id }: IdArgs): Promise<boolean> {
    return this.imports.delete(viewer, id);
  }

  @ResolveField(() => User)
  importedBy(@Parent() { row }: ImportedGame): Promise<User> {
    return this.view.importedBy(row);
  }

  @ResolveField(() => ImportedPlyConnection, { description: 'The plies in order, from either end.' })
  moves(@Parent() { row }: ImportedGame, @Args() page: RangeArgs): Promise<ImportedPlyConnection> {
    return this.view.plies(row, page);
  }

  @Cost({ fields: 100 })
  @ResolveField(() => String, {
    description: 'The game as text, marked as imported. Counts as 100 fields.',
  })
  async export(@Parent() { row }: ImportedGame, @Args() args: ExportArgs): Promise<string> {
    return (await this.imports.export(row, args)).content;
  }
}
