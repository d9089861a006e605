import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  parse,
} from 'graphql';

/** Root fields can be null, so that an error in one leaves the others as they are: the tokens of an account just made. */

const NAME = 'semanticNonNull';

/** Of a proposal for GraphQL that generators of clients know. */
export const SEMANTIC_NON_NULL = new GraphQLDirective({
  name: NAME,
  description:
    'The field is null only if it has an error. A client that throws errors may count it as non-null.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))),
      description: 'The levels of a list that this is said of; 0 is the field itself.',
      defaultValue: [0],
    },
  },
});

/** Not those of subscriptions: a subscription has one root field, and ends with its error. */
const rootsOf = (schema: GraphQLSchema): readonly GraphQLObjectType[] => [
  schema.getQueryType()!,
  schema.getMutationType()!,
];

/** Makes each root field nullable, and remembers which of them are null only with an error. */
export function makeRootsNullable(schema: GraphQLSchema): void {
  for (const root of rootsOf(schema)) {
    for (const field of Object.values(root.getFields())) {
      if (!isNonNullType(field.type)) continue;
      field.type = field.type.ofType;
      field.extensions = { ...field.extensions, [NAME]: true };
    }
  }
}

/** The text of a schema with the directive, which graphql-js does not print. */
export function withDirectives(text: string, schema: GraphQLSchema): string {
  const roots = new Map(rootsOf(schema).map((root) => [root.name, root.getFields()]));
  const ends = parse(text).definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return [];
    const fields = roots.get(definition.name.value) ?? {};
    const marked = definition.fields?.filter(({ name }) => fields[name.value]?.extensions[NAME] === true);
    return marked?.map(({ type }) => type.loc!.end) ?? [];
  });
  const parts = [0, ...ends].map((start, i) => text.slice(start, ends[i]));
  return parts.join(` @${NAME}`);
}
