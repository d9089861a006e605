import { capitalized } from '../../rules/capitalized.js';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { Args, Mutation, ObjectType } from '@nestjs/graphql';
import { ApiExtension, ApiHeader, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { type Kind, Needs, NeedsKind, Public } from './access.js';
import { inTableOrder } from '../errors/common-codes.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { idempotencyKey } from './fields.js';
import { model, type Properties, type Shown } from './model.js';
import type { Scope } from './scopes.js';

/** Operations that change something, declared once for their mutation and their route. */

type Needed = Scope | readonly [Scope, ...Scope[]] | null;

interface VerbDefinition<P extends Properties, R extends Properties> {
  /** The required scopes; null if no token is required. */
  readonly needs: Needed;
  /** The only kinds of tokens that it takes; left out, those of all who play. */
  readonly by?: Kind | readonly Kind[];
  readonly description: string;
  /** The error codes, in addition to COMMON_CODES and those that follow from `takesKey`. */
  readonly codes: readonly ErrorCode[];
  /** Accepts an idempotency key: in its input in GraphQL, as a header in REST. */
  readonly takesKey?: true;
  readonly answers: P;
  /** The parts of the payload that have another form in REST. */
  readonly inRest?: R;
}

type Class<T> = new () => T;

export interface Verb<P = object, R = object> {
  /** The name of the mutation, and the operation id in OpenAPI. */
  readonly name: string;
  readonly needs: Needed;
  readonly by: Kind | readonly Kind[] | null;
  readonly description: string;
  readonly codes: readonly ErrorCode[];
  readonly takesKey: boolean;
  readonly payload: Class<P>;
  readonly restPayload: Class<R>;
}

export type PayloadOf<V extends Verb> = InstanceType<V['payload']>;
export type RestPayloadOf<V extends Verb> = InstanceType<V['restPayload']>;

/** A subclass of `base` with the given name, which the schemas show. */
export const namedClass = <T extends object>(name: string, base: Class<T>): Class<T> =>
  ({ [name]: class extends (base as Class<object>) {} })[name] as Class<T>;

/** All verbs by name. */
const VERBS = new Map<string, Verb>();

/** The names of the verbs that can give this code. */
export const verbsNaming = (code: ErrorCode): readonly string[] =>
  [...VERBS.values()].filter(({ codes }) => codes.includes(code)).map(({ name }) => name);

export function verb<P extends Properties, R extends Properties = Record<never, never>>(
  name: string,
  { needs, by, description, codes, takesKey, answers, inRest }: VerbDefinition<P, R>,
): Verb<Shown<P>, Shown<Omit<P, keyof R> & R>> {
  const called = `${capitalized(name)}Payload`;
  const payload = namedClass(called, model(answers));
  ObjectType(called, { description: `The answer to ${name}.` })(payload);
  const restPayload = namedClass(called, model({ ...answers, ...inRest } as unknown as Omit<P, keyof R> & R));
  const all = inTableOrder([
    ...codes,
    ...(takesKey ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(by === 'password' ? (['SESSION_REQUIRED'] as const) : []),
    ...(by === 'guest' ? (['FORBIDDEN'] as const) : []),
  ]);
  const made = {
    name,
    needs,
    by: by ?? null,
    description,
    codes: all,
    takesKey: takesKey === true,
    payload,
    restPayload,
  };
  VERBS.set(name, made);
  return made;
}

/** The input of a mutation; its type must be given if the compiler does not know it. */
export const InputArg = (type?: Class<object>): ParameterDecorator =>
  Args('input', { description: 'The input of the mutation.', ...(type && { type: () => type }) });

/** The mutation of a verb. */
export const MutationOf = ({ name, needs, by, description, codes, payload }: Verb): MethodDecorator =>
  applyDecorators(
    accessFor(needs, by),
    Mutation(() => payload, { name, description: withCodes(description, codes) }),
  );

function accessFor(needs: Needed, by: Verb['by']): MethodDecorator {
  if (needs === null) return Public();
  const scopes = typeof needs === 'string' ? ([needs] as const) : needs;
  return by === null ? Needs(...scopes) : NeedsKind(by, ...scopes);
}

const withCodes = (description: string, codes: readonly ErrorCode[]): string =>
  codes.length === 0 ? description : `${description}\nErrors: ${codes.join(', ')}.`;

/** For the OpenAPI document: the error codes of an operation in addition to the common ones. */
export const REFUSES = 'x-refuses';
export const Refuses = (...codes: readonly ErrorCode[]): MethodDecorator => ApiExtension(REFUSES, codes);

const KEY = {
  name: 'Idempotency-Key',
  required: false,
  description: idempotencyKey.shown.description!,
};

/** The route of a verb, with its OpenAPI entry. */
export const RouteOf = (
  { name, needs, by, description, codes, takesKey, restPayload }: Verb,
  status: 200 | 201 | 202 = 200,
): MethodDecorator =>
  applyDecorators(
    accessFor(needs, by),
    HttpCode(status),
    ApiOperation({ operationId: name, summary: description }),
    ApiResponse({ status, type: restPayload }),
    Refuses(...codes),
    ...(takesKey ? [ApiHeader(KEY)] : []),
  );
