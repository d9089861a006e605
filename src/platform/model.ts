import { applyDecorators } from '@nestjs/common';
import {
  Field,
  Float,
  ID,
  Int,
  ObjectType,
  registerEnumType,
  type FieldMiddleware,
  type FieldOptions,
} from '@nestjs/graphql';
import { ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import type { GraphQLScalarType } from 'graphql';
import { DateTimeScalar, JsonScalar, UrlScalar } from './graphql/scalars.js';

/** One decorator a property, for both schemas: what the API shows and takes is declared once. */

type Scalar = GraphQLScalarType | StringConstructor | BooleanConstructor;
export type Model = abstract new (...args: never[]) => unknown;
export type Enum = Readonly<Record<string, string>>;
export type Kind = Scalar | Model | Enum;

export interface PropertyOptions {
  readonly description?: string;
  readonly nullable?: boolean;
  /** Only in GraphQL, where it is resolved on demand: it has its own address in REST. */
  readonly graphqlOnly?: boolean;
  /** GraphQL finds a function in its place, and calls it when the field is asked for. */
  readonly onDemand?: boolean;
  /** What GraphQL shows in place of the value, which REST shows as it is. */
  readonly inGraphql?: (value: never) => unknown;
  readonly example?: unknown;
  /** The value of an argument that is left out, in GraphQL. */
  readonly defaultValue?: unknown;
  /** One of a choice: exactly one of the fields beside it is given. */
  readonly isChoice?: boolean;
  /** What REST says of it in place of what follows from the type. */
  readonly rest?: ApiPropertyOptions;
}

/** A word of REST as GraphQL writes it: `perMove` as `PER_MOVE`. */
export const inCapitals = (word: string): string => word.replace(/[A-Z]/g, '_$&').toUpperCase();

interface Named<T extends string> {
  readonly name: string;
  readonly description?: string;
  /** What each word means. */
  readonly values?: Readonly<Record<T, string>>;
}

/** Words as the enum object that both schemas want: written as REST has them, named as GraphQL does. */
export function enumOf<T extends string>(words: readonly T[], named?: Named<T>) {
  const made = Object.fromEntries(words.map((word) => [inCapitals(word), word])) as Readonly<
    Record<string, T>
  >;
  if (named === undefined) return made;
  const { values, ...told } = named;
  const described = values && words.map((word) => [inCapitals(word), { description: values[word] }] as const);
  registerEnumType(made, {
    ...told,
    ...(described === undefined ? {} : { valuesMap: Object.fromEntries(described) }),
  });
  return made;
}

/** Marks the fields of a choice for whoever writes the OpenAPI document: decorators know no choice. */
export const CHOICE = 'x-choice';

const scalars = new Map<unknown, ApiPropertyOptions>([
  [String, { type: String }],
  [Boolean, { type: Boolean }],
  [ID, { type: String, format: 'uuid' }],
  [Int, { type: 'integer' }],
  [Float, { type: Number }],
  [DateTimeScalar, { type: String, format: 'date-time' }],
  [UrlScalar, { type: String, format: 'uri-reference' }],
  [JsonScalar, { type: 'object', additionalProperties: true }],
]);

/** A nullable enum has to name null as well (OpenAPI 3.0). */
const wordsOf = (kind: Enum, nullable: boolean): (string | null)[] =>
  nullable ? [...Object.values(kind), null] : Object.values(kind);

const referenced = new Set<Model>();

/** Models that are named by reference alone, which the OpenAPI document has to be told of. */
export const referencedModels = (): readonly Model[] => [...referenced];

/** A reference to a model in OpenAPI. */
export function refTo(kind: Model): { readonly $ref: string } {
  referenced.add(kind);
  return { $ref: getSchemaPath(kind) };
}

function restType(kind: Kind, nullable: boolean): ApiPropertyOptions {
  const scalar = scalars.get(kind);
  if (scalar !== undefined) return { ...scalar, nullable };
  if (typeof kind !== 'function') return { type: 'string', enum: wordsOf(kind as Enum, nullable), nullable };
  if (!nullable) return { type: kind as unknown as () => unknown };
  return orNull(kind);
}

/** A reference beside `nullable` would still forbid null (OpenAPI 3.0). */
function orNull(kind: Model) {
  return { anyOf: [refTo(kind), { type: 'object', nullable: true, enum: [null] }] };
}

/** What a property of this type holds. */
type Held<K> = K extends readonly [infer Item]
  ? readonly Held<Item>[]
  : K extends StringConstructor
    ? string
    : K extends BooleanConstructor
      ? boolean
      : K extends GraphQLScalarType<infer T, infer _External>
        ? T
        : K extends abstract new (...args: never[]) => infer T
          ? T
          : K extends Readonly<Record<string, infer Word>>
            ? Word
            : never;

/** A property of a model, and for the compiler what it holds. */
export type Property<T> = PropertyDecorator & { readonly holds?: T };

/** A property of a model: its type (`[T]` for a list), what it means, and what else is declared of it. */
export const shown = <const K extends Kind | readonly [Kind], const O extends PropertyOptions>(
  type: K,
  options?: O,
  ...decorators: readonly PropertyDecorator[]
): Property<O extends { readonly nullable: true } ? Held<K> | null : Held<K>> =>
  applyDecorators(
    property(() => type, options ?? {}, true),
    ...decorators,
  );

/** The same of any JSON, of which only the code knows more. */
export const shownJson = <T>(options: PropertyOptions = {}): Property<T> =>
  property(() => JsonScalar, options, true);

/** A list of models, each of which may be null; in REST. */
export const shownWithGaps = <const K extends Model>(
  type: K,
  description: string,
): Property<readonly (Held<K> | null)[]> => ApiProperty({ type: 'array', items: orNull(type), description });

export type Properties = Readonly<Record<string, PropertyDecorator>>;

/** What an object with these properties holds. */
export type Shown<P extends Properties> = {
  readonly [K in keyof P]: P[K] extends Property<infer T> ? T : never;
};

/** A model has these properties. */
interface ModelOf<P extends Properties> {
  new (): Shown<P>;
  /** For a model that has all of them, and more. */
  readonly fields: P;
}

/** The class that a model extends: each property is told once, for both schemas and for the compiler. */
export function model<P extends Properties>(fields: P): ModelOf<P> {
  @ObjectType({ isAbstract: true })
  class Fields {
    static readonly fields = fields;
  }
  for (const [name, declared] of Object.entries(fields)) declare(Fields, name, declared);
  return Fields as unknown as ModelOf<P>;
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

const called: FieldMiddleware = async (_context, next) => ((await next()) as () => unknown)();

const through =
  (show: (value: never) => unknown): FieldMiddleware =>
  async (_context, next) =>
    show((await next()) as never);

/** A property; `required` is what REST calls it. */
export function property(
  type: () => Kind | readonly [Kind],
  {
    description,
    nullable = false,
    graphqlOnly = false,
    onDemand = false,
    inGraphql,
    example,
    defaultValue,
    isChoice = false,
    rest,
  }: PropertyOptions,
  required: boolean,
): PropertyDecorator {
  const told = {
    nullable,
    ...(description ? { description } : {}),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(onDemand ? { middleware: [called] } : {}),
    ...(inGraphql ? { middleware: [through(inGraphql)] } : {}),
  };
  const field = Field(type as () => StringConstructor, told as FieldOptions);
  if (graphqlOnly) return field;
  const given = type();
  const list = Array.isArray(given);
  const kind = (list ? given[0] : given) as Kind;
  // In GraphQL each form of a choice may be left out; in REST a choice is one object with that form alone.
  const mayBeNull = nullable && !isChoice;
  const declared = {
    // A list is null as a whole, never an item of it.
    ...(rest ?? restType(kind, mayBeNull && !list)),
    ...(list ? { ...(rest?.type === 'array' ? {} : { isArray: true }), nullable: mayBeNull } : {}),
    ...(description ? { description: rest?.description ?? description } : {}),
    required,
    ...(example === undefined ? {} : { example }),
    ...(isChoice ? { [CHOICE]: true } : {}),
  } as ApiPropertyOptions;
  return applyDecorators(field, ApiProperty(declared));
}
