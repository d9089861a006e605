import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Client } from '../auth/viewer.js';
import { ExportQuery } from '../games/export.inputs.js';
import { PRIVATE, PUBLIC, Revalidated, TAG, type Tagged } from '../../platform/tagged.js';
import { storedRow } from '../games/game.row.js';
import { GameTags } from '../games/game-tags.js';
import { GamesService } from '../games/games.service.js';
import { IdParam } from '../games/games.inputs.js';
import { fileOf } from '../../platform/files.js';
import { ExportListQuery, PlayerParam } from './exports.inputs.js';
import { ExportsService } from './exports.service.js';

const TEXT = { schema: { type: 'string' } } as const;
const ONE = {
  description:
    'As docs/formats.md has it: with the address of the game (`Site`), the time of each ply (`[%emt]`) and what was left ' +
    '(`[%clk]`). JSON also has `rated`, `rulesetVersion`, ids and ratings of the players, and `fairness`.',
  content: {
    'application/vnd.chess-pgn': TEXT,
    'text/plain': TEXT,
    'application/json': { schema: { type: 'object' } },
  },
  headers: TAG,
} as const;
const MANY = {
  description:
    'A stream, by the ends of the games, the oldest first. An answer that is whole ends; one that broke off can be ' +
    'gone on with behind its last whole game.',
  content: { 'application/x-ndjson': TEXT, 'application/vnd.chess-pgn': TEXT, 'text/plain': TEXT },
} as const;

@ApiTags('exports')
@Controller('v1')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly games: GamesService,
    private readonly tags: GameTags,
  ) {}

  @Get('games/export')
  @ApiOperation({ summary: 'All games that are over, as one stream' })
  @ApiOkResponse(MANY)
  async all(@Client() client: string, @Query() query: ExportListQuery): Promise<StreamableFile> {
    return fileOf(await this.exports.ofAll(query, client));
  }

  @Get('users/:username/games')
  @ApiOperation({ summary: 'The games of a player that are over, as one stream' })
  @ApiOkResponse(MANY)
  async ofUser(
    @Client() client: string,
    @Param() { username }: PlayerParam,
    @Query() query: ExportListQuery,
  ): Promise<StreamableFile> {
    return fileOf(await this.exports.ofUser(username, query, client));
  }

  @Get('games/:id/export')
  @ApiOperation({
    summary: 'A game as text, as far as it was played; plies that were taken back are left out',
  })
  @ApiOkResponse(ONE)
  @Revalidated()
  async one(@Param() { id }: IdParam, @Query() query: ExportQuery): Promise<Tagged<StreamableFile>> {
    const row = await this.games.game(id);
    return {
      tag: await this.tags.ofText(row, query),
      caching: storedRow(row).endedAt === null ? PRIVATE : PUBLIC,
      answer: async () => fileOf(await this.exports.file(row, query)),
    };
  }
}
