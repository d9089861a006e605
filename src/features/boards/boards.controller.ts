import { applyDecorators, Controller, Get, Header, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Look } from '../../boards/board.js';
import type { Picture } from '../../boards/picture.js';
import type { AnyRuleset } from '../../rules/registry.js';
import { Public } from '../../platform/contract/access.js';
import { CURRENT, LASTING, Revalidated, TAG, Tagged, tagOf, type Caching } from '../../platform/http/etag.js';
import { Refuses } from '../../platform/contract/verb.js';
import { Client, StopIfGone } from '../auth/principal.js';
import { IdParam } from '../games/games.inputs.js';
import { GamesService } from '../games/games.service.js';
import { RULESET_ID } from '../rulesets/descriptions.js';
import { BoardParam, BoardQuery, GameBoardQuery } from './boards.inputs.js';
import { BoardsService, type Format } from './boards.service.js';
import type { Party } from '../../platform/limits/rotation.js';
import type { Waiting } from './rasters.js';

const TYPES: Readonly<Record<Format, string>> = { svg: 'image/svg+xml', png: 'image/png' };

/** An SVG is drawn at once. */
const NOBODY: Waiting = { client: { address: '', user: '' }, stopIfGone: () => undefined };

/** An SVG may be opened as a page of this origin: it runs nothing and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** A route that answers with a picture. */
const PictureRoute = (path: string, operationId: string, summary: string): MethodDecorator => {
  const format: Format = path.endsWith('svg') ? 'svg' : 'png';
  const schema = format === 'svg' ? { type: 'string' } : { type: 'string', format: 'binary' };
  return applyDecorators(
    Public(),
    Get(path),
    Header('Content-Security-Policy', POLICY),
    ApiOperation({ operationId, summary }),
    ApiOkResponse({ description: 'The picture.', content: { [TYPES[format]]: { schema } }, headers: TAG }),
    Revalidated(),
  );
};

const RULESET = ApiParam({ name: 'ruleset', type: String, description: RULESET_ID, example: 'chess' });

@ApiTags('boards')
@Controller('v1')
export class BoardsController {
  constructor(
    private readonly boards: BoardsService,
    private readonly games: GamesService,
  ) {}

  @PictureRoute('boards/:ruleset.svg', 'boardSvg', 'A picture of a position as SVG, without fonts.')
  @Refuses('INVALID_RULESET', 'INVALID_POSITION')
  @RULESET
  svg(@Param() { ruleset }: BoardParam, @Query() query: BoardQuery): Tagged<StreamableFile> {
    const picture = this.boards.ofPosition(ruleset, query);
    return this.answer('svg', picture, this.boards.look(query), LASTING, NOBODY);
  }

  @PictureRoute('boards/:ruleset.png', 'boardPng', 'A picture of a position as PNG.')
  @Refuses('INVALID_RULESET', 'INVALID_POSITION')
  @RULESET
  png(
    @Param() { ruleset }: BoardParam,
    @Query() query: BoardQuery,
    @Client() client: Party,
    @StopIfGone() stopIfGone: () => void,
  ): Tagged<StreamableFile> {
    const picture = this.boards.ofPosition(ruleset, query);
    return this.answer('png', picture, this.boards.look(query), LASTING, { client, stopIfGone });
  }

  @PictureRoute(
    'games/:id/board.svg',
    'gameBoardSvg',
    'A picture of the board of a game as SVG, the same for everybody.',
  )
  async gameSvg(@Param() { id }: IdParam, @Query() query: GameBoardQuery): Promise<Tagged<StreamableFile>> {
    return this.ofGame('svg', id, query, NOBODY);
  }

  @PictureRoute(
    'games/:id/board.png',
    'gameBoardPng',
    'A picture of the board of a game as PNG, the same for everybody.',
  )
  async gamePng(
    @Param() { id }: IdParam,
    @Query() query: GameBoardQuery,
    @Client() client: Party,
    @StopIfGone() stopIfGone: () => void,
  ): Promise<Tagged<StreamableFile>> {
    return this.ofGame('png', id, query, { client, stopIfGone });
  }

  private async ofGame(
    format: Format,
    id: string,
    { ply, takebacks, ...look }: GameBoardQuery,
    waiting: Waiting,
  ): Promise<Tagged<StreamableFile>> {
    const row = await this.games.game(id);
    const picture = this.boards.ofGame(row, ply ?? null);
    // While a game goes on, a takeback can put another ply in the place of one that was played.
    const stays = row.endedAt !== null || (ply != null && takebacks === row.takebacks.length);
    return this.answer(format, picture, this.boards.look(look), stays ? LASTING : CURRENT, waiting);
  }

  private answer(
    format: Format,
    picture: Picture<AnyRuleset>,
    look: Look,
    caching: Caching,
    waiting: Waiting,
  ): Tagged<StreamableFile> {
    const { ruleset, fen, caption, lastMove } = picture;
    return new Tagged(tagOf([format, ruleset.id, fen, caption, lastMove, look]), caching, async () => {
      const body = await this.boards.draw(format, picture, look, waiting);
      const type = format === 'svg' ? `${TYPES.svg}; charset=utf-8` : TYPES.png;
      return new StreamableFile(body, { type, disposition: `inline; filename="${ruleset.id}.${format}"` });
    });
  }
}
