import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IdParam } from '../games/games.inputs.js';
import { ExportListQuery, ExportQuery, PlayerParam } from './exports.inputs.js';
import { ExportsService, type Exported } from './exports.service.js';

const TEXT = { schema: { type: 'string' } } as const;
const ONE = {
  description: 'As docs/formats.md has it.',
  content: {
    'application/vnd.chess-pgn': TEXT,
    'text/plain': TEXT,
    'application/json': { schema: { type: 'object' } },
  },
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
  constructor(private readonly exports: ExportsService) {}

  @Get('games/export')
  @ApiOperation({ summary: 'All games that are over, as one stream' })
  @ApiOkResponse(MANY)
  async all(@Query() query: ExportListQuery): Promise<StreamableFile> {
    return fileOf(await this.exports.ofAll(query));
  }

  @Get('users/:username/games')
  @ApiOperation({ summary: 'The games of a player that are over, as one stream' })
  @ApiOkResponse(MANY)
  async ofUser(@Param() { username }: PlayerParam, @Query() query: ExportListQuery): Promise<StreamableFile> {
    return fileOf(await this.exports.ofUser(username, query));
  }

  @Get('games/:id/export')
  @ApiOperation({
    summary: 'A game as text, as far as it was played; plies that were taken back are left out',
  })
  @ApiOkResponse(ONE)
  async one(@Param() { id }: IdParam, @Query() { format }: ExportQuery): Promise<StreamableFile> {
    return fileOf(await this.exports.file(id, format ?? null));
  }
}

const fileOf = ({ content, mediaType, fileName }: Exported<string | Readable>): StreamableFile => {
  const options = {
    type: mediaType === 'application/json' ? mediaType : `${mediaType}; charset=utf-8`,
    disposition: `attachment; filename="${fileName}"`,
  };
  return typeof content === 'string'
    ? new StreamableFile(Buffer.from(content), options)
    : new StreamableFile(content, options);
};
