import { Args, Query, Resolver } from '@nestjs/graphql';
import { Needs } from '../../platform/contract/access.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { ChangesArgs } from './changes.inputs.js';
import { Changes } from './changes.model.js';
import { ChangesView } from './changes.view.js';

@Resolver()
export class ChangesResolver {
  constructor(private readonly view: ChangesView) {}

  @Needs('games:read')
  @Query(() => Changes, {
    name: 'changes',
    description:
      'The items of your data that changed since the last request, the oldest change first. Changes by the passing of ' +
      'time alone, such as that of the deviation of a rating, are left out, and those that need another scope than the ' +
      'token has.',
  })
  page(@SignedIn() viewer: Principal, @Args() request: ChangesArgs): ReturnType<ChangesView['page']> {
    return this.view.page(viewer, request);
  }
}
