import { applyDecorators, HttpCode } from '@nestjs/common';
import { Args, Mutation, ObjectType } from '@nestjs/graphql';
import { ApiExtension, ApiHeader, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Needs, Public } from './access.js';
import { inTableOrder } from './common-codes.js';
import type { ErrorCode } from './error-codes.js';
import { idempotencyKey } from './fields.js';
import { model, type Properties, type Shown } from './model.js';
import type { Scope } from './scopes.js';

/** What changes something, told once for its mutation and its route: what it does, and the payload that both answer. */

interface Told<P extends Properties, R extends Properties> {
  /** The scope of a token that it takes; null: nobody is asked for a token. */
  readonly needs: Scope | null;
  readonly description: string;
  /** What it may be refused with, beside COMMON_CODES and what follows from `takesKey`. */
  readonly codes: readonly ErrorCode[];
  /** It takes an idempotency key: in GraphQL in its input, in REST as a header. */
  readonly takesKey?: true;
  readonly answers: P;
  /** The parts that REST answers with in another form: as whole documents. */
  readonly inRest?: R;
}

type Class<T> = new () => T;

export interface Verb<P = object, R = object> {
  /** Of the mutation, and of the operation in OpenAPI. */
  readonly name: string;
  readonly needs: Scope | null;
  readonly description: string;
  readonly codes: readonly ErrorCode[];
  readonly takesKey: boolean;
  readonly payload: Class<P>;
  readonly restPayload: Class<R>;
}

export type PayloadOf<V extends Verb> = InstanceType<V['payload']>;
export type RestPayloadOf<V extends Verb> = InstanceType<V['restPayload']>;

export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A class below `base` with a name of its own, which the schemas show. */
export const namedClass = <T extends object>(name: string, base: Class<T>): Class<T> =>
  ({ [name]: class extends (base as Class<object>) {} })[name] as Class<T>;

/** All of them by their names: an act is told to each transport. */
const VERBS = new Map<string, Verb>();

/** The names of those that name this code. */
export const verbsNaming = (code: ErrorCode): readonly string[] =>
  [...VERBS.values()].filter(({ codes }) => codes.includes(code)).map(({ name }) => name);

export function verb<P extends Properties, R extends Properties = Record<never, never>>(
  name: string,
  { needs, description, codes, takesKey, answers, inRest }: Told<P, R>,
): Verb<Shown<P>, Shown<Omit<P, keyof R> & R>> {
  const called = `${capitalized(name)}Payload`;
  const payload = namedClass(called, model(answers));
  ObjectType(called, { description: `The answer to ${name}.` })(payload);
  const restPayload = namedClass(called, model({ ...answers, ...inRest } as unknown as Omit<P, keyof R> & R));
  const all = inTableOrder([...codes, ...(takesKey ? (['IDEMPOTENCY_KEY_REUSED'] as const) : [])]);
  const made = { name, needs, description, codes: all, takesKey: takesKey === true, payload, restPayload };
  VERBS.set(name, made);
  return made;
}

/** The input of a mutation; its type has to be given where the compiler does not know it. */
export const InputArg = (type?: Class<object>): ParameterDecorator =>
  Args('input', { description: 'The input of the mutation.', ...(type && { type: () => type }) });

/** The mutation of a verb. */
export const MutationOf = ({ name, needs, description, codes, payload }: Verb): MethodDecorator =>
  applyDecorators(
    accessFor(needs),
    Mutation(() => payload, { name, description: withCodes(description, codes) }),
  );

const accessFor = (needs: Scope | null): MethodDecorator => (needs === null ? Public() : Needs(needs));

const withCodes = (description: string, codes: readonly ErrorCode[]): string =>
  codes.length === 0 ? description : `${description}\nErrors: ${codes.join(', ')}.`;

/** For whoever writes the OpenAPI document: what an operation may be refused with beside what any may. */
export const REFUSES = 'x-refuses';
export const Refuses = (...codes: readonly ErrorCode[]): MethodDecorator => ApiExtension(REFUSES, codes);

const KEY = {
  name: 'Idempotency-Key',
  required: false,
  description: idempotencyKey.shown.description!,
};

/** What the route of a verb takes and answers, and how OpenAPI shows it. */
export const RouteOf = (
  { name, needs, description, codes, takesKey, restPayload }: Verb,
  status: 200 | 201 = 200,
): MethodDecorator =>
  applyDecorators(
    accessFor(needs),
    HttpCode(status),
    ApiOperation({ operationId: name, summary: description }),
    ApiResponse({ status, type: restPayload }),
    Refuses(...codes),
    ...(takesKey ? [ApiHeader(KEY)] : []),
  );
