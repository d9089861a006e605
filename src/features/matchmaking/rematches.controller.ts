import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { IdParam } from '../games/games.inputs.js';
import { Challenge } from './challenges.model.js';
import { ChallengesView } from './challenges.view.js';
import { RematchInput } from './rematches.inputs.js';
import { RematchesService } from './rematches.service.js';

@ApiTags('challenges')
@ApiBearerAuth()
@Controller('v1/games/:id/rematch')
export class RematchesController {
  constructor(
    private readonly rematches: RematchesService,
    private readonly view: ChallengesView,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The rematch of your game that is offered or accepted' })
  @ApiOkResponse({ type: Challenge })
  async rematch(@SignedIn() viewer: Viewer, @Param() { id }: IdParam): Promise<Challenge> {
    return this.view.challenge(await this.rematches.rematch(viewer, id), viewer);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Offers another game on the same terms, or accepts the one that is offered' })
  @ApiBody({ type: RematchInput, required: false, examples: { plain: { value: {} } } })
  @ApiOkResponse({ type: Challenge })
  async offer(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Body() seed: RematchInput,
  ): Promise<Challenge> {
    return this.view.challenge(await this.rematches.offer(viewer, { gameId: id, ...seed }), viewer);
  }
}
