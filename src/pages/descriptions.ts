import type { OpenAPIObject } from '@nestjs/swagger';
import type { GraphQLSchema } from 'graphql';

/** Descriptions in the OpenAPI document that do not come from decorators. */

type Components = NonNullable<OpenAPIObject['components']>;
export type Schema = NonNullable<Components['schemas']>[string];
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Response = NonNullable<Operation['responses'][string]>;

/** The GraphQL type that corresponds to a REST model, by the endings of their names. */
const COUNTERPARTS: readonly (readonly [RegExp, string])[] = [
  [/$/, ''],
  [/Body$/, 'Input'],
  [/Document$/, ''],
  [/Page$/, 'Connection'],
];

/** Adds the description of the corresponding GraphQL type to a schema. */
export const withDescriptionOf =
  (graphql: GraphQLSchema) =>
  (schema: Schema, name: string): Schema => {
    const described = COUNTERPARTS.filter(([end]) => end.test(name)).map(([end, other]) =>
      graphql.getType(name.replace(end, other)),
    );
    const description = described.find((type) => type?.description != null)?.description;
    return description == null || '$ref' in schema ? schema : { description, ...schema };
  };

/** Descriptions of path parameters by the segment before them. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  challenges: 'The id of the challenge.',
  games: 'The id of the game.',
  imports: 'The id of the imported game.',
  vacations: 'The id of the vacation.',
  rulesets: 'The id of the rule set.',
  setups: 'The number of the set-up, from 0.',
  ratings: 'The id of the rating pool.',
  leaderboards: 'The id of the rating pool.',
  users: 'The username of the user.',
  against: 'The username of the other user.',
  blocks: 'The username of the user.',
  tile: 'The place of the tile: its level, index and width, as in tlog-tiles (docs/fairness.md).',
};

/** The description of a path parameter. */
export function placeholderOf(path: string, name: string): { readonly description?: string } {
  const segment = path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1)!;
  const description = PLACEHOLDERS[segment];
  return description === undefined ? {} : { description };
}

/** Gives a response without a description that of its schema. */
export function withDescription(response: Response, schemas: Readonly<Record<string, Schema>>): Response {
  if ('$ref' in response || response.description !== '') return response;
  const { schema } = Object.values(response.content ?? {})[0] ?? {};
  if (schema === undefined || !('$ref' in schema)) return response;
  const held = schemas[schema.$ref.split('/').at(-1)!]!;
  return 'description' in held ? { ...response, description: held.description } : response;
}
