import {
  getOperationAST,
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import type { Config } from '../../config.js';
import { MOST_ON_A_PAGE } from '../page.js';
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

/** Moves that one analysis takes. */
export const MOST_ANALYSED = 1_000;

/** Judging one of them costs about as much as showing so many fields. */
const JUDGING_COST = 3;

/** A whole game as text. */
const EXPORT_COST = 100;

/** A line of moves judged, and the moves that follow shown. */
const EXPLORER_COST = 500;

/** Rows of a page whose length the arguments do not say. */
const UNSAID_LENGTH = MOST_ON_A_PAGE;

const nothing = (): Size => ({ fields: 0, depth: 0, cost: 0, rowCost: 0, aliases: 0, directives: 0 });

/** Lists of a length that is asked for, without pages. */
const HEADS = new Set(['opponents']);

/** Lists that are counted row by row: of a page, of an analysis, and of changes. */
const ROWS = new Set(['edges', 'plies', 'items']);

type Variables = Readonly<Record<string, unknown>> | undefined | null;

interface Size {
  /** Fields of this level. */
  fields: number;
  depth: number;
  cost: number;
  /** Of one row, where a page is meant. */
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
  const { fields, depth, cost, aliases, directives } = new Walk(document, variables).size(
    operation.selectionSet,
  );
  if (depth > limits.maxQueryDepth)
    return `it is ${depth} levels deep, and ${limits.maxQueryDepth} are allowed`;
  if (fields > limits.maxQueryRootFields)
    return `it has ${fields} root fields, and ${limits.maxQueryRootFields} are allowed`;
  if (aliases > limits.maxQueryAliases)
    return `it has ${aliases} aliases, and ${limits.maxQueryAliases} are allowed`;
  if (directives > limits.maxQueryDirectives)
    return `it has ${directives} directives, and ${limits.maxQueryDirectives} are allowed`;
  const long = longAlias(document);
  if (long !== null)
    return `the alias ${long.slice(0, 20)}... has ${long.length} characters, and ${MOST_OF_AN_ALIAS} are allowed`;
  if (cost > limits.maxQueryCost)
    return `it may answer with ${cost} fields, and ${limits.maxQueryCost} are allowed: ask for smaller pages, fewer moves or fewer fields`;
  const most = limits.maxIntrospectionKb * 1024;
  if (introspectsTooMuch(schema, document, operation, variables, most))
    return `it asks for more than ${limits.maxIntrospectionKb} KB of the schema: ask for fewer levels of types in types`;
  return null;
}

/** An alias stands in the answer as often as its field. */
const MOST_OF_AN_ALIAS = 100;

function longAlias(document: DocumentNode): string | null {
  let found: string | null = null;
  visit(document, {
    Field: ({ alias }) => {
      if (alias !== undefined && alias.value.length > MOST_OF_AN_ALIAS) found = alias.value;
    },
  });
  return found;
}

/** What an operation costs each time that it is answered, in fields. */
export function costOf(document: DocumentNode, operationName: string | null, variables: Variables): number {
  const operation = getOperationAST(document, operationName);
  return operation == null ? 0 : new Walk(document, variables).size(operation.selectionSet).cost;
}

class Walk {
  private readonly fragments: Fragments;
  // A fragment has one size, however often it is spread; measuring it once keeps the walk short.
  private readonly measured = new Map<string, Size>();

  constructor(
    document: DocumentNode,
    private readonly variables: Variables,
  ) {
    this.fragments = fragmentsOf(document);
  }

  size({ selections }: SelectionSetNode): Size {
    const total = nothing();
    for (const selection of selections) {
      const part = this.sizeOf(selection);
      total.fields += part.fields;
      total.depth = Math.max(total.depth, part.depth);
      total.cost += part.cost;
      total.rowCost += part.rowCost;
      total.aliases += part.aliases;
      total.directives += part.directives + (selection.directives?.length ?? 0);
    }
    return total;
  }

  private sizeOf(selection: SelectionSetNode['selections'][number]): Size {
    if (selection.kind === Kind.FIELD) return this.field(selection);
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.size(selection.selectionSet);
    return this.fragment(selection.name.value);
  }

  private field(node: FieldNode): Size {
    const inside = node.selectionSet ? this.size(node.selectionSet) : nothing();
    const isRow = ROWS.has(node.name.value);
    return {
      fields: 1,
      depth: inside.depth + 1,
      cost: isRow ? 0 : 1 + inside.cost + this.rowsCost(node, inside),
      rowCost: isRow ? 1 + inside.cost : 0,
      aliases: inside.aliases + (node.alias ? 1 : 0),
      directives: inside.directives,
    };
  }

  private fragment(name: string): Size {
    const known = this.measured.get(name);
    if (known !== undefined) return known;
    // Set first: a fragment in a circle, which validation refuses elsewhere, must not walk for ever.
    this.measured.set(name, nothing());
    const fragment = this.fragments.get(name);
    const size = fragment ? this.size(fragment.selectionSet) : nothing();
    this.measured.set(name, size);
    return size;
  }

  private rowsCost(node: FieldNode, { cost, rowCost }: Size): number {
    if (node.name.value === 'export') return EXPORT_COST - 1;
    if (node.name.value === 'explorer') return EXPLORER_COST - 1;
    if (node.name.value === 'analyse') return this.analysed(node) * (JUDGING_COST + rowCost);
    return this.rows(node) * (HEADS.has(node.name.value) ? cost : rowCost);
  }

  /** How many moves an analysis is given; as many as there may be where that cannot be seen. */
  private analysed({ arguments: given = [] }: FieldNode): number {
    const input = given.find(({ name }) => name.value === 'input');
    const value: unknown = input && valueFromASTUntyped(input.value, this.variables);
    if (typeof value !== 'object' || value === null) return MOST_ANALYSED;
    const { moves } = value as { readonly moves?: unknown };
    if (moves == null) return 0;
    return Array.isArray(moves) ? Math.min(moves.length, MOST_ANALYSED) : 1;
  }

  private rows({ arguments: given = [] }: FieldNode): number {
    const length = given.find(({ name }) => name.value === 'first' || name.value === 'last');
    return Math.max(1, (length && this.number(length.value)) ?? UNSAID_LENGTH);
  }

  private number(value: ValueNode): number | null {
    if (value.kind === Kind.INT) return Number(value.value);
    const given = value.kind === Kind.VARIABLE ? this.variables?.[value.name.value] : null;
    return typeof given === 'number' ? given : null;
  }
}
