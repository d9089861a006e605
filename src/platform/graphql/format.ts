import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ERROR_CODES } from '../errors/error-codes.js';
import { isSecret } from '../contract/fields.js';
import { publicError } from '../http/masking.js';
import { movedTo } from '../contract/moved-fields.js';

/** Codes of the GraphQL protocol, which clients know and which stay as they are. */
const PROTOCOL_CODES: ReadonlySet<string> = new Set(
  ERROR_CODES.filter(({ graphqlOnly }) => graphqlOnly).map(({ code }) => code),
);

/** An error as the client sees it; one that is neither ours nor of the protocol is masked. */
export function formatError(
  formatted: GraphQLFormattedError,
  thrown: unknown,
  requestId: string | null,
): GraphQLFormattedError {
  const { locations, path } = formatted;
  const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  const cause = causeOf(thrown);
  if (cause instanceof GraphQLError) {
    // Without a cause of ours it comes from graphql-js, about a document or its variables.
    const given = formatted.extensions?.['code'];
    const code = typeof given === 'string' && PROTOCOL_CODES.has(given) ? given : 'BAD_INPUT';
    const field = code === 'BAD_INPUT' ? fieldIn(formatted.message, documentOf(thrown)) : undefined;
    return {
      message: inFull(shortened(messageOf(formatted, thrown, field)), code),
      ...place,
      extensions: { code, ...(field ? { field } : {}) },
    };
  }
  if (isTooDeep(cause) && path === undefined) {
    const message = 'The document is nested too deeply. Use fewer levels.';
    return { message, extensions: { code: 'GRAPHQL_PARSE_FAILED' } };
  }
  const { message, extensions } = publicError(cause, requestId);
  return { message, ...place, extensions: { ...extensions } };
}

const MOST_OF_A_HEAD = 120;
const MOST_OF_A_TAIL = 280;

/** GraphQL repeats the whole value for each fault in it, and names the fault at the end. */
const shortened = (message: string): string =>
  message.length <= MOST_OF_A_HEAD + MOST_OF_A_TAIL
    ? message
    : `${message.slice(0, MOST_OF_A_HEAD)}...${message.slice(-MOST_OF_A_TAIL)}`;

const UNKNOWN = /(?:Field|Unknown argument) "(\w+)" (?:is not defined by type|on field) "[\w.]+"\./;

/** Adds the full stop that GraphQL omits after a value. Clients compare the messages of persisted queries. */
const inFull = (message: string, code: string): string =>
  /[.?]$/.test(message) || code.startsWith('PERSISTED_') ? message : `${message}.`;

/** What GraphQL says is wrong with a value, without the value. */
const FAULT = /Expected \w+ "[^"]*" to be[^.:;]*|Field "\w+" (?:of required type "[^"]*" was not provided|is not defined by type "\w+")|\w+ cannot represent [^:]*/g; // prettier-ignore

/** The name before a value in the document, where the value of an argument is at fault. */
function argumentOf(thrown: unknown): string | undefined {
  const { source, positions } = thrown as Partial<GraphQLError>;
  return /(\w+)\s*:\s*$/.exec(source?.body.slice(0, positions?.[0]) ?? '')?.[1];
}

/** GraphQL repeats values, and those of secrets must not be repeated. */
function withoutSecrets(message: string, thrown: unknown, field: string | undefined): string {
  const argument = argumentOf(thrown);
  const name = field ?? (argument !== undefined && isSecret(argument) ? argument : undefined);
  if (name === undefined || !isSecret(`${name} ${message}`)) return message;
  return `${name} is invalid: ${message.match(FAULT)?.at(-1) ?? 'its value has the wrong type'}`;
}

/** The message, with a hint in place of the suggestion of GraphQL if a field has moved. */
function messageOf({ message }: GraphQLFormattedError, thrown: unknown, field: string | undefined): string {
  const [unknown, name = ''] = UNKNOWN.exec(message) ?? [];
  const hint = movedTo(name);
  return hint === '' ? withoutSecrets(message, thrown, field) : `${unknown}${hint}`;
}

const LACKING = /; Field "(\w+)" (?:of required type|is not defined)/;

/** The path of the wrong part of a variable, as `field` has it in other refusals: GraphQL has it only in its text. */
function fieldIn(message: string, document: string): string | undefined {
  const variable = /^Variable "\$(\w+)"/.exec(message)?.[1];
  if (variable === undefined) return undefined;
  const inside = / at "\w+([\w.[\]]*)"/.exec(message)?.[1] ?? '';
  const lacking = LACKING.exec(message)?.[1];
  // The name of the variable is the client's own; that of the argument is in the schema.
  const argument = new RegExp(`\\b(\\w+)\\s*:\\s*\\$${variable}\\b`).exec(document)?.[1];
  const path = `${argument ?? variable}${inside}${lacking === undefined ? '' : `.${lacking}`}`;
  return path.replace(/^input\./, '').replace(/\[(\d+)\]/g, '.$1');
}

const documentOf = (thrown: unknown): string =>
  thrown instanceof GraphQLError ? (thrown.source?.body ?? '') : '';

/** The parser is recursive, and a deep document may exhaust the stack before its tokens are counted. */
const isTooDeep = (cause: unknown): boolean =>
  cause instanceof RangeError && cause.message.includes('call stack');

/** The error that was thrown originally. */
function causeOf(thrown: unknown): unknown {
  let error = thrown;
  while (error instanceof GraphQLError && error.originalError != null) error = error.originalError;
  return error;
}
