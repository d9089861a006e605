import graphql from '@graphql-eslint/eslint-plugin';

/** Rules of @graphql-eslint for schema.graphql; each exception states its reason. */

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
      // Most types are values inside another type (a clock, an edge, a count) and have no identity of their
      // own.
      [rule('strict-id-in-types')]: 'off',
      // User.username, Ply.ply and Rating.rating are the standard names.
      [rule('no-typename-prefix')]: 'off',
      [rule('relay-edge-types')]: [
        'error',
        {
          withEdgeSuffix: true,
          // What is only read in its list (a ply, an event, a place on a leaderboard) is no node.
          shouldImplementNode: false,
          // Short lists without pages (options of a rule set, legal moves) are plain lists.
          listTypeCanWrapOnlyEdgeType: false,
        },
      ],
      // Append-only lists are paged from one end only.
      [rule('relay-arguments')]: ['error', { includeBoth: false }],
    },
  },
];
