import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  Param,
  Post,
  Query,
  type StreamableFile,
} from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { Needs, Public } from '../../platform/contract/access.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { Client, SignedIn, type Principal } from '../auth/principal.js';
import type { Party } from '../../platform/limits/rotation.js';
import { FORMATS } from '../../formats/formats.js';
import { ExportQuery } from '../games/export.inputs.js';
import { IdParam } from '../games/games.inputs.js';
import { fileOf } from '../../platform/http/files.js';
import {
  listPage,
  listPageBothWays,
  Paginated,
  PaginatedBothWays,
} from '../../platform/contract/paginated.js';
import { LongRangeArgs, PageArgs } from '../../platform/contract/page.inputs.js';
import { Revalidated, TAG, taggedBody, type Tagged } from '../../platform/http/etag.js';
import { GAMES_TEXT, ImportGamesBody } from './imports.inputs.js';
import { ImportedGameDocument, ImportedGamePage, ImportedPlyPage } from './imports.model.js';
import { ImportsService } from './imports.service.js';
import { DELETE_IMPORTED_GAME, IMPORT_GAMES } from './imports.verbs.js';
import { ImportsView } from './imports.view.js';
import { RAW_TYPES } from './raw-texts.js';
import { IMPORT_RESULTS } from './results.js';

const TEXT = { schema: { type: 'string' } } as const;
/** The same fields as in the body, which can hold them only if it is JSON. */
const besideRaw = (name: 'format' | 'ruleset' | 'result') => ({
  description: `${GAMES_TEXT[name].shown.description} In the query only if the body is the text itself; in a JSON body it is a field.`,
});
const MATE = { text: '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n' };
const LINE = { text: 'position startpos moves h2e2 h9g7', format: 'ucci', result: 'firstWon' };

@ApiTags('imports')
@Controller('v1')
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly view: ImportsView,
  ) {}

  @Post('imports')
  @RouteOf(IMPORT_GAMES, 201)
  @ApiQuery({ name: 'format', enum: FORMATS, required: false, ...besideRaw('format') })
  @ApiQuery({ name: 'ruleset', type: String, required: false, ...besideRaw('ruleset') })
  @ApiQuery({ name: 'result', enum: IMPORT_RESULTS, required: false, ...besideRaw('result') })
  @ApiBody({
    type: ImportGamesBody,
    description: `The games to import; the body may also be the text itself, as ${RAW_TYPES.join(', ')}, with the other fields in the query.`,
    examples: { mate: { value: MATE }, ucci: { value: LINE } },
  })
  async import(
    @SignedIn() viewer: Principal,
    @Client() client: Party,
    @Body() input: ImportGamesBody,
    @OfQuotas() quotas: Quotas,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof IMPORT_GAMES>> {
    const rows = await this.imports.import(viewer, client, { ...input, idempotencyKey }, quotas);
    return { importedGames: await this.view.documents(rows) };
  }

  @Needs('imports')
  @Get('me/imports')
  @ApiOperation({ operationId: 'myImportedGames', summary: 'The games that you imported, the newest first.' })
  @Paginated(ImportedGamePage)
  async mine(@SignedIn() viewer: Principal, @Query() page: PageArgs): Promise<ImportedGamePage> {
    const { items, ...more } = listPage(await this.view.mine(viewer, page));
    return { items: await this.view.documents(items.map(({ row }) => row)), ...more };
  }

  @Public()
  @Get('imports/:id')
  @ApiOperation({ operationId: 'importedGame', summary: 'An imported game of any user by its id.' })
  @ApiOkResponse({ type: ImportedGameDocument, headers: TAG })
  @Revalidated()
  async one(@Param() { id }: IdParam): Promise<Tagged<ImportedGameDocument>> {
    return taggedBody(await this.view.document(await this.imports.one(id)));
  }

  @Public()
  @Get('imports/:id/moves')
  @ApiOperation({
    operationId: 'importedMoves',
    summary: 'The plies of an imported game in the order of play.',
  })
  @PaginatedBothWays(ImportedPlyPage)
  async moves(@Param() { id }: IdParam, @Query() page: LongRangeArgs): Promise<ImportedPlyPage> {
    return listPageBothWays(await this.view.plies(await this.imports.one(id), page));
  }

  @Public()
  @Get('imports/:id/export')
  @ApiOperation({
    operationId: 'exportImportedGame',
    summary: 'An imported game as text, marked as imported.',
  })
  @ApiOkResponse({
    description: 'The game as docs/formats.md describes it.',
    content: {
      'application/vnd.chess-pgn': TEXT,
      'text/plain': TEXT,
      'application/json': { schema: { type: 'object' } },
    },
  })
  async export(@Param() { id }: IdParam, @Query() query: ExportQuery): Promise<StreamableFile> {
    return fileOf(await this.imports.export(await this.imports.one(id), query));
  }

  @Delete('imports/:id')
  @RouteOf(DELETE_IMPORTED_GAME)
  async delete(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
  ): Promise<RestPayloadOf<typeof DELETE_IMPORTED_GAME>> {
    return { deletedId: await this.imports.delete(viewer, id) };
  }
}
