import { applyDecorators } from '@nestjs/common';
import { Field, Float, ID, Int } from '@nestjs/graphql';
import { ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { GraphQLScalarType } from 'graphql';
import { DateTimeScalar, JsonScalar } from './graphql/scalars.js';

/** One decorator a property, for both schemas: what the API shows and takes is declared once. */

type Scalar = GraphQLScalarType | StringConstructor | BooleanConstructor;
type Model = abstract new (...args: never[]) => unknown;
type Enum = Readonly<Record<string, string>>;
type Kind = Scalar | Model | Enum;

export interface PropertyOptions {
  readonly description?: string;
  readonly nullable?: boolean;
  /** Only in GraphQL, where it is resolved on demand: it has its own address in REST. */
  readonly graphqlOnly?: boolean;
  readonly example?: unknown;
  /** What REST says of it in place of what follows from the type. */
  readonly rest?: ApiPropertyOptions;
}

/** Words as the enum object that both schemas want. */
export const enumOf = <T extends string>(words: readonly T[]) =>
  Object.fromEntries(words.map((word) => [word, word])) as { readonly [W in T]: W };

const scalars = new Map<unknown, ApiPropertyOptions>([
  [String, { type: String }],
  [Boolean, { type: Boolean }],
  [ID, { type: String, format: 'uuid' }],
  [Int, { type: 'integer' }],
  [Float, { type: Number }],
  [DateTimeScalar, { type: String, format: 'date-time' }],
  [JsonScalar, { type: 'object', additionalProperties: true }],
]);

/** A nullable enum has to name null as well (OpenAPI 3.0). */
const wordsOf = (kind: Enum, nullable: boolean): (string | null)[] =>
  nullable ? [...Object.values(kind), null] : Object.values(kind);

const referenced = new Set<Model>();

/** Models that are named by reference alone, which the OpenAPI document has to be told of. */
export const referencedModels = (): readonly Model[] => [...referenced];

function restType(kind: Kind, nullable: boolean): ApiPropertyOptions {
  const scalar = scalars.get(kind);
  if (scalar !== undefined) return { ...scalar, nullable };
  if (typeof kind !== 'function') return { type: 'string', enum: wordsOf(kind as Enum, nullable), nullable };
  if (!nullable) return { type: kind as unknown as () => unknown };
  referenced.add(kind);
  // A reference beside `nullable` would still forbid null (OpenAPI 3.0).
  return { anyOf: [{ $ref: getSchemaPath(kind) }, { type: 'object', nullable: true, enum: [null] }] };
}

/** A property of a model: its type (`[T]` for a list), and what it means. */
export const Shown = (type: () => Kind | readonly [Kind], options: PropertyOptions = {}): PropertyDecorator =>
  property(type, options, true);

/** A property of an input; with `nullable` it may be left out. */
export function Given(type: () => Kind | readonly [Kind], options: PropertyOptions = {}): PropertyDecorator {
  const declared = property(type, options, !options.nullable);
  return options.nullable ? applyDecorators(declared, IsOptional()) : declared;
}

/** Declares a property that stands in no class body, by decorators in the order in which they would be written above it. */
export function declare(
  { prototype }: Model,
  name: string,
  ...decorators: readonly PropertyDecorator[]
): void {
  // The compiler leaves the type of a property here; what is shown and checked follows from the decorators alone.
  Reflect.defineMetadata('design:type', Object, prototype as object, name);
  for (const decorate of [...decorators].reverse()) decorate(prototype as object, name);
}

function property(
  type: () => Kind | readonly [Kind],
  { description, nullable = false, graphqlOnly = false, example, rest }: PropertyOptions,
  required: boolean,
): PropertyDecorator {
  const field = Field(type as () => StringConstructor, { nullable, ...(description ? { description } : {}) });
  if (graphqlOnly) return field;
  const given = type();
  const list = Array.isArray(given);
  const kind = (list ? given[0] : given) as Kind;
  const declared = {
    // A list is null as a whole, never an item of it.
    ...(rest ?? restType(kind, nullable && !list)),
    ...(list ? { isArray: true, nullable } : {}),
    ...(description ? { description } : {}),
    required,
    ...(example === undefined ? {} : { example }),
  } as ApiPropertyOptions;
  return applyDecorators(field, ApiProperty(declared));
}
