import {
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isUnionType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** Selections of everything that a type of the schema has, generated from the schema. */

/** Required arguments of some fields, and the page sizes of long ones. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  'User.rating': '(pool: "chess")',
  'Game.moves': '(first: 2)',
  'Game.messages': '(first: 2)',
  'ImportedGame.moves': '(first: 2)',
};

/** One selection of the plain fields of a type, and one for each of its objects, without recursion. */
export function selectionsOf(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  within: readonly GraphQLNamedType[] = [],
): string[] {
  const inside = [...within, type];
  const fields = Object.values(type.getFields()).map(({ name, type: of }) => ({
    asked: `${name}${ARGUMENTS[`${type.name}.${name}`] ?? ''}`,
    of: getNamedType(of),
  }));
  if (fields.some(({ of }) => isUnionType(of)))
    throw new Error(`${type.name} has a union, whose members must be listed here`);
  const plain = fields.filter(({ of }) => isLeafType(of)).map(({ asked }) => asked);
  const parts = fields.flatMap(({ asked, of }) =>
    objectsOf(schema, of)
      .filter((object) => !inside.includes(object))
      .flatMap((object) =>
        selectionsOf(schema, object, inside).map(
          (selection) => `${asked} { ... on ${object.name} { ${selection} } }`,
        ),
      ),
  );
  return [...(plain.length === 0 ? [] : [plain.join(' ')]), ...parts];
}

/** The object types of a field's values; none for a leaf. */
function objectsOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] {
  if (isInterfaceType(type)) return schema.getPossibleTypes(type);
  return isObjectType(type) ? [type] : [];
}
