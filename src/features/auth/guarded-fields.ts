import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { accessOfField, scopesOfField, scopesOfRoot } from '../../platform/access.js';
import type { Scope } from '../../platform/scopes.js';
import { demandScopes, type GraphqlContext, viewerIn } from './principal.js';

type Field = GraphQLField<unknown, GraphqlContext>;

/** Has each field tell which scopes it needs. Nest runs guards for root fields alone: those below them ask here. */
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
    demandScopes(viewerIn(context), scopes);
    return resolve(source, args, context, info);
  };
}
