import { ObjectType } from '@nestjs/graphql';
import { Cost } from './cost.js';
import { model, shown } from './model.js';
import { DEFAULT_PAGE_SIZE, PageInfo } from './page.js';

const CURSOR = 'The place of the item in this list, opaque, for `after` and `before`.';
const EDGES = 'The items of this page in the order of the list, each with its cursor.';

/** The properties of a connection in both schemas: a page, and edges of this name and description. */
export function connectionOf<Node>(
  node: new () => Node,
  description: string,
  { edgeName = `${node.name}Edge`, page = DEFAULT_PAGE_SIZE }: { edgeName?: string; page?: number } = {},
) {
  class Edge extends model({
    cursor: shown(String, { description: CURSOR }),
    node: shown(node, { description: 'The item itself.' }),
  }) {}
  Object.defineProperty(Edge, 'name', { value: edgeName });
  ObjectType(edgeName, { description })(Edge);
  return {
    edges: shown([Edge], { description: EDGES }, Cost({ list: 'ofParent', page })),
    pageInfo: shown(PageInfo, { description: 'The place of this page in the list.' }),
  };
}
