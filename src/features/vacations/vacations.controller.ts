import { Body, Controller, Get, Headers, Param, Post } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RouteOf, type RestPayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { IdParam } from '../games/games.inputs.js';
import { wholeList } from '../../platform/listed.js';
import { PlanVacationBody } from './vacations.inputs.js';
import { VacationPage } from './vacations.model.js';
import { VacationsService } from './vacations.service.js';
import { END_VACATION, PLAN_VACATION } from './vacations.verbs.js';
import { VacationsView } from './vacations.view.js';

const KEY = {
  name: 'Idempotency-Key',
  required: false,
  description: 'The same key sent again has no second effect.',
};

@ApiTags('vacations')
@Controller('v1/me/vacations')
export class VacationsController {
  constructor(
    private readonly vacations: VacationsService,
    private readonly view: VacationsView,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Your vacations, and the days that you have left' })
  @ApiOkResponse({ type: VacationPage })
  async mine(@SignedIn() viewer: Viewer): Promise<VacationPage> {
    const { vacations, ...more } = await this.view.mine(viewer);
    return { ...wholeList(vacations), ...more };
  }

  @Post()
  @RouteOf(PLAN_VACATION, 201)
  @ApiHeader(KEY)
  @ApiBody({ type: PlanVacationBody, examples: { now: { value: { days: 7 } } } })
  async plan(
    @SignedIn() viewer: Viewer,
    @Body() { startsAt, days }: PlanVacationBody,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof PLAN_VACATION>> {
    const planned = await this.vacations.plan(viewer, { startsAt, days, idempotencyKey });
    return { vacation: this.view.vacation(planned) };
  }

  @Post(':id/end')
  @RouteOf(END_VACATION)
  @ApiHeader(KEY)
  async end(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof END_VACATION>> {
    return { vacation: this.view.vacation(await this.vacations.end(viewer, { id, idempotencyKey })) };
  }
}
