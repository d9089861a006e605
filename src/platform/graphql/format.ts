import { GraphQLError, Kind, type GraphQLFormattedError } from 'graphql';
import { ERROR_CODES } from '../errors/error-codes.js';
import { isSecret, withoutSecrets } from '../process/secret-names.js';
import { publicError } from '../http/masking.js';
import { movedTo } from '../contract/moved-fields.js';
import { argumentPath } from './argument-path.js';

/** Codes of the GraphQL protocol, which clients know and which stay as they are. */
const PROTOCOL_CODES: ReadonlySet<string> = new Set(
  ERROR_CODES.filter(({ graphqlOnly }) => graphqlOnly).map(({ code }) => code),
);

/**
 * What graphql-js says in a sentence and nowhere else, without the value and at its start. A test compares these with the
 * sentences of the installed version.
 */
const SENTENCES = {
  missing: /^Field "(?:\w+\.)?(\w+)" of required type "[^"]*" was not provided/,
  lacking: /^Field "\w+" argument "(\w+)" of type "[^"]*" is required/,
  unknown: /^Field "(\w+)" is not defined by type "\w+"/,
  noObject: /^Expected type "\w+" to be an object/,
  noScalar: /^\w+ cannot represent [^:]*/,
};
/** How the message about a variable names the wrong part of it, before such a sentence. */
const PLACE = / at "\w+([\w.[\]]*)"$/;

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
    const ofDocument = typeof given === 'string' && PROTOCOL_CODES.has(given) ? given : null;
    const refused = { said: cause.message, message: formatted.message, thrown: thrown as GraphQLError };
    const field = fieldOf(refused, ofDocument === null);
    // A wrong value is the same fault in the document as in a variable.
    const code = field === undefined && ofDocument !== null ? ofDocument : 'BAD_INPUT';
    return {
      message: inFull(shortened(withoutSecrets(messageOf(refused, field))), code),
      ...place,
      extensions: { code, ...(field ? { field } : {}) },
    };
  }
  if (isTooDeep(cause) && path === undefined) {
    const message = 'The document is nested too deeply. Use fewer levels.';
    return { message, extensions: { code: 'GRAPHQL_PARSE_FAILED' } };
  }
  const { message, extensions } = publicError(cause, requestId);
  return { message: withoutSecrets(message), ...place, extensions: { ...extensions } };
}

/** An error of graphql-js. */
interface Refused {
  /** What is wrong with a value; the whole message if it is about no variable. */
  readonly said: string;
  readonly message: string;
  readonly thrown: GraphQLError;
}

const MOST_OF_A_HEAD = 120;
const MOST_OF_A_TAIL = 280;

/** GraphQL repeats the whole value for each fault in it, and names the fault at the end. */
const shortened = (message: string): string =>
  message.length <= MOST_OF_A_HEAD + MOST_OF_A_TAIL
    ? message
    : `${message.slice(0, MOST_OF_A_HEAD)}...${message.slice(-MOST_OF_A_TAIL)}`;

/** Adds the full stop that GraphQL omits after a value. Clients compare the messages of persisted queries. */
const inFull = (message: string, code: string): string =>
  /[.?]$/.test(message) || code.startsWith('PERSISTED_') ? message : `${message}.`;

/** GraphQL repeats values, and those of secrets must not be repeated. */
function hidingSecrets({ said, message }: Refused, field: string | undefined): string {
  if (field === undefined || ![...field.split('.'), ...message.split(/\W+/)].some(isSecret)) return message;
  const faults = Object.values(SENTENCES).map((sentence) => sentence.exec(said)?.[0]);
  return `${field} is invalid: ${faults.find((fault) => fault !== undefined) ?? 'its value has the wrong type'}`;
}

/** The message, with a hint in place of the suggestion of GraphQL if a field has moved. */
function messageOf(refused: Refused, field: string | undefined): string {
  const { said, thrown } = refused;
  const node = thrown.nodes?.[0];
  const unknown = node?.kind === Kind.ARGUMENT ? node.name.value : SENTENCES.unknown.exec(said)?.[1];
  const hint = movedTo(unknown ?? '');
  return hint === '' ? hidingSecrets(refused, field) : `${said.slice(0, said.indexOf('".') + 2)}${hint}`;
}

/** The wrong part of the arguments, as `field` has it in other refusals; undefined for a fault of anything else. */
function fieldOf(refused: Refused, mayBeVariable: boolean): string | undefined {
  const path = (mayBeVariable ? pathInVariable(refused) : undefined) ?? pathInDocument(refused);
  return path && withPart(path, refused).replace(/^input\./, '');
}

/** A missing part has no place of its own, nor has an unknown one in a variable. */
function withPart(path: string, { said, thrown }: Refused): string {
  const part = (SENTENCES.missing.exec(said) ?? SENTENCES.unknown.exec(said))?.[1];
  const isNamed = thrown.nodes?.[0]?.kind === Kind.OBJECT_FIELD;
  return part === undefined || isNamed ? path : `${path}.${part}`;
}

const pathInDocument = ({ said, thrown }: Refused): string | undefined =>
  SENTENCES.lacking.exec(said)?.[1] ?? argumentPath(thrown);

function pathInVariable({ said, message, thrown }: Refused): string | undefined {
  const node = thrown.nodes?.[0];
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return undefined;
  const variable = node.variable.name.value;
  // The name of the variable is the client's own; that of the argument is in the schema.
  const argument = new RegExp(`\\b(\\w+)\\s*:\\s*\\$${variable}\\b`).exec(thrown.source?.body ?? '')?.[1];
  const inside = PLACE.exec(message.slice(0, -`; ${said}`.length))?.[1] ?? '';
  return `${argument ?? variable}${inside}`.replace(/\[(\d+)\]/g, '.$1');
}

/** The parser is recursive, and a deep document may exhaust the stack before its tokens are counted. */
const isTooDeep = (cause: unknown): boolean =>
  cause instanceof RangeError && cause.message.includes('call stack');

/** The error that was thrown originally. */
function causeOf(thrown: unknown): unknown {
  let error = thrown;
  while (error instanceof GraphQLError && error.originalError != null) error = error.originalError;
  return error;
}
