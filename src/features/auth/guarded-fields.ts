import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { accessOfField, scopesOfField, scopesOfRoot } from '../../platform/contract/access.js';
import type { Scope } from '../../platform/contract/scopes.js';
import { assertScopes, type GraphqlContext, viewerIn } from './principal.js';

type Field = GraphQLField<unknown, GraphqlContext>;

/**
 * Checks the scopes of nested fields, since Nest runs guards for root fields only, and adds the scopes to the
 * descriptions.
 */
export function guardFields(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields() as GraphQLFieldMap<unknown, GraphqlContext>)) {
      const access = accessOfField(field);
      if (access === undefined || access.scopes.length === 0) continue;
      const isRoot = roots.includes(type);
      const told = isRoot ? scopesOfRoot(access) : scopesOfField(access.scopes);
      field.description = `${field.description}\n${told}`;
      if (!isRoot) guard(field, access.scopes);
    }
  }
}

function guard(field: Field, scopes: readonly Scope[]): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    assertScopes(viewerIn(context), scopes);
    return resolve(source, args, context, info);
  };
}
