import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { MutationOf, type PayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { ExportArgs } from '../games/export.inputs.js';
import { SoughtIdArgs } from '../games/games.inputs.js';
import { isUuid } from '../../platform/page.js';
import { mostGamesIn } from '../../formats/most-games.js';
import { LIMITS } from '../../formats/score.js';
import { Cost, type SentArguments } from '../../platform/graphql/cost.js';
import { PageArgs, RangeArgs } from '../../platform/page.inputs.js';
import { User } from '../users/users.model.js';
import { DeleteImportedGameInput, ImportGamesInput } from './imports.inputs.js';
import { ImportedGame, ImportedGameConnection, ImportedPlyConnection } from './imports.model.js';
import { ImportsService } from './imports.service.js';
import { DELETE_IMPORTED_GAME, IMPORT_GAMES } from './imports.verbs.js';
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

  @Query(() => ImportedGame, {
    nullable: true,
    description: 'An imported game by its id, whoever has imported it; null where there is none.',
  })
  async importedGame(@Args() { id }: SoughtIdArgs): Promise<ImportedGame | null> {
    const row = isUuid(id) ? await this.imports.found(id) : null;
    return row && this.view.game(row);
  }

  @Query(() => ImportedGameConnection, { description: 'The games that you have imported, newest first.' })
  myImportedGames(@SignedIn() viewer: Viewer, @Args() page: PageArgs): Promise<ImportedGameConnection> {
    return this.view.mine(viewer, page);
  }

  @Cost({ rows: gamesSent })
  @MutationOf(IMPORT_GAMES)
  async importGames(
    @SignedIn() viewer: Viewer,
    @Args('input') input: ImportGamesInput,
  ): Promise<PayloadOf<typeof IMPORT_GAMES>> {
    const rows = await this.imports.import(viewer, input);
    return { importedGames: rows.map((row) => this.view.game(row)) };
  }

  @MutationOf(DELETE_IMPORTED_GAME)
  async delete(
    @SignedIn() viewer: Viewer,
    @Args('input') { id }: DeleteImportedGameInput,
  ): Promise<PayloadOf<typeof DELETE_IMPORTED_GAME>> {
    return { deletedId: await this.imports.delete(viewer, id) };
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
