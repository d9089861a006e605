import graphql from '@graphql-eslint/eslint-plugin';

/** What the judges of @graphql-eslint ask of schema.graphql, each exception with its reason. */

const { 'flat/schema-recommended': recommended, 'flat/schema-relay': relay } = graphql.configs;
const rule = (name) => `@graphql-eslint/${name}`;

export default [
  {
    files: ['schema.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: 'schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...recommended.rules,
      ...relay.rules,
      [rule('require-description')]: [
        'error',
        {
          types: true,
          rootField: true,
          FieldDefinition: true,
          InputValueDefinition: true,
          EnumValueDefinition: true,
          DirectiveDefinition: true,
        },
      ],
      // Most types are values of the thing that they stand in (a clock, an edge, a tally) and have no identity.
      [rule('strict-id-in-types')]: 'off',
      // User.username, Ply.ply and Rating.rating are the words that everybody uses for them.
      [rule('no-typename-prefix')]: 'off',
      [rule('relay-edge-types')]: [
        'error',
        {
          withEdgeSuffix: true,
          // A challenge and the game that it becomes share an id, on purpose, so one id would be two nodes.
          shouldImplementNode: false,
          // Short lists that nothing pages through (options of a rule set, legal moves) are plain lists.
          listTypeCanWrapOnlyEdgeType: false,
        },
      ],
      // Lists that grow at one end only are paged from that end.
      [rule('relay-arguments')]: ['error', { includeBoth: false }],
    },
  },
];
