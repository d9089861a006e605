import { Body, Controller, Get, Headers, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { IdParam } from '../games/games.inputs.js';
import { PlanVacationInput } from './vacations.inputs.js';
import { Vacation, Vacations } from './vacations.model.js';
import { VacationsService } from './vacations.service.js';
import { VacationsView } from './vacations.view.js';

const KEY = {
  name: 'Idempotency-Key',
  required: false,
  description: 'The same key sent again has no second effect.',
};

@ApiTags('vacations')
@ApiBearerAuth()
@Controller('v1/me/vacations')
export class VacationsController {
  constructor(
    private readonly vacations: VacationsService,
    private readonly view: VacationsView,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Your vacations, and the days that you have left' })
  @ApiOkResponse({ type: Vacations })
  mine(@SignedIn() viewer: Viewer): Promise<Vacations> {
    return this.view.mine(viewer);
  }

  @Post()
  @ApiOperation({ summary: 'Starts a vacation, or plans one' })
  @ApiHeader(KEY)
  @ApiBody({ type: PlanVacationInput, examples: { now: { value: { days: 7 } } } })
  @ApiCreatedResponse({ type: Vacation })
  async plan(
    @SignedIn() viewer: Viewer,
    @Body() { startsAt, days }: PlanVacationInput,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<Vacation> {
    return this.view.vacation(await this.vacations.plan(viewer, { startsAt, days, idempotencyKey }));
  }

  @Post(':id/end')
  @HttpCode(200)
  @ApiOperation({ summary: 'Ends a vacation: the days begun count; before its start it is called off' })
  @ApiHeader(KEY)
  @ApiOkResponse({ type: Vacation })
  async end(
    @SignedIn() viewer: Viewer,
    @Param() { id }: IdParam,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<Vacation> {
    return this.view.vacation(await this.vacations.end(viewer, { id, idempotencyKey }));
  }
}
