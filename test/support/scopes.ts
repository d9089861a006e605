import type { GraphQLArgument, GraphQLField, GraphQLInputType, GraphQLSchema } from 'graphql';
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { type OpenSession, Sessions } from '../../src/features/auth/sessions.js';
import type { AccessRow, AccessTable } from '../../src/pages/access.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Scope } from '../../src/platform/contract/scopes.js';
import type { Person } from './people.js';
import type { TestServer } from './server.js';
import { type By, type Response, send, sendGraphql } from './transport.js';

/** Tokens with fewer scopes, and the simplest request for each operation that may need one. */

/** A new session of a user whose password nobody needs to know. */
export async function newSession({ app }: TestServer, userId: string): Promise<OpenSession> {
  const { db } = app.get(PrismaService);
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  return (await app.get(Sessions).open({ userId, passwordHash }, 'a test'))!;
}

/** A token of a new session with only these scopes. */
export async function withScopes(
  server: TestServer,
  { id }: Pick<Person, 'id'>,
  scopes: readonly string[],
): Promise<NonNullable<By>> {
  const session = await newSession(server, id);
  const { accessToken } = server.app.get(AccessTokens).sign(id, session.id, scopes as readonly Scope[]);
  return { authorization: `Bearer ${accessToken}` };
}

const NOWHERE = '01890000-0000-7000-8000-000000000000';

/**
 * A token with sufficient scopes gets a different refusal, because the request names objects that do not
 * exist.
 */
export function askFor(
  { http }: TestServer,
  schema: GraphQLSchema,
  kind: keyof AccessTable,
  { name }: AccessRow,
  by: By,
): Promise<Response> {
  if (kind !== 'Route') return sendGraphql(http, documentOf(schema, kind, name), {}, by);
  const [verb, path] = name.split(' ') as [string, string];
  const method = verb.toLowerCase() as 'get' | 'post';
  const address = path.replace(':id', NOWHERE).replace(/:\w+|\*/g, 'nobody');
  return send(http, address, { method, ...(method === 'get' ? {} : { body: {} }) }, by);
}

/** The error code in either transport, or null. */
export const codeOf = ({ body }: Response): string | null =>
  body.code ?? body.errors?.[0].extensions.code ?? null;

function documentOf(schema: GraphQLSchema, kind: string, name: string): string {
  const root = kind === 'Mutation' ? schema.getMutationType()! : schema.getQueryType()!;
  return `${kind.toLowerCase()} { ${selectionOf(root.getFields()[name]!)} }`;
}

/** The field with its required arguments. */
export function selectionOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.filter(isDemanded).map(({ name, type }) => `${name}: ${valueOf(type)}`);
  const selection = isLeafType(getNamedType(type)) ? '' : ' { __typename }';
  return `${name}${given.length === 0 ? '' : `(${given.join(', ')})`}${selection}`;
}

const isDemanded = ({ type, defaultValue }: Pick<GraphQLArgument, 'type' | 'defaultValue'>): boolean =>
  isNonNullType(type) && defaultValue === undefined;

function valueOf(given: GraphQLInputType): string {
  const type = getNullableType(given);
  if (isListType(type)) return `[${valueOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (!isInputObjectType(type)) return PLAIN[type.name] ?? '"x"';
  const fields = Object.values(type.getFields());
  const asked = type.isOneOf ? fields.slice(0, 1) : fields.filter(isDemanded);
  return `{ ${asked.map((field) => `${field.name}: ${valueOf(field.type)}`).join(', ')} }`;
}

const PLAIN: Readonly<Record<string, string>> = {
  Int: '1',
  Boolean: 'true',
  ID: `"${NOWHERE}"`,
  DateTime: '"2026-01-31T12:00:00.000Z"',
};
