import type { OpenAPIObject } from '@nestjs/swagger';

/** Converts the OpenAPI 3.0 schemas made by decorators to those of 3.1, which are JSON Schema. */

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapOf = (map: unknown, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(map as Json).map(([name, value]) => [name, change(value)]));

/** The keywords with schemas by name, and those with a list of schemas. */
const MAPS = ['properties', 'patternProperties'];
const LISTS = ['oneOf', 'anyOf', 'allOf'];

function partOf(name: string, part: unknown): unknown {
  if (MAPS.includes(name)) return mapOf(part, schemaOf);
  if (LISTS.includes(name)) return (part as readonly unknown[]).map(schemaOf);
  return ['items', 'additionalProperties', 'not'].includes(name) ? schemaOf(part) : part;
}

/** In 3.0 a reference with a description must be wrapped in allOf. */
function withoutDetour({ allOf, ...rest }: Json): Json {
  const [only, ...more] = (allOf ?? []) as readonly Json[];
  if (only === undefined) return rest;
  return more.length === 0 ? { ...only, ...rest } : { allOf, ...rest };
}

function schemaOf(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { nullable, example, ...rest } = withoutDetour(schema);
  const parts = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, partOf(name, part)]));
  const converted = example === undefined ? parts : { ...parts, examples: [example] };
  return nullable === true ? orNull(converted) : converted;
}

/** Allows null as well. */
function orNull({ type, enum: words, ...rest }: Json): Json {
  if (Array.isArray(words) && words.every((word) => word === null)) return { type: 'null' };
  const kept = Array.isArray(words) ? { ...rest, enum: [...new Set([...(words as unknown[]), null])] } : rest;
  return typeof type === 'string' ? { ...kept, type: [type, 'null'] } : kept;
}

/** Converts a document of 3.0 to 3.1. */
export function modern(document: OpenAPIObject): OpenAPIObject {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, inPlace(name, part, within)]),
    );
  };
  const { schemas = {}, ...components } = document.components ?? {};
  return {
    ...document,
    openapi: '3.1.0',
    paths: within(document.paths) as OpenAPIObject['paths'],
    components: { ...components, schemas: mapOf(schemas, schemaOf) as typeof schemas },
  };
}

/** Leaves examples unchanged: they are data. */
function inPlace(name: string, part: unknown, within: (value: unknown) => unknown): unknown {
  if (name === 'schema') return schemaOf(part);
  return name === 'examples' || name === 'example' ? part : within(part);
}
