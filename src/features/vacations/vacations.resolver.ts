import { Needs } from '../../platform/contract/access.js';
import { Query, Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
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

  @Needs('games:read')
  @Query(() => Vacations, { description: 'Your vacations, with the days left in this year and the next.' })
  myVacations(@SignedIn() viewer: Principal): Promise<Vacations> {
    return this.view.mine(viewer);
  }

  @MutationOf(PLAN_VACATION)
  async plan(
    @SignedIn() viewer: Principal,
    @InputArg() input: PlanVacationInput,
  ): Promise<PayloadOf<typeof PLAN_VACATION>> {
    return { vacation: this.view.vacation(await this.vacations.plan(viewer, input)) };
  }

  @MutationOf(END_VACATION)
  async end(
    @SignedIn() viewer: Principal,
    @InputArg() input: EndVacationInput,
  ): Promise<PayloadOf<typeof END_VACATION>> {
    return { vacation: this.view.vacation(await this.vacations.end(viewer, input)) };
  }
}
