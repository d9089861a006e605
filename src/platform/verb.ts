import { applyDecorators, HttpCode } from '@nestjs/common';
import { Mutation, ObjectType } from '@nestjs/graphql';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { model, type Properties, type Shown } from './model.js';

/** What changes something, told once for its mutation and its route: what it does, and the payload that both answer. */

interface Told<P extends Properties, R extends Properties> {
  readonly description: string;
  readonly answers: P;
  /** The parts that REST answers with in another form: as whole documents. */
  readonly inRest?: R;
}

type Class<T> = new () => T;

export interface Verb<P = object, R = object> {
  /** Of the mutation, and of the operation in OpenAPI. */
  readonly name: string;
  readonly description: string;
  readonly payload: Class<P>;
  readonly restPayload: Class<R>;
}

export type PayloadOf<V extends Verb> = InstanceType<V['payload']>;
export type RestPayloadOf<V extends Verb> = InstanceType<V['restPayload']>;

export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A class below `base` with a name of its own, which the schemas show. */
export const namedClass = <T extends object>(name: string, base: Class<T>): Class<T> =>
  ({ [name]: class extends (base as Class<object>) {} })[name] as Class<T>;

export function verb<P extends Properties, R extends Properties = Record<never, never>>(
  name: string,
  { description, answers, inRest }: Told<P, R>,
): Verb<Shown<P>, Shown<Omit<P, keyof R> & R>> {
  const called = `${capitalized(name)}Payload`;
  const payload = namedClass(called, model(answers));
  ObjectType(called, { description: `What ${name} answers.` })(payload);
  const restPayload = namedClass(called, model({ ...answers, ...inRest } as unknown as Omit<P, keyof R> & R));
  return { name, description, payload, restPayload };
}

/** The mutation of a verb. */
export const MutationOf = ({ name, description, payload }: Verb): MethodDecorator =>
  Mutation(() => payload, { name, description });

/** What the route of a verb answers, and how OpenAPI shows it. */
export const RouteOf = ({ name, description, restPayload }: Verb, status: 200 | 201 = 200): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiOperation({ operationId: name, summary: description }),
    ApiResponse({ status, type: restPayload }),
  );
