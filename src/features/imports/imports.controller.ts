import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Query,
  type StreamableFile,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { FORMATS } from '../../formats/formats.js';
import { ExportQuery } from '../games/export.inputs.js';
import { IdParam } from '../games/games.inputs.js';
import { fileOf } from '../../platform/files.js';
import { PageArgs, RangeArgs } from '../../platform/page.inputs.js';
import { ImportGamesInput } from './imports.inputs.js';
import { ImportedGameDocument, ImportedGamePage, ImportedPlyConnection } from './imports.model.js';
import { ImportsService } from './imports.service.js';
import { ImportsView } from './imports.view.js';
import { RAW_TYPES } from './raw-texts.js';
import { IMPORT_RESULTS } from './results.js';

const TEXT = { schema: { type: 'string' } } as const;
const BESIDE_RAW = 'Beside a text that is the body as it is; beside JSON it stands in the body.';
const MATE = { text: '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n' };
const LINE = { text: 'position startpos moves h2e2 h9g7', format: 'ucci', result: 'firstWon' };

@ApiTags('imports')
@ApiBearerAuth()
@Controller('v1')
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly view: ImportsView,
  ) {}

  @Post('imports')
  @ApiOperation({
    summary: 'Brings games here that were played elsewhere, in the order of their text: all of them, or none',
    description: `The text may also be the body as it is, as ${RAW_TYPES.join(', ')}, with the rest in the query.`,
  })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'The same key sent again imports nothing anew.',
  })
  @ApiQuery({ name: 'format', enum: FORMATS, required: false, description: BESIDE_RAW })
  @ApiQuery({ name: 'ruleset', type: String, required: false, description: BESIDE_RAW })
  @ApiQuery({ name: 'result', enum: IMPORT_RESULTS, required: false, description: BESIDE_RAW })
  @ApiBody({ type: ImportGamesInput, examples: { mate: { value: MATE }, ucci: { value: LINE } } })
  @ApiCreatedResponse({ type: [ImportedGameDocument] })
  async import(
    @SignedIn() viewer: Viewer,
    @Body() input: ImportGamesInput,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<readonly ImportedGameDocument[]> {
    return this.view.documents(await this.imports.import(viewer, { ...input, idempotencyKey }));
  }

  @Get('me/imports')
  @ApiOperation({ summary: 'The games that you have imported, newest first' })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiOkResponse({ type: ImportedGamePage })
  async mine(@SignedIn() viewer: Viewer, @Query() page: PageArgs): Promise<ImportedGamePage> {
    const { edges, pageInfo } = await this.view.mine(viewer, page);
    return { games: await this.view.documents(edges.map(({ node }) => node.row)), pageInfo };
  }

  @Get('imports/:id')
  @ApiOperation({ summary: 'An imported game, whoever has imported it' })
  @ApiOkResponse({ type: ImportedGameDocument })
  async one(@Param() { id }: IdParam): Promise<ImportedGameDocument> {
    return this.view.document(await this.imports.one(id));
  }

  @Get('imports/:id/moves')
  @ApiOperation({ summary: 'The plies of an imported game in order' })
  @ApiQuery({ name: 'first', type: 'integer', required: false })
  @ApiQuery({ name: 'after', type: String, required: false })
  @ApiQuery({ name: 'last', type: 'integer', required: false })
  @ApiQuery({ name: 'before', type: String, required: false })
  @ApiOkResponse({ type: ImportedPlyConnection })
  async moves(@Param() { id }: IdParam, @Query() page: RangeArgs): Promise<ImportedPlyConnection> {
    return this.view.plies(await this.imports.one(id), page);
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
  @HttpCode(204)
  @ApiOperation({ summary: 'Deletes a game that you have imported, for good' })
  @ApiNoContentResponse()
  async delete(@SignedIn() viewer: Viewer, @Param() { id }: IdParam): Promise<void> {
    await this.imports.delete(viewer, id);
  }
}
