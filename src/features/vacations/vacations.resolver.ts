import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { EndVacationArgs, PlanVacationArgs } from './vacations.inputs.js';
import { Vacation, Vacations } from './vacations.model.js';
import { VacationsService } from './vacations.service.js';
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

  @Mutation(() => Vacation, {
    description:
      'Starts a vacation, or plans one: in games where you are to move the clock stands still, but where vacations are ruled out.',
  })
  async planVacation(@SignedIn() viewer: Viewer, @Args() request: PlanVacationArgs): Promise<Vacation> {
    return this.view.vacation(await this.vacations.plan(viewer, request));
  }

  @Mutation(() => Vacation, {
    description:
      'Ends a vacation: the days begun count. Before its start it is called off, and no day counts.',
  })
  async endVacation(@SignedIn() viewer: Viewer, @Args() request: EndVacationArgs): Promise<Vacation> {
    return this.view.vacation(await this.vacations.end(viewer, request));
  }
}
