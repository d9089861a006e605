import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { Client } from '../auth/principal.js';
import { ExportQuery } from '../games/export.inputs.js';
import { PRIVATE, PUBLIC, Revalidated, TAG, Tagged } from '../../platform/http/etag.js';
import { storedRow } from '../games/game.row.js';
import { GameTags } from '../games/game-tags.js';
import { GamesService } from '../games/games.service.js';
import { IdParam } from '../games/games.inputs.js';
import type { Party } from '../../platform/limits/rotation.js';
import { fileOf } from '../../platform/http/files.js';
import { Refuses } from '../../platform/contract/verb.js';
import { ExportListQuery } from './exports.inputs.js';
import { ExportsService } from './exports.service.js';

const TEXT = { schema: { type: 'string' } } as const;
const ONE = {
  description:
    'The game as docs/formats.md describes it, with its address (`Site`), the time used for each ply (`[%emt]`) and the ' +
    'time left (`[%clk]`). JSON also has `rated`, `rulesetVersion`, the ids and ratings of the players, and `fairness`.',
  content: {
    'application/vnd.chess-pgn': TEXT,
    'text/plain': TEXT,
    'application/json': { schema: { type: 'object' } },
  },
  headers: TAG,
} as const;
const MANY = {
  description:
    'A stream of games ordered by their ends, the oldest first. A stream that breaks off can be continued after its last ' +
    'complete game.',
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

  @Public()
  @Get('exports/games')
  @ApiOperation({
    operationId: 'exportGames',
    summary: 'The games that are over, all or those of a player, as a stream.',
  })
  @Refuses('NOT_FOUND')
  @ApiOkResponse(MANY)
  async many(@Client() client: Party, @Query() query: ExportListQuery): Promise<StreamableFile> {
    return fileOf(await this.exports.many(query, client));
  }

  @Public()
  @Get('games/:id/export')
  @Refuses('GAME_PENDING')
  @ApiOperation({ operationId: 'exportGame', summary: 'A game as text, without plies that were taken back.' })
  @ApiOkResponse(ONE)
  @Revalidated()
  async one(@Param() { id }: IdParam, @Query() query: ExportQuery): Promise<Tagged<StreamableFile>> {
    const row = await this.games.game(id);
    const tag = this.tags.ofText(row, await this.games.players(row), query);
    const caching = storedRow(row).endedAt === null ? PRIVATE : PUBLIC;
    return new Tagged(tag, caching, async () => fileOf(await this.exports.file(row, query)));
  }
}
