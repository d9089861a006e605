import { readFileSync } from 'node:fs';
import { buildSchema, getVariableValues, Kind, parse, validate } from 'graphql';
import {
  accept,
  challenge,
  move,
  reads,
  register,
  resign,
  settings,
  watch,
} from '../../bench/operations.mjs';
import { SETTINGS } from '../../src/settings.js';

/** What the whole-path benchmark sends fits the current API: it runs too rarely to notice by itself. */

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const openapi = JSON.parse(readFileSync('openapi.json', 'utf8'));

const ID = '01980000-0000-7000-8000-000000000000';
const SUBJECT = { game: ID, own: ID, username: 'someone' };

/** The errors of an operation and its variables, as the server would report them. */
function faultsOf(query: string, variables: Readonly<Record<string, unknown>>): readonly string[] {
  const document = parse(query);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return ['This is no operation.'];
  const { errors = [] } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  return [...validate(schema, document), ...errors].map(({ message }) => message);
}

const isRoute = (method: string, path: string): boolean => {
  const asked = path.replace(/\?.*/, '').split('/');
  const fits = Object.keys(openapi.paths).filter((known) => {
    const parts = known.split('/');
    const same = (part: string, i: number) => part === asked[i] || part.startsWith('{');
    return parts.length === asked.length && parts.every(same);
  });
  return fits.some((known) => openapi.paths[known][method.toLowerCase()] !== undefined);
};

test.each([
  ['challenge', challenge.query, challenge.variables('someone')],
  ['accept', accept.query, accept.variables(ID)],
  ['move', move.query, move.variables(ID, 1, 'e2e4')],
  ['watch', watch.query, watch.variables(ID)],
  ['resign', resign.query, resign.variables(ID)],
])('%s fits the schema', (_name, query, variables) => {
  expect(faultsOf(query, variables)).toEqual([]);
});

test.each(Object.entries(reads))('%s fits the API', (_name, { query, variables, path }) => {
  if (query === undefined) expect(isRoute('GET', path!(SUBJECT))).toBe(true);
  else expect(faultsOf(query, variables?.(SUBJECT) ?? {})).toEqual([]);
});

test('registration is a route', () => {
  expect(isRoute(register.method, register.path)).toBe(true);
});

test('the settings are settings of the server', () => {
  expect(Object.keys(settings).length).toBeGreaterThan(0);
  for (const name of Object.keys(settings)) expect(SETTINGS).toHaveProperty(name);
});
