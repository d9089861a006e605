import { Body, Controller, Get, Headers, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { IdParam } from '../games/games.inputs.js';
import { wholeList } from '../../platform/contract/paginated.js';
import { PlanVacationBody } from './vacations.inputs.js';
import { VacationPage } from './vacations.model.js';
import { VacationsService } from './vacations.service.js';
import { END_VACATION, PLAN_VACATION } from './vacations.verbs.js';
import { VacationsView } from './vacations.view.js';

@ApiTags('vacations')
@Controller('v1/me/vacations')
export class VacationsController {
  constructor(
    private readonly vacations: VacationsService,
    private readonly view: VacationsView,
  ) {}

  @Needs('games:read')
  @Get()
  @ApiOperation({
    operationId: 'myVacations',
    summary: 'Your vacations, with the days left in this year and the next.',
  })
  @ApiOkResponse({ type: VacationPage })
  async mine(@SignedIn() viewer: Principal): Promise<VacationPage> {
    const { items, ...more } = await this.view.mine(viewer);
    return { ...wholeList(items), ...more };
  }

  @Post()
  @RouteOf(PLAN_VACATION, 201)
  @ApiBody({ type: PlanVacationBody, examples: { now: { value: { days: 7 } } } })
  async plan(
    @SignedIn() viewer: Principal,
    @Body() { startsAt, days }: PlanVacationBody,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof PLAN_VACATION>> {
    const planned = await this.vacations.plan(viewer, { startsAt, days, idempotencyKey });
    return { vacation: this.view.vacation(planned) };
  }

  @Post(':id/end')
  @RouteOf(END_VACATION)
  async end(
    @SignedIn() viewer: Principal,
    @Param() { id }: IdParam,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<RestPayloadOf<typeof END_VACATION>> {
    return { vacation: this.view.vacation(await this.vacations.end(viewer, { id, idempotencyKey })) };
  }
}
