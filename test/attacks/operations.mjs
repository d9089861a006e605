import { readFileSync } from 'node:fs';
import * as graphql from 'graphql';
import { inRoot } from '../../scripts/support.mjs';

/**
 * Every operation of the server, read from openapi.json and schema.graphql, so that new ones are attacked
 * too.
 */

const openapi = JSON.parse(readFileSync(inRoot('openapi.json'), 'utf8'));
export const schema = graphql.buildSchema(readFileSync(inRoot('schema.graphql'), 'utf8'));

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

export const resolved = (part) =>
  part?.$ref === undefined
    ? part
    : part.$ref
        .split('/')
        .slice(1)
        .reduce((at, name) => at[name], openapi);

/** As `{ name: 'GET /v1/me', method, path, parameters, content }`. */
export const routes = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => METHODS.has(method))
    .map(([method, { parameters = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(resolved),
      content: resolved(requestBody)?.content ?? null,
    })),
);

const fieldsOf = (kind, type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ kind, name: field.name, field }));

/** As `{ kind: 'query', name: 'game', field }`. */
export const fields = [
  ...fieldsOf('query', schema.getQueryType()),
  ...fieldsOf('mutation', schema.getMutationType()),
  ...fieldsOf('subscription', schema.getSubscriptionType()),
];

export const fieldNamed = (name) => fields.find((one) => one.name === name);

/** Required arguments of nested fields. */
const NEEDED = { pool: '"chess"' };

function neededArguments({ args }) {
  const needed = args.filter(graphql.isRequiredArgument);
  return needed.length === 0 ? '' : `(${needed.map(({ name }) => `${name}: ${NEEDED[name]}`).join(' ')})`;
}

/** Selects all fields of a type down to this depth; empty for a leaf type. */
export function selectionOf(type, depth) {
  const named = graphql.getNamedType(type);
  if (graphql.isLeafType(named)) return '';
  const parts = Object.values(named.getFields()).flatMap((field) => {
    const isLeaf = graphql.isLeafType(graphql.getNamedType(field.type));
    if (!isLeaf && depth <= 1) return [];
    return [`${field.name}${neededArguments(field)} ${isLeaf ? '' : selectionOf(field.type, depth - 1)}`];
  });
  return `{ __typename ${parts.join(' ')} }`;
}

/** A document for a field, with a variable for each given argument. */
export function documentOf({ kind, name, field }, given, depth = 3) {
  const args = field.args.filter((arg) => arg.name in given);
  const head = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const call = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const brackets = (text) => (text === '' ? '' : `(${text})`);
  return `${kind} ${brackets(head)} { ${name}${brackets(call)} ${selectionOf(field.type, depth)} }`;
}
