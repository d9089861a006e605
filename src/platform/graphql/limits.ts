import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import type { Config } from '../../config.js';
import { DomainError, type ShownCost } from '../errors/errors.js';
import { MAX_PAGE_SIZE } from '../contract/page.js';
import { declaredCost, pageAsked, pageOf, type FieldCost, type SentArguments } from '../contract/cost.js';
import { fragmentsOf, type Fragments } from './fragments.js';
import { introspectsTooMuch } from './introspection.js';

/** The limits of one operation. A fragment counts wherever it is spread, so that it cannot hide anything. */

export type QueryLimits = Pick<
  Config,
  | 'maxQueryDepth'
  | 'maxQueryRootFields'
  | 'maxQueryAliases'
  | 'maxQueryDirectives'
  | 'maxQueryCost'
  | 'maxIntrospectionKb'
>;

const nothing = (): Size => ({
  fields: 0,
  depth: 0,
  cost: 0,
  rowCost: 0,
  aliases: 0,
  directives: 0,
});

type Given = Readonly<Record<string, unknown>>;
type Variables = Given | undefined | null;

interface Size {
  /** Fields at this level. */
  fields: number;
  depth: number;
  cost: number;
  /** The cost of one row of the lists whose length the parent field determines. */
  rowCost: number;
  aliases: number;
  directives: number;
}

export interface Measured {
  readonly cost: ShownCost;
  /** Which limit it exceeds, in words that follow "This operation"; or null. */
  readonly fault: string | null;
  /** Whether it reads much of the schema itself, of which the cost says nothing. */
  readonly readsSchema: boolean;
}

/** An answer about the schema that takes some 10 ms; the usual clients ask for ten times as much. */
const LONG_SCHEMA_BYTES = 60_000;

/** What was measured of parsed operations whose variables do not matter. Released together with the document. */
const known = new WeakMap<OperationDefinitionNode, Measured>();

/**
 * Measures an operation before any of it is resolved. One whose variables do not matter is measured once; the same
 * operation must always be given with the same schema and limits.
 */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  sent: Variables,
  limits: QueryLimits,
): Measured {
  const before = known.get(operation);
  if (before !== undefined) return before;
  const variables = withDefaults(operation, sent);
  const walk = new Walk(schema, document, variables);
  const size = walk.whole(operation);
  const fault =
    excess(size, document, limits) ?? longIntrospection(schema, document, operation, variables, limits);
  const readsSchema = introspectsTooMuch(schema, document, operation, variables, LONG_SCHEMA_BYTES);
  const measured = { cost: { requested: size.cost, limit: limits.maxQueryCost }, fault, readsSchema };
  if (!walk.usesVariables) known.set(operation, measured);
  return measured;
}

/** The refusal of an operation that exceeds a limit; `fault` says which. */
export const tooCostly = (fault: string, cost: ShownCost): DomainError =>
  new DomainError('QUERY_TOO_COSTLY', `This operation ${fault}.`, { cost });

/** The variables as sent, with defaults for omitted ones. */
function withDefaults({ variableDefinitions = [] }: OperationDefinitionNode, sent: Variables): Given {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
  );
  return { ...Object.fromEntries(defaults), ...sent };
}

function excess(size: Size, document: DocumentNode, limits: QueryLimits): string | null {
  const { fields, depth, cost, aliases, directives } = size;
  const alias = longAlias(document);
  const counted = [
    { many: depth, most: limits.maxQueryDepth, what: `is ${depth} levels deep` },
    { many: fields, most: limits.maxQueryRootFields, what: `has ${fields} root fields` },
    { many: aliases, most: limits.maxQueryAliases, what: `has ${aliases} aliases` },
    { many: directives, most: limits.maxQueryDirectives, what: `has ${directives} directives` },
    {
      many: alias.length,
      most: MOST_OF_AN_ALIAS,
      what: `has an alias of ${alias.length} characters (${alias.slice(0, 20)}...)`,
    },
    {
      many: cost,
      most: limits.maxQueryCost,
      what: `costs ${cost} fields`,
      instead: '. Request smaller pages or fewer fields',
    },
  ];
  const over = counted.find(({ many, most }) => many > most);
  return over === undefined ? null : `${over.what}; the limit is ${over.most}${over.instead ?? ''}`;
}

function longIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Given,
  { maxIntrospectionKb: most }: QueryLimits,
): string | null {
  return introspectsTooMuch(schema, document, operation, variables, most * 1024)
    ? `asks for more than ${most} KiB of the schema, the limit. Request fewer levels of types within types`
    : null;
}

/** Validation compares each of them with all others. */
const MOST_REPETITIONS = 10;

/**
 * Refuses a document that has the same field with a selection many times side by side, which takes long to validate. Throws
 * QUERY_TOO_COSTLY.
 */
export function assertQuickToValidate(document: DocumentNode): void {
  visit(document, {
    SelectionSet: ({ selections }) => {
      const counts = new Map<string, number>();
      for (const each of selections) {
        if (each.kind !== Kind.FIELD || each.selectionSet === undefined) continue;
        const name = (each.alias ?? each.name).value;
        const many = (counts.get(name) ?? 0) + 1;
        counts.set(name, many);
        if (many > MOST_REPETITIONS) throw repeated(name);
      }
    },
  });
}

const repeated = (name: string): DomainError =>
  new DomainError(
    'QUERY_TOO_COSTLY',
    `This document has the field ${name.slice(0, 60)} more than ${MOST_REPETITIONS} times side by side. Ask for it once.`,
  );

/** An alias is repeated in the answer for every row. */
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

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
  return value.kind === Kind.VARIABLE;
}

/** The rows of a page are read even if only `pageInfo` is selected; each counts like `edges { cursor }`. */
const LEAST_OF_A_ROW = 2;

/** The type of the parent of a selection; undefined if only validation can tell. */
type Owner = GraphQLNamedType | null | undefined;

class Walk {
  /** Whether the size depends on variables: on the number of rows, or on what is asked of the schema. */
  usesVariables = false;
  private readonly fragments: Fragments;
  // A fragment is measured once, however often it is spread.
  private readonly measured = new Map<string, Size>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Given,
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
    // The schema describes itself with fields that are not among those of the root; their arguments count elsewhere.
    if (field === undefined) this.note(node);
    const type = field && getNamedType(field.type);
    const inside = node.selectionSet ? this.size(node.selectionSet, type) : nothing();
    const declared = declaredCost(field);
    const isRow = declared.list === 'ofParent';
    return {
      fields: 1,
      depth: inside.depth + 1,
      cost: isRow ? 0 : this.cost(node, declared, inside, pageOf(type)),
      rowCost: isRow ? 1 + inside.cost : 0,
      aliases: inside.aliases + (node.alias ? 1 : 0),
      directives: inside.directives,
    };
  }

  private cost(
    node: FieldNode,
    { fields = 1, list, rows = pageAsked, page = MAX_PAGE_SIZE, perRow = 0 }: FieldCost,
    { cost, rowCost }: Size,
    pageSize: number | undefined,
  ): number {
    const least = pageSize === undefined ? 0 : LEAST_OF_A_ROW;
    const ofRow = Math.max(least, perRow + (list === 'own' ? cost : rowCost));
    const once = list === 'own' ? 0 : cost;
    return fields + once + (ofRow === 0 ? 0 : rows(this.sent(node), pageSize ?? page) * ofRow);
  }

  private fragment(name: string): Size {
    const known = this.measured.get(name);
    if (known !== undefined) return known;
    // Set before measuring, so that circular fragments, which validation refuses, do not loop.
    this.measured.set(name, nothing());
    const fragment = this.fragments.get(name);
    const size = fragment
      ? this.size(fragment.selectionSet, this.schema.getType(fragment.typeCondition.name.value))
      : nothing();
    this.measured.set(name, size);
    return size;
  }

  private note({ arguments: given = [] }: FieldNode): void {
    this.usesVariables ||= given.some(({ value }) => hasVariable(value));
  }

  private sent(node: FieldNode): SentArguments {
    this.note(node);
    const { arguments: given = [] } = node;
    const values = given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, this.variables)]);
    return Object.fromEntries(values) as SentArguments;
  }
}
