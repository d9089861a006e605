import { ERROR_CODES, type ErrorCode } from './error-codes.js';

/** The error codes that any request can get, so that verbs need not name them. */

const ANY: readonly ErrorCode[] = [
  'BAD_INPUT',
  'UNAUTHENTICATED',
  'INSUFFICIENT_SCOPE',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'ADDRESS_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'OVERLOADED',
  'RATE_LIMITED',
  'STORAGE_FULL',
  'UNAVAILABLE',
];

/** Codes of GraphQL documents, which REST does not have. */
const OF_DOCUMENTS: readonly ErrorCode[] = [
  'QUERY_TOO_COSTLY',
  ...ERROR_CODES.filter(({ graphqlOnly }) => graphqlOnly).map(({ code }) => code),
];

export const COMMON_CODES = { rest: ANY, graphql: [...ANY, ...OF_DOCUMENTS] } as const;

/** Sorted as in the table, without duplicates. */
export const inTableOrder = (codes: readonly ErrorCode[]): readonly ErrorCode[] =>
  ERROR_CODES.map(({ code }) => code).filter((code) => codes.includes(code));
