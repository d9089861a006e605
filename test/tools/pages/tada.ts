import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../.cache/tada.js';

export const graphql = initGraphQLTada<{
  introspection: typeof introspection;
  scalars: { DateTime: string; JSON: unknown; URL: string };
}>();
