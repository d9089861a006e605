import {
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import type { Config } from '../../config.js';
import { declaredCost, pageAsked, type FieldCost, type SentArguments } from './cost.js';
import { fragmentsOf, type Fragments } from './fragments.js';
import { introspectsTooMuch } from './introspection.js';

/** What one operation may ask for. Fragments count wherever they are spread: there is no way around. */

export type QueryLimits = Pick<
  Config,
  | 'maxQueryDepth'
  | 'maxQueryRootFields'
  | 'maxQueryAliases'
  | 'maxQueryDirectives'
  | 'maxQueryCost'
  | 'maxIntrospectionKb'
>;

const nothing = (): Size => ({ fields: 0, depth: 0, cost: 0, rowCost: 0, aliases: 0, directives: 0 });

type Variables = Readonly<Record<string, unknown>> | undefined | null;

interface Size {
  /** Fields of this level. */
  fields: number;
  depth: number;
  cost: number;
  /** Of one row of the lists whose length the field above says. */
  rowCost: number;
  aliases: number;
  directives: number;
}

/** What is too much about an operation, in words, or null. */
export function tooMuch(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  variables: Variables,
  limits: QueryLimits,
): string | null {
  const operation = getOperationAST(document, operationName);
  if (operation == null) return null;
  const { fields, depth, cost, aliases, directives } = new Walk(schema, document, variables).whole(operation);
  const alias = longAlias(document);
  const counted = [
    { many: depth, most: limits.maxQueryDepth, what: `it is ${depth} levels deep` },
    { many: fields, most: limits.maxQueryRootFields, what: `it has ${fields} root fields` },
    { many: aliases, most: limits.maxQueryAliases, what: `it has ${aliases} aliases` },
    { many: directives, most: limits.maxQueryDirectives, what: `it has ${directives} directives` },
    {
      many: alias.length,
      most: MOST_OF_AN_ALIAS,
      what: `the alias ${alias.slice(0, 20)}... has ${alias.length} characters`,
    },
    {
      many: cost,
      most: limits.maxQueryCost,
      what: `it may answer with ${cost} fields`,
      instead: ': ask for smaller pages, fewer moves or fewer fields',
    },
  ];
  const over = counted.find(({ many, most }) => many > most);
  if (over !== undefined) return `${over.what}, and ${over.most} are allowed${over.instead ?? ''}`;
  const most = limits.maxIntrospectionKb * 1024;
  if (introspectsTooMuch(schema, document, operation, variables, most))
    return `it asks for more than ${limits.maxIntrospectionKb} KB of the schema: ask for fewer levels of types in types`;
  return null;
}

/** An alias stands in the answer as often as its field. */
const MOST_OF_AN_ALIAS = 100;

function longAlias(document: DocumentNode): string {
  let found = '';
  visit(document, {
    Field: ({ alias }) => {
      if (alias !== undefined && alias.value.length > MOST_OF_AN_ALIAS) found = alias.value;
    },
  });
  return found;
}

/** What an operation costs each time that it is answered, in fields. */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  variables: Variables,
): number {
  const operation = getOperationAST(document, operationName);
  return operation == null ? 0 : new Walk(schema, document, variables).whole(operation).cost;
}

/** The type that the fields of a selection belong to; undefined where only the validation knows better. */
type Owner = GraphQLNamedType | null | undefined;

class Walk {
  private readonly fragments: Fragments;
  // A fragment has one size, however often it is spread; measuring it once keeps the walk short.
  private readonly measured = new Map<string, Size>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Variables,
  ) {
    this.fragments = fragmentsOf(document);
  }

  whole({ operation, selectionSet }: OperationDefinitionNode): Size {
    return this.size(selectionSet, this.schema.getRootType(operation));
  }

  private size({ selections }: SelectionSetNode, owner: Owner): Size {
    const total = nothing();
    for (const selection of selections) {
      const part = this.sizeOf(selection, owner);
      total.fields += part.fields;
      total.depth = Math.max(total.depth, part.depth);
      total.cost += part.cost;
      total.rowCost += part.rowCost;
      total.aliases += part.aliases;
      total.directives += part.directives + (selection.directives?.length ?? 0);
    }
    return total;
  }

  private sizeOf(selection: SelectionSetNode['selections'][number], owner: Owner): Size {
    if (selection.kind === Kind.FIELD) return this.field(selection, owner);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.fragment(selection.name.value);
    const { typeCondition: on, selectionSet } = selection;
    return this.size(selectionSet, on ? this.schema.getType(on.name.value) : owner);
  }

  private field(node: FieldNode, owner: Owner): Size {
    const field =
      isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[node.name.value] : undefined;
    const inside = node.selectionSet
      ? this.size(node.selectionSet, field && getNamedType(field.type))
      : nothing();
    const declared = declaredCost(field);
    const isRow = declared.list === 'ofParent';
    return {
      fields: 1,
      depth: inside.depth + 1,
      cost: isRow ? 0 : this.cost(node, declared, inside),
      rowCost: isRow ? 1 + inside.cost : 0,
      aliases: inside.aliases + (node.alias ? 1 : 0),
      directives: inside.directives,
    };
  }

  private cost(
    node: FieldNode,
    { fields = 1, list, rows = pageAsked, perRow = 0 }: FieldCost,
    { cost, rowCost }: Size,
  ): number {
    const ofRow = perRow + (list === 'own' ? cost : rowCost);
    return fields + cost + (ofRow === 0 ? 0 : rows(this.sent(node)) * ofRow);
  }

  private fragment(name: string): Size {
    const known = this.measured.get(name);
    if (known !== undefined) return known;
    // Set first: a fragment in a circle, which validation refuses elsewhere, must not walk for ever.
    this.measured.set(name, nothing());
    const fragment = this.fragments.get(name);
    const size = fragment
      ? this.size(fragment.selectionSet, this.schema.getType(fragment.typeCondition.name.value))
      : nothing();
    this.measured.set(name, size);
    return size;
  }

  private sent({ arguments: given = [] }: FieldNode): SentArguments {
    const values = given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, this.variables)]);
    return Object.fromEntries(values) as SentArguments;
  }
}
