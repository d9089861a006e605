import { Args, Query, Resolver } from '@nestjs/graphql';
import { Needs } from '../../platform/contract/access.js';
import { Node } from '../../platform/contract/node.js';
import { Asking, type Principal } from '../auth/principal.js';
import { NodeArgs } from './nodes.inputs.js';
import { NodesView } from './nodes.view.js';

@Resolver()
export class NodesResolver {
  constructor(private readonly view: NodesView) {}

  @Needs('challenges:read')
  @Query(() => Node, {
    nullable: true,
    description:
      'A thing by its node id, as the query of its own type answers it; null for an unknown id. A challenge ' +
      'by link is null for whoever only has its link.',
  })
  node(@Asking() asking: () => Principal | null, @Args() { nodeId }: NodeArgs): Promise<Node | null> {
    return this.view.found(nodeId, asking);
  }
}
