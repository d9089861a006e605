import { Field, ID, InterfaceType, type FieldMiddleware } from '@nestjs/graphql';

/** Things that a client can read again by one id, whatever their type: as the caches of Relay need it. */

/** The type of each thing that was read by its node id: an interface cannot tell it from the value. */
const types = new WeakMap<object, string>();

/** Made of what the viewer sees already: the name of the type and the id. */
const nodeId: FieldMiddleware<{ readonly id: string }> = ({ source: { id }, info }) =>
  `${info!.parentType.name}:${id}`;

@InterfaceType({
  description:
    'A thing that can be read again by its `nodeId`, with `node`. Its `id` is known only within its type: a challenge and ' +
    'the game that it becomes have the same.',
  resolveType: (thing: object) => types.get(thing),
})
export abstract class Node {
  @Field(() => ID, {
    description: 'An id that names the type as well, so that no two things share it; opaque.',
    middleware: [nodeId],
  })
  readonly nodeId: string;
}

/** A thing of this type, to be answered as a node. */
export function asNode(type: string, thing: object): Node {
  types.set(thing, type);
  return thing as Node;
}

const FORM = /^([A-Za-z]+):(.+)$/;

/** The type and the id that a node id names; null for another text. */
export function readNodeId(text: string): { readonly type: string; readonly id: string } | null {
  const [, type, id] = FORM.exec(text) ?? [];
  return type === undefined || id === undefined ? null : { type, id };
}
