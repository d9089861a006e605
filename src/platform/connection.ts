import { ObjectType } from '@nestjs/graphql';
import { Cost } from './graphql/cost.js';
import { Shown } from './model.js';
import { PageInfo, type Connection } from './page.js';

/**
 * What a list of nodes has in both schemas, to be extended by its connection: a page, and edges that are named and
 * described by themselves.
 */
export function connectionOf<Node>(
  node: new () => Node,
  description: string,
  edgeName = `${node.name}Edge`,
): new () => Connection<Node> {
  class Edge {
    @Shown(() => String)
    readonly cursor: string;

    @Shown(() => node)
    readonly node: Node;
  }
  Object.defineProperty(Edge, 'name', { value: edgeName });
  ObjectType(edgeName, { description })(Edge);

  @ObjectType({ isAbstract: true })
  class Page {
    @Cost({ list: 'ofParent' })
    @Shown(() => [Edge])
    readonly edges: readonly Edge[];

    @Shown(() => PageInfo)
    readonly pageInfo: PageInfo;
  }
  return Page;
}
