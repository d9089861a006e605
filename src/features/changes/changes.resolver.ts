import { Args, Query, Resolver } from '@nestjs/graphql';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { ChangesArgs } from './changes.inputs.js';
import { Changes } from './changes.model.js';
import { ChangesView } from './changes.view.js';

@Resolver()
export class ChangesResolver {
  constructor(private readonly view: ChangesView) {}

  @Query(() => Changes, {
    name: 'changes',
    description:
      'Everything of yours that has changed since you last asked, the oldest first. What changes by the mere passing of time, such as the deviation of a rating, is no change.',
  })
  page(@SignedIn() viewer: Viewer, @Args() request: ChangesArgs): ReturnType<ChangesView['page']> {
    return this.view.page(viewer, request);
  }
}
