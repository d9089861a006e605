import { Args, Query, Resolver } from '@nestjs/graphql';
import { MutationOf, type PayloadOf } from '../../platform/verb.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { EndVacationInput, PlanVacationInput } from './vacations.inputs.js';
import { Vacation, Vacations } from './vacations.model.js';
import { VacationsService } from './vacations.service.js';
import { END_VACATION, PLAN_VACATION } from './vacations.verbs.js';
import { VacationsView } from './vacations.view.js';

@Resolver(() => Vacation)
export class VacationsResolver {
  constructor(
    private readonly vacations: VacationsService,
    private readonly view: VacationsView,
  ) {}

  @Query(() => Vacations, { description: 'Your vacations, and the days that you have left.' })
  myVacations(@SignedIn() viewer: Viewer): Promise<Vacations> {
    return this.view.mine(viewer);
  }

  @MutationOf(PLAN_VACATION)
  async plan(
    @SignedIn() viewer: Viewer,
    @Args('input') input: PlanVacationInput,
  ): Promise<PayloadOf<typeof PLAN_VACATION>> {
    return { vacation: this.view.vacation(await this.vacations.plan(viewer, input)) };
  }

  @MutationOf(END_VACATION)
  async end(
    @SignedIn() viewer: Viewer,
    @Args('input') input: EndVacationInput,
  ): Promise<PayloadOf<typeof END_VACATION>> {
    return { vacation: this.view.vacation(await this.vacations.end(viewer, input)) };
  }
}
