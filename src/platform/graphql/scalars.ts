import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';

/** A moment in UTC, as 2026-01-31T12:00:00.000Z, to the millisecond. */
export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A moment in UTC, as 2026-01-31T12:00:00.000Z.',
  serialize: (value) => {
    if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new GraphQLError('Not a moment.');
    return value.toISOString();
  },
  parseValue: parseMoment,
  parseLiteral: (node) => parseMoment(node.kind === Kind.STRING ? node.value : null),
});

function parseMoment(value: unknown): Date {
  const moment = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(moment.getTime()) || !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(String(value))) {
    throw new GraphQLError('A moment is written as 2026-01-31T12:00:00.000Z.');
  }
  return moment;
}

/** Plain JSON: rule set options and their values. */
export const JsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});
