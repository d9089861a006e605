import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped, type ValueNode } from 'graphql';
import { shown } from '../../rules/shown.js';

/** A point in time, in UTC to the millisecond. */
export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description:
    'A point in time (RFC 3339), such as 2026-01-31T12:00:00.000Z. Given in UTC with milliseconds; taken with any ' +
    'offset, from the year 1970 to 9999.',
  serialize: (value) => {
    if (!(value instanceof Date) || Number.isNaN(value.getTime()))
      throw new GraphQLError('Not a valid time.');
    return value.toISOString();
  },
  parseValue: (value) => parseMoment(value),
  parseLiteral: (node) => parseMoment(node.kind === Kind.STRING ? node.value : null, node),
});

const MOMENT = /^((?:19[7-9]|[2-9]\d\d)\d-\d\d-\d\d)T\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/;
/** The last time that four digits of a year can express. */
const LAST = new Date('9999-12-31T23:59:59.999Z');

/** `node` is where the value stands in a document. */
function parseMoment(value: unknown, node: ValueNode | null = null): Date {
  const moment = new Date(typeof value === 'string' ? value : Number.NaN);
  const day = typeof value === 'string' ? MOMENT.exec(value)?.[1] : undefined;
  if (day === undefined || !(moment <= LAST) || !isDay(day)) {
    throw new GraphQLError(
      `DateTime must be a time from 1970 to 9999, such as 2026-01-31T12:00:00.000Z; got ${shown(value)}.`,
      { nodes: node },
    );
  }
  return moment;
}

/** Date would read 30 February as 2 March. */
const isDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/** The URL of a resource of this server (own-address.ts). */
export const UrlScalar = new GraphQLScalarType<string, string>({
  name: 'URL',
  description: 'An absolute URL, under the address of the server (PUBLIC_URL).',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3986',
});

/** Plain JSON: rule set options and their values. */
export const JsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'A JSON value of any kind.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});
