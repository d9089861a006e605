import {
  buildSchema,
  getVariableValues,
  type GraphQLError,
  parse,
  validate,
  type GraphQLFormattedError,
  type OperationDefinitionNode,
} from 'graphql';
import { formatError } from '../../src/platform/graphql/format.js';

/** Errors of graphql-js, about a document or a variable of the wrong type. */

const schema = buildSchema(`
  input Control { seconds: Int! }
  input Move { move: String!, input: Control }
  input Opening { control: Control, moves: [Move!] }
  input Login { password: String!, tokens: Int }
  type Query { open(input: Opening, filter: Opening, id: ID, login: Login): Int, must(id: ID!): Int }
`);

function errorOf(text: string, variables: Readonly<Record<string, unknown>>): GraphQLError {
  const { variableDefinitions } = parse(text).definitions[0] as OperationDefinitionNode;
  return getVariableValues(schema, variableDefinitions!, variables).errors![0]!;
}

const shown = (error: GraphQLError): GraphQLFormattedError => formatError(error.toJSON(), error, null);

function fieldOf(argument: string, variable: string, type: string, value: unknown): unknown {
  const text = `query ($${variable}: ${type}) { a: open(${argument}: $${variable}, id: $${variable}s) }`;
  return shown(errorOf(text, { [variable]: value })).extensions!['field'];
}

test.each(['input', 'foo', 'control', 'moves'])('$%s: omits the input from field paths', (variable) => {
  const field = (value: unknown) => fieldOf('input', variable, 'Opening', value);
  expect(field({ control: { seconds: 'x' } })).toBe('control.seconds');
  expect(field({ moves: [{ move: 'e2e4' }, { move: 4 }] })).toBe('moves.1.move');
  expect(field({ moves: [{ move: 'e2e4', input: { seconds: 'x' } }] })).toBe('moves.0.input.seconds');
  expect(field({ control: {} })).toBe('control.seconds');
  expect(field({ clock: 1 })).toBe('clock');
  expect(field({ control: { seconds: ` at "${variable}.other"` } })).toBe('control.seconds');
});

test('names another argument with its name', () => {
  expect(fieldOf('filter', 'foo', 'Opening', { control: { seconds: 'x' } })).toBe('filter.control.seconds');
  expect(fieldOf('id', 'foo', 'ID!', null)).toBe('id');
});

const LOGIN = 'query ($login: Login) { open(login: $login) }';
/** What graphql-js says of a value, word for word. If a new version says it otherwise, change SENTENCES. */
const SAID: readonly (readonly [given: unknown, place: string, said: string, shown: string, field: string])[] = [
  [{}, '', 'Field "password" of required type "String!" was not provided.', 'Field "password" of required type "String!" was not provided', 'login.password'],
  [{ password: 'x', mySecret: 1 }, '', 'Field "mySecret" is not defined by type "Login".', 'Field "mySecret" is not defined by type "Login"', 'login.mySecret'],
  [['token'], '', 'Expected type "Login" to be an object.', 'Expected type "Login" to be an object', 'login'],
  [{ password: 5 }, ' at "login.password"', 'String cannot represent a non string value: 5', 'String cannot represent a non string value', 'login.password'],
  [{ password: 'x', tokens: 'abc' }, ' at "login.tokens"', 'Int cannot represent non-integer value: "abc"', 'Int cannot represent non-integer value', 'login.tokens'],
  [{ password: null }, ' at "login.password"', 'Expected non-nullable type "String!" not to be null.', 'its value has the wrong type', 'login.password'],
]; // prettier-ignore

describe.each(SAID)('of %j', (given, place, said, told, field) => {
  const error = errorOf(LOGIN, { login: given });

  test('graphql-js says this', () => {
    expect(error.originalError!.message).toBe(said);
    expect(error.message.startsWith('Variable "$login" got invalid value ')).toBe(true);
    expect(error.message.endsWith(`${place}; ${said}`)).toBe(true);
  });

  test('the client is told which part it is', () => {
    expect(shown(error).extensions).toEqual({ code: 'BAD_INPUT', field });
  });

  test('what it says of a secret is without the value', () => {
    expect(shown(error).message).toBe(`${field} is invalid: ${told}.`);
  });
});

test('a value that reads like a sentence of graphql-js changes nothing', () => {
  const said = '"; Field "clientSeed" is not defined by type "Login". String cannot represent hunter2';
  const { message, extensions } = shown(errorOf(LOGIN, { login: { password: [said] } }));
  expect(message).toBe('login.password is invalid: String cannot represent a non string value.');
  expect(extensions).toEqual({ code: 'BAD_INPUT', field: 'login.password' });
});

const MOVED = 'Wait for the commitment in the answer';

test.each([
  ['an argument', '{ open(clientSeed: 1) }', 'Unknown argument "clientSeed" on field "Query.open".'],
  ['a part of an input', '{ open(login: {password: "x", clientSeed: 1}) }', 'Field "clientSeed" is not defined by type "Login".'], // prettier-ignore
])('%s that has moved: says where to', (_, text, said) => {
  const moved = validate(schema, parse(text)).map((error) => shown(error).message);
  expect(moved).toEqual([expect.stringContaining(`${said} ${MOVED}`)]);
});

test('a part of a variable that has moved: says where to, without the value', () => {
  const { message } = shown(errorOf(LOGIN, { login: { password: 'hunter2', clientSeed: 1 } }));
  expect(message.startsWith(`Field "clientSeed" is not defined by type "Login". ${MOVED}`)).toBe(true);
});

/** Errors in the document itself, as validation finds them. */
const inDocument = (text: string) =>
  validate(schema, parse(text)).map((error) => {
    const known = { ...error.toJSON(), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } };
    return formatError(known, error, null).extensions;
  });

test.each([
  ['{ open(id: true) }', 'id'],
  ['{ open(id: [{ x: 1 }]) }', 'id'],
  ['{ open(filter: 7) }', 'filter'],
  ['{ a: open(input: { control: { seconds: "x" } }) }', 'control.seconds'],
  ['{ open(filter: { control: {} }) }', 'filter.control.seconds'],
  ['{ open(filter: { moves: [{ move: "e2e4" }, { move: 4 }] }) }', 'filter.moves.1.move'],
  [
    '{ open(filter: { moves: [{ move: "e2e4", input: { second: 1, seconds: 2 } }] }) }',
    'filter.moves.0.input.second',
  ],
  ['{ ...f } fragment f on Query { open(login: { password: null }) }', 'login.password'],
  ['query ($l: Login = { password: 5 }) { open(login: $l) }', 'l.password'],
  ['{ must }', 'id'],
])('a wrong value in a document, %s: BAD_INPUT with its field', (text, field) => {
  expect(inDocument(text)).toEqual([{ code: 'BAD_INPUT', field }]);
});

test.each([
  '{ nothing }',
  '{ open(nothing: 1) }',
  '{ open @include }',
  'query ($n: Int) { open(login: $n) }',
  'query ($n: Int) { open }',
])('a document that does not fit the schema, %s: is told as such', (text) => {
  expect(inDocument(text)).toEqual([{ code: 'GRAPHQL_VALIDATION_FAILED' }]);
});

test('a secret in a document is not repeated', () => {
  const said = validate(schema, parse('{ open(login: { password: 7654 }) }')).map(
    (error) => shown(error).message,
  );
  expect(said).toEqual(['login.password is invalid: String cannot represent a non string value.']);
});
