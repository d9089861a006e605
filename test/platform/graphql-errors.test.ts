import { buildSchema, getVariableValues, parse, type OperationDefinitionNode } from 'graphql';
import { formatError } from '../../src/platform/graphql/format.js';

/** Errors for a variable of the wrong type. */

const schema = buildSchema(`
  input Control { seconds: Int! }
  input Move { move: String!, input: Control }
  input Opening { control: Control, moves: [Move!] }
  type Query { open(input: Opening, filter: Opening, id: ID): Int }
`);

function fieldOf(argument: string, variable: string, type: string, value: unknown): unknown {
  const text = `query ($${variable}: ${type}) { a: open(${argument}: $${variable}, id: $${variable}s) }`;
  const { variableDefinitions } = parse(text).definitions[0] as OperationDefinitionNode;
  const { errors } = getVariableValues(schema, variableDefinitions!, { [variable]: value });
  const [error] = errors!;
  return formatError(error!.toJSON(), error, null).extensions!['field'];
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
