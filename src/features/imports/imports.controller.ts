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
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RouteOf, type RestPayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { FORMATS } from '../../formats/formats.js';
import { ExportQuery } from '../games/export.inputs.js';
import { IdParam } from '../games/games.inputs.js';
import { fileOf } from '../../platform/files.js';
import { listPage, listPageBothWays, Lists, ListsBothWays } from '../../platform/listed.js';
import { PageArgs, RangeArgs } from '../../platform/page.inputs.js';
import { Revalidated, TAG, taggedBody, type Tagged } from '../../platform/tagged.js';
import { ImportGamesBody } from './imports.inputs.js';
import { ImportedGameDocument, ImportedGamePage, ImportedPlyPage } from './imports.model.js';
import { ImportsService } from './imports.service.js';
import { DELETE_IMPORTED_GAME, IMPORT_GAMES } from './imports.verbs.js';
import { ImportsView } from './imports.view.js';
import { RAW_TYPES } from './raw-texts.js';
import { IMPORT_RESULTS } from './results.js';

const TEXT = { schema: { type: 'string' } } as const;
const BESIDE_RAW = 'Beside a text that is the body as it is; beside JSON it stands in the body.';
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
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'The same key sent again imports nothing anew.',
  })
  @ApiQuery({ name: 'format', enum: FORMATS, required: false, description: BESIDE_RAW })
  @ApiQuery({ name: 'ruleset', type: String, required: false, description: BESIDE_RAW })
  @ApiQuery({ name: 'result', enum: IMPORT_RESULTS, required: false, description: BESIDE_RAW })
  @ApiBody({
    type: ImportGamesBody,
    description: `The text may also be the body as it is, as ${RAW_TYPES.join(', ')}, with the rest in the query.`,
    examples: { mate: { value: MATE }, ucci: { value: LINE } },
  })
  async import(
    @SignedIn() viewer: Viewer,
    @Body() input: ImportGamesBody,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof IMPORT_GAMES>> {
    const rows = await this.imports.import(viewer, { ...input, idempotencyKey });
    return { importedGames: await this.view.documents(rows) };
  }

  @Get('me/imports')
  @ApiOperation({ summary: 'The games that you have imported, newest first' })
  @Lists(ImportedGamePage)
  async mine(@SignedIn() viewer: Viewer, @Query() page: PageArgs): Promise<ImportedGamePage> {
    const { items, ...more } = listPage(await this.view.mine(viewer, page));
    return { items: await this.view.documents(items.map(({ row }) => row)), ...more };
  }

  @Get('imports/:id')
  @ApiOperation({ summary: 'An imported game, whoever has imported it' })
  @ApiOkResponse({ type: ImportedGameDocument, headers: TAG })
  @Revalidated()
  async one(@Param() { id }: IdParam): Promise<Tagged<ImportedGameDocument>> {
    return taggedBody(await this.view.document(await this.imports.one(id)));
  }

  @Get('imports/:id/moves')
  @ApiOperation({ summary: 'The plies of an imported game in order' })
  @ListsBothWays(ImportedPlyPage)
  async moves(@Param() { id }: IdParam, @Query() page: RangeArgs): Promise<ImportedPlyPage> {
    return listPageBothWays(await this.view.plies(await this.imports.one(id), page));
  }

  @Get('imports/:id/export')
  @ApiOperation({ summary: 'An imported game as text, marked as imported' })
  @ApiOkResponse({
    description: 'As docs/formats.md has it.',
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
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
  ): Promise<RestPayloadOf<typeof DELETE_IMPORTED_GAME>> {
    return { deletedId: await this.imports.delete(viewer, id) };
  }
}
