import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { Needs, Public } from '../../platform/contract/access.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { Client, SignedIn, type Principal } from '../auth/principal.js';
import type { Party } from '../../platform/limits/rotation.js';
import { ExportArgs } from '../games/export.inputs.js';
import { SoughtIdArgs } from '../games/games.inputs.js';
import { isUuid } from '../../platform/contract/page.js';
import { maxGamesIn } from '../../formats/max-games.js';
import { LIMITS } from '../../formats/score.js';
import { Cost, type SentArguments } from '../../platform/contract/cost.js';
import { LongRangeArgs, PageArgs } from '../../platform/contract/page.inputs.js';
import { User } from '../users/users.model.js';
import { DeleteImportedGameInput, ImportGamesInput } from './imports.inputs.js';
import { IMPORTED_BY, ImportedGame, ImportedGameConnection, ImportedPlyConnection } from './imports.model.js';
import { ImportsService } from './imports.service.js';
import { DELETE_IMPORTED_GAME, IMPORT_GAMES } from './imports.verbs.js';
import { ImportsView } from './imports.view.js';

/** The most games that the answer may have, estimated from the text. */
function gamesSent({ input }: SentArguments): number {
  const { text } = (input ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' ? Math.min(maxGamesIn(text), LIMITS.games) : 1;
}

@Resolver(() => ImportedGame)
export class ImportsResolver {
  constructor(
    private readonly imports: ImportsService,
    private readonly view: ImportsView,
  ) {}

  @Public()
  @Query(() => ImportedGame, {
    nullable: true,
    description: 'An imported game of any user by its id; null if the id is unknown.',
  })
  async importedGame(@Args() { id }: SoughtIdArgs): Promise<ImportedGame | null> {
    const row = isUuid(id) ? await this.imports.found(id) : null;
    return row && this.view.game(row);
  }

  @Needs('imports')
  @Query(() => ImportedGameConnection, { description: 'The games that you imported, the newest first.' })
  myImportedGames(@SignedIn() viewer: Principal, @Args() page: PageArgs): Promise<ImportedGameConnection> {
    return this.view.mine(viewer, page);
  }

  @Cost({ rows: gamesSent })
  @MutationOf(IMPORT_GAMES)
  async importGames(
    @SignedIn() viewer: Principal,
    @Client() client: Party,
    @InputArg() input: ImportGamesInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof IMPORT_GAMES>> {
    const rows = await this.imports.import(viewer, client, input, quotas);
    return { importedGames: rows.map((row) => this.view.game(row)) };
  }

  @MutationOf(DELETE_IMPORTED_GAME)
  async delete(
    @SignedIn() viewer: Principal,
    @InputArg() { id }: DeleteImportedGameInput,
  ): Promise<PayloadOf<typeof DELETE_IMPORTED_GAME>> {
    return { deletedId: await this.imports.delete(viewer, id) };
  }

  @ResolveField(() => User, { description: IMPORTED_BY })
  importedBy({ row }: ImportedGame): Promise<User> {
    return this.view.importedBy(row);
  }

  @ResolveField(() => ImportedPlyConnection, { description: 'The plies in the order of play.' })
  moves(@Parent() { row }: ImportedGame, @Args() page: LongRangeArgs): Promise<ImportedPlyConnection> {
    return this.view.plies(row, page);
  }

  @Cost({ fields: 100 })
  @ResolveField(() => String, {
    description: 'The game as text, marked as imported. Costs 100 fields.',
  })
  async export(@Parent() { row }: ImportedGame, @Args() args: ExportArgs): Promise<string> {
    return (await this.imports.export(row, args)).content;
  }
}
