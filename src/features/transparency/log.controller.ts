import { shown } from '../../rules/shown.js';
import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Param,
  Query,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../platform/contract/access.js';
import { parseTilePath, type TilePath } from '../../fairness/tlog-formats.js';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import { ENTRY, LogProofQuery, ProvenGameParam } from './log.inputs.js';
import { LogService } from './log.service.js';

const TEXT = { content: { 'text/plain': { schema: { type: 'string' } } } } as const;
const BYTES = {
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
} as const;
const A_MOMENT = 'public, max-age=1';
const FOR_EVER = 'public, max-age=31536000, immutable';

const textOf = (content: string): StreamableFile =>
  new StreamableFile(Buffer.from(content), { type: 'text/plain; charset=utf-8' });

/** The tile that a path names. Throws NOT_FOUND. */
const AskedTile = createParamDecorator((_: unknown, context: ExecutionContext): TilePath => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { '*': string } }>>();
  return orThrow(
    parseTilePath(params['*']),
    () =>
      new DomainError(
        'NOT_FOUND',
        `The path of a tile must look like 0/x001/234, or 0/x001/234.p/5 for 5 of its 256 entries; got ${shown(params['*'])}.`,
      ),
  );
});

/** The log of all games, as specified by C2SP tlog-tiles. */
@ApiTags('fairness')
@Controller()
export class LogController {
  constructor(private readonly log: LogService) {}

  @Public()
  @Get('log/checkpoint')
  @ApiOperation({
    operationId: 'logCheckpoint',
    summary: 'The signed size and root of the log of all games (C2SP tlog-checkpoint).',
  })
  @ApiOkResponse(TEXT)
  async checkpoint(@Res({ passthrough: true }) reply: FastifyReply): Promise<StreamableFile> {
    const text = await this.log.checkpoint();
    void reply.header('cache-control', A_MOMENT);
    return textOf(text);
  }

  @Public()
  @Get('log/tile/*')
  @ApiOperation({
    operationId: 'logTile',
    summary:
      'A tile of the log: hashes, as in 0/x001/234 or 0/x001/234.p/5, or entries, as in entries/x001/234 (C2SP tlog-tiles).',
  })
  @ApiOkResponse(BYTES)
  async tile(
    @AskedTile() tile: TilePath,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const bytes = await this.log.tile(tile);
    void reply.header('cache-control', FOR_EVER);
    return new StreamableFile(bytes);
  }

  @Public()
  @Get('v1/games/:id/log-proof')
  @ApiOperation({
    operationId: 'logProof',
    summary: 'The proof that the end or the opening of a game or challenge is in the log (C2SP tlog-proof).',
  })
  @ApiQuery({ name: 'entry', enum: ['open', 'end'], required: false, description: ENTRY })
  @ApiOkResponse(TEXT)
  async proof(@Param() { id }: ProvenGameParam, @Query() { entry }: LogProofQuery): Promise<StreamableFile> {
    return textOf(await this.log.proof(id, entry));
  }
}
