import {
  getArgumentValues,
  GraphQLError,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  getNamedType,
} from 'graphql';

import { fragmentsOf, type Fragments } from './fragments.js';

type Variables = Readonly<Record<string, unknown>>;

/** Bytes of punctuation around each value. */
const SIGNS = 4;

/**
 * Whether the introspection part of an answer would be longer than `most` bytes. Lists of the schema have no arguments
 * that bound them, so they are walked until the limit is reached.
 */
export function introspectsTooMuch(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  most: number,
): boolean {
  return new Walk(schema, document, variables, most).exceeds(operation.selectionSet);
}

class TooMuch extends Error {}

class Walk {
  private readonly fragments: Fragments;
  private left: number;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Variables,
    most: number,
  ) {
    this.left = most;
    this.fragments = fragmentsOf(document);
  }

  exceeds(selection: SelectionSetNode): boolean {
    try {
      this.roots(selection);
      return false;
    } catch (error) {
      if (error instanceof TooMuch) return true;
      // Execution reports invalid arguments.
      if (error instanceof GraphQLError) return false;
      throw error;
    }
  }

  private roots(selection: SelectionSetNode): void {
    for (const field of this.fieldsOf(selection)) {
      const name = field.name.value;
      if (name === '__schema') this.field(SchemaMetaFieldDef, undefined, field);
      if (name === '__type') this.field(TypeMetaFieldDef, undefined, field);
    }
  }

  private *fieldsOf({
    selections,
  }: SelectionSetNode): Generator<Extract<SelectionSetNode['selections'][number], { kind: 'Field' }>> {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) yield selection;
      else if (selection.kind === Kind.INLINE_FRAGMENT) yield* this.fieldsOf(selection.selectionSet);
      else {
        const fragment = this.fragments.get(selection.name.value);
        if (fragment !== undefined) yield* this.fieldsOf(fragment.selectionSet);
      }
    }
  }

  private field(
    definition: GraphQLField<unknown, unknown>,
    source: unknown,
    node: Parameters<typeof getArgumentValues>[1] & { selectionSet?: SelectionSetNode | undefined },
  ): void {
    const { name, resolve } = definition;
    const args = getArgumentValues(definition, node, this.variables);
    const info = { schema: this.schema } as GraphQLResolveInfo;
    const value: unknown = resolve
      ? resolve(source, args, undefined, info)
      : (source as Record<string, unknown>)[name];
    const type = getNamedType(definition.type);
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (one === null || one === undefined) continue;
      if (node.selectionSet && isObjectType(type)) this.object(type, one, node.selectionSet);
      else this.spend(typeof one === 'string' ? Buffer.byteLength(one) : SIGNS);
    }
  }

  private object(type: GraphQLObjectType, source: unknown, selection: SelectionSetNode): void {
    this.spend(SIGNS);
    const fields = type.getFields();
    for (const node of this.fieldsOf(selection)) {
      // Counts the alias, which may be long, and also __typename, which is not among the fields.
      this.spend((node.alias ?? node.name).value.length + SIGNS);
      const definition = fields[node.name.value];
      if (definition !== undefined) this.field(definition, source, node);
    }
  }

  private spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new TooMuch();
  }
}
