import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { inCapitals } from '../../src/platform/contract/model.js';

/** GraphQL writes `PER_MOVE` where REST writes `perMove`; tests use the REST spelling for both. */

const SCHEMA = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

const inRest = (word: string): string =>
  word.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const operationOf = (document: string): OperationDefinitionNode =>
  parse(document, { noLocation: true }).definitions[0] as OperationDefinitionNode;

type Values = Readonly<Record<string, unknown>>;

/** Converts enum values in variables to the GraphQL spelling. */
export function toGraphqlSpelling(document: string, variables: Values): Values {
  const types = new Map(
    operationOf(document).variableDefinitions?.map(({ variable, type }) => [
      variable.name.value,
      typeFromAST(SCHEMA, type) as GraphQLInputType,
    ]),
  );
  return mapped(variables, (name, value) => sent(types.get(name), value));
}

function sent(type: GraphQLInputType | undefined, value: unknown): unknown {
  if (type === undefined || value === null) return value;
  if (isNonNullType(type)) return sent(type.ofType, value);
  if (isListType(type)) {
    const item = type.ofType;
    return Array.isArray(value) ? value.map((each) => sent(item, each)) : sent(item, value);
  }
  // Values from the benchmark code are already in the GraphQL spelling.
  if (isEnumType(type))
    return typeof value === 'string' && type.getValue(value) == null ? inCapitals(value) : value;
  if (!isInputObjectType(type) || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = type.getFields();
  return mapped(value as Values, (name, part) => sent(fields[name]?.type, part));
}

/** Converts enum values in an answer to the REST spelling. */
export function toRestSpelling(document: string, data: Values | null | undefined): Values | null | undefined {
  const { operation, selectionSet } = operationOf(document);
  return read(SCHEMA.getRootType(operation)!, selectionSet, data) as Values | null | undefined;
}

function read(type: GraphQLNamedType, selection: SelectionSetNode | undefined, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => read(type, selection, each));
  // Error codes are in capitals in both.
  if (isEnumType(type)) return type.name === 'ErrorCode' ? value : inRest(value as string);
  if (isPlayer(type)) return read(SCHEMA.getType('User')!, selection, value);
  if (!(type instanceof GraphQLObjectType) || selection === undefined) return value;
  // REST leaves out the forms that GraphQL shows as null.
  if (type.name === 'TimeControl')
    return Object.fromEntries(Object.entries(value).filter(([, form]) => form));
  const fields = type.getFields();
  const parts = new Map(fieldsIn(selection).map((part) => [(part.alias ?? part.name).value, part]));
  return mapped(value as Values, (name, part) => {
    const asked = parts.get(name)!;
    const field = fields[asked.name.value];
    return field === undefined ? part : read(getNamedType(field.type), asked.selectionSet, part);
  });
}

const fieldsIn = ({ selections }: SelectionSetNode): readonly FieldNode[] =>
  selections.flatMap((part) => {
    if (part.kind === Kind.FIELD) return [part];
    if (part.kind === Kind.INLINE_FRAGMENT) return fieldsIn(part.selectionSet);
    throw new Error('Named fragments are not supported here; read the raw answer instead');
  });

/** So far all players are users. */
const isPlayer = (type: GraphQLNamedType): boolean => type.name === 'Player';

const mapped = (values: Values, change: (name: string, value: unknown) => unknown): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
