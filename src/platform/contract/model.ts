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
import { DateTimeScalar, JsonScalar, UrlScalar } from './scalars.js';

/** One decorator per property serves both schemas, so that each is declared once. */

type Scalar = GraphQLScalarType | StringConstructor | BooleanConstructor;
export type Model = abstract new (...args: never[]) => unknown;
export type Enum = Readonly<Record<string, string>>;
export type FieldType = Scalar | Model | Enum;

export interface PropertyOptions {
  readonly description?: string;
  readonly nullable?: boolean;
  /** Only in GraphQL; REST has a route of its own for it. */
  readonly graphqlOnly?: boolean;
  /** In GraphQL the value is a function, called when the field is selected. */
  readonly onDemand?: boolean;
  /** Converts the value for GraphQL; REST shows it unchanged. */
  readonly inGraphql?: (value: never) => unknown;
  readonly example?: unknown;
  /** The default of an argument in GraphQL. */
  readonly defaultValue?: unknown;
  /** One of several fields of which exactly one must be given. */
  readonly isChoice?: boolean;
  /** The OpenAPI schema, where the type does not determine it. */
  readonly rest?: ApiPropertyOptions;
}

/** An enum value of REST in the spelling of GraphQL: `perMove` as `PER_MOVE`. */
export const inCapitals = (word: string): string => word.replace(/[A-Z]/g, '_$&').toUpperCase();

interface Named<T extends string> {
  readonly name: string;
  readonly description?: string;
  /** The description of each value. */
  readonly values?: Readonly<Record<T, string>>;
}

/** An enum object for both schemas, with the names of GraphQL and the values of REST. */
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

/** Marks the fields of a choice for the OpenAPI document, because decorators cannot express one. */
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

/** A nullable enum must list null as well (OpenAPI 3.0). */
const wordsOf = (kind: Enum, nullable: boolean): (string | null)[] =>
  nullable ? [...Object.values(kind), null] : Object.values(kind);

const referenced = new Set<Model>();

/** Models that occur only by reference, which must be added to the OpenAPI document. */
export const referencedModels = (): readonly Model[] => [...referenced];

/** A reference to a model in OpenAPI. */
export function refTo(kind: Model): { readonly $ref: string } {
  referenced.add(kind);
  return { $ref: getSchemaPath(kind) };
}

function restType(kind: FieldType, nullable: boolean): ApiPropertyOptions {
  const scalar = scalars.get(kind);
  if (scalar !== undefined) return { ...scalar, nullable };
  if (typeof kind !== 'function') return { type: 'string', enum: wordsOf(kind as Enum, nullable), nullable };
  if (!nullable) return { type: kind as unknown as () => unknown };
  return orNull(kind);
}

/** A reference beside `nullable` would still forbid null (OpenAPI 3.0). */
export function orNull(...kinds: readonly Model[]) {
  return { anyOf: [...kinds.map(refTo), { type: 'object', nullable: true, enum: [null] }] };
}

/** The TypeScript type of a property of this kind. */
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

/** A property of a model, with its TypeScript type. */
export type Property<T> = PropertyDecorator & { readonly holds?: T };

/** A property of a model: its type (`[T]` for a list), its description, and further decorators. */
export const shown = <const K extends FieldType | readonly [FieldType], const O extends PropertyOptions>(
  type: K,
  options?: O,
  ...decorators: readonly PropertyDecorator[]
): Property<O extends { readonly nullable: true } ? Held<K> | null : Held<K>> =>
  applyDecorators(
    property(() => type, options ?? {}, true),
    ...decorators,
  );

/** The same for JSON of any shape. */
export const shownJson = <T>(options: PropertyOptions = {}): Property<T> =>
  property(() => JsonScalar, options, true);

/** A list in REST whose items may be null. */
export const shownWithGaps = <const K extends Model>(
  type: K,
  description: string,
): Property<readonly (Held<K> | null)[]> => ApiProperty({ type: 'array', items: orNull(type), description });

export type Properties = Readonly<Record<string, PropertyDecorator>>;

/** The TypeScript type of an object with these properties. */
export type Shown<P extends Properties> = {
  readonly [K in keyof P]: P[K] extends Property<infer T> ? T : never;
};

/** A model has these properties. */
interface ModelOf<P extends Properties> {
  new (): Shown<P>;
  /** The properties, for models that extend this one. */
  readonly fields: P;
}

/** A base class for a model: declares each property once, for both schemas and the compiler. */
export function model<P extends Properties>(fields: P): ModelOf<P> {
  @ObjectType({ isAbstract: true })
  class Fields {
    static readonly fields = fields;
  }
  for (const [name, declared] of Object.entries(fields)) declare(Fields, name, declared);
  return Fields as unknown as ModelOf<P>;
}

/** Declares a property outside a class body, with decorators in the order in which they would be written. */
export function declare(
  { prototype }: Model,
  name: string,
  ...decorators: readonly PropertyDecorator[]
): void {
  // The compiler would store the type here; only the decorators matter.
  Reflect.defineMetadata('design:type', Object, prototype as object, name);
  for (const decorate of [...decorators].reverse()) decorate(prototype as object, name);
}

const called: FieldMiddleware = async (_context, next) => ((await next()) as () => unknown)();

const through =
  (show: (value: never) => unknown): FieldMiddleware =>
  async (_context, next) =>
    show((await next()) as never);

/** A property; `required` is for OpenAPI. */
export function property(
  type: () => FieldType | readonly [FieldType],
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
  const kind = (list ? given[0] : given) as FieldType;
  // In GraphQL each form of a choice is nullable; in REST a choice is an object with only one of them.
  const mayBeNull = nullable && !isChoice;
  const declared = {
    // A list may be null, its items may not.
    ...(rest ?? restType(kind, mayBeNull && !list)),
    ...(list ? { ...(rest?.type === 'array' ? {} : { isArray: true }), nullable: mayBeNull } : {}),
    ...(description ? { description: rest?.description ?? description } : {}),
    required,
    ...(example === undefined ? {} : { example }),
    ...(isChoice ? { [CHOICE]: true } : {}),
  } as ApiPropertyOptions;
  return applyDecorators(field, ApiProperty(declared));
}
