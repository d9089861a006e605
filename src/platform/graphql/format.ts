import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ERROR_CODES } from '../error-codes.js';
import { publicError } from '../masking.js';
import { movedTo } from '../moved-fields.js';

/** Codes that the protocol itself gives: they stay as clients know them. */
const PROTOCOL_CODES: ReadonlySet<string> = new Set(
  ERROR_CODES.filter(({ graphqlOnly }) => graphqlOnly).map(({ code }) => code),
);

/** The form in which an error of GraphQL leaves the server; what is not ours and not the protocol's is masked. */
export function formatError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const { locations, path } = formatted;
  const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  const cause = causeOf(thrown);
  if (cause instanceof GraphQLError) {
    // With nothing else behind it this is the protocol's own word on a document or its variables.
    const given = formatted.extensions?.['code'];
    const code = typeof given === 'string' && PROTOCOL_CODES.has(given) ? given : 'BAD_INPUT';
    const field = code === 'BAD_INPUT' ? fieldIn(formatted.message, documentOf(thrown)) : undefined;
    return {
      message: shortened(messageOf(formatted)),
      ...place,
      extensions: { code, ...(field ? { field } : {}) },
    };
  }
  if (isTooDeep(cause) && path === undefined) {
    const message = 'The document is nested too deeply to be read.';
    return { message, extensions: { code: 'GRAPHQL_PARSE_FAILED' } };
  }
  const { message, extensions } = publicError(cause);
  return { message, ...place, extensions: { ...extensions } };
}

const MOST_OF_A_HEAD = 120;
const MOST_OF_A_TAIL = 280;

/** GraphQL repeats a whole value for each thing that is wrong with it; what is wrong stands at the end. */
const shortened = (message: string): string =>
  message.length <= MOST_OF_A_HEAD + MOST_OF_A_TAIL
    ? message
    : `${message.slice(0, MOST_OF_A_HEAD)}...${message.slice(-MOST_OF_A_TAIL)}`;

const UNKNOWN = /(?:Field|Unknown argument) "(\w+)" (?:is not defined by type|on field) "[\w.]+"\./;

/** Of a field that has moved: where to, in place of the name that GraphQL takes it for. */
function messageOf({ message }: GraphQLFormattedError): string {
  const hint = movedTo(UNKNOWN.exec(message)?.[1] ?? '');
  const guess = message.lastIndexOf(' Did you mean ');
  return hint === '' ? message : message.slice(0, guess < 0 ? undefined : guess) + hint;
}

const LACKING = /; Field "(\w+)" (?:of required type|is not defined)/;

/** Which part of a variable is not of its type, as every other refusal names it: GraphQL says that in words alone. */
function fieldIn(message: string, document: string): string | undefined {
  const variable = /^Variable "\$(\w+)"/.exec(message)?.[1];
  if (variable === undefined) return undefined;
  const inside = / at "\w+([\w.[\]]*)"/.exec(message)?.[1] ?? '';
  const lacking = LACKING.exec(message)?.[1];
  // The client chose the name of the variable: what it is given to has one that everybody knows.
  const argument = new RegExp(`\\b(\\w+)\\s*:\\s*\\$${variable}\\b`).exec(document)?.[1];
  const path = `${argument ?? variable}${inside}${lacking === undefined ? '' : `.${lacking}`}`;
  return path.replace(/^input\./, '').replace(/\[(\d+)\]/g, '.$1');
}

const documentOf = (thrown: unknown): string =>
  thrown instanceof GraphQLError ? (thrown.source?.body ?? '') : '';

/** The parser goes down with each level of a document, and the stack may end before its words are counted. */
const isTooDeep = (cause: unknown): boolean =>
  cause instanceof RangeError && cause.message.includes('call stack');

/** What was thrown in the first place. */
function causeOf(thrown: unknown): unknown {
  let error = thrown;
  while (error instanceof GraphQLError && error.originalError != null) error = error.originalError;
  return error;
}
