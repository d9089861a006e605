import { readFileSync } from 'node:fs';
import {
  buildSchema,
  isAbstractType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
} from 'graphql';
import { apollo, codegen, getDataID, relay, urql } from '../../packages/client/src/settings.js';

/** The settings for other clients, against the schema: each type is one thing with a key, or a part of another. */

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
const objects = types.filter((type) => isObjectType(type) && !roots.includes(type)) as GraphQLObjectType[];
const keys: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => string | null>> = urql.keys;

/** A value in which each field has its own name. */
const named = (type: GraphQLObjectType) =>
  Object.fromEntries(Object.keys(type.getFields()).map((name) => [name, name]));
const keyOf = (type: GraphQLObjectType): string | null => keys[type.name]?.(named(type)) ?? null;
const isThing = (type: GraphQLObjectType): boolean => keyOf(type) !== null;

test('decide every type of the schema, and no other', () => {
  const decided = Object.keys(urql.keys).sort();
  expect(decided).toEqual(objects.map(({ name }) => name).sort());
});

test('know a thing by a field that is never null', () => {
  const things = objects.filter(isThing);
  expect(things.length).toBeGreaterThan(10);
  for (const type of things) expect(isNonNullType(type.getFields()[keyOf(type)!]!.type)).toBe(true);
});

test('know each Node by its id, and Relay by its node id', () => {
  const nodes = objects.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
  expect(nodes.length).toBeGreaterThan(4);
  expect(nodes.map(keyOf)).toEqual(nodes.map(() => 'id'));
  const { nodeInterfaceIdField: field, nodeInterfaceIdVariableName: argument } = relay.schemaConfig;
  expect(Object.keys((schema.getType('Node') as GraphQLInterfaceType).getFields())).toEqual([field]);
  expect(
    schema
      .getQueryType()!
      .getFields()
      ['node']!.args.map(({ name }) => name),
  ).toEqual([argument]);
  expect(getDataID({ nodeId: 'Ruleset:chess', id: 'chess' })).toBe('Ruleset:chess');
  expect(getDataID({ id: 'chess' })).toBeNull();
});

test('take no id for a key that is the id of something else, or of one list alone', () => {
  const withId = objects.filter((type) => 'id' in type.getFields() && !isThing(type));
  expect(withId.map(({ name }) => name)).toEqual(['Change', 'ConditionalMove', 'LobbyChange']);
});

test('merge the parts in Apollo, and leave things with an id to it', () => {
  const parts = objects.filter((type) => !isThing(type)).map(({ name }) => name);
  const byHash = objects.filter((type) => keyOf(type) === 'hash').map(({ name }) => name);
  expect(Object.keys(apollo.typePolicies).sort()).toEqual([...parts, ...byHash].sort());
  for (const part of parts) expect(apollo.typePolicies[part]).toEqual({ keyFields: false, merge: true });
});

test('take a ply without its hash for another one', () => {
  const { keyFields, merge } = apollo.typePolicies['Ply']!;
  const fieldsOf = keyFields as (data: object) => unknown;
  expect([fieldsOf({ hash: 'ab', san: 'e4' }), fieldsOf({ san: 'e4' }), merge]).toEqual([
    ['hash'],
    false,
    false,
  ]);
  expect([keys['Ply']!({ hash: 'ab' }), keys['Ply']!({ san: 'e4' })]).toEqual(['ab', null]);
});

test('know the types behind each interface', () => {
  const possible = types
    .filter(isAbstractType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)] as const);
  expect(apollo.possibleTypes).toEqual(Object.fromEntries(possible));
});

test('type each scalar as JSON has it', () => {
  const own = types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));
  expect(Object.keys(codegen.scalars)).toEqual(own.map(({ name }) => name));
  expect(relay.customScalarTypes).toEqual(codegen.scalars);
});
