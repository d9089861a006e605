import {
  getNamedType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { Random } from './random-games.js';
import type { Body } from './transport.js';

/**
 * Random queries for a schema: selections, arguments, aliases, variables with defaults, fragments,
 * directives.
 */

export interface RandomQuery {
  readonly query: string;
  readonly variables: Body;
}

/** Values for arguments by name, or by field and name as `game.id`. */
export type Values = Readonly<Record<string, readonly unknown[]>>;

type Field = GraphQLField<unknown, unknown>;
type Owner = GraphQLObjectType | GraphQLInterfaceType;

const DEEPEST = 8;

export const randomQuery = (schema: GraphQLSchema, values: Values, pick: Random): RandomQuery =>
  new Maker(schema, values, pick).query(schema.getQueryType()!);

class Maker {
  private readonly declared: string[] = [];
  private readonly fragments: string[] = [];
  private readonly variables: Record<string, unknown> = {};
  private aliases = 0;
  /** The approximate number of fields. */
  private left: number;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly values: Values,
    private readonly pick: Random,
  ) {
    this.left = 3 + pick(40);
  }

  query(root: GraphQLObjectType): RandomQuery {
    const fields = Object.values(root.getFields());
    const asked = Array.from({ length: 1 + this.pick(2) }, () => this.field(this.one(fields), 1));
    const head = this.declared.length === 0 ? '' : `(${this.declared.join(', ')})`;
    const query = [`query${head} { ${asked.join(' ')} }`, ...this.fragments].join('\n');
    return { query, variables: this.variables };
  }

  private selection(type: Owner, depth: number): string {
    if (isInterfaceType(type) && this.pick(2) === 0) {
      const object = this.one(this.schema.getPossibleTypes(type));
      return `... on ${object.name} { ${this.selection(object, depth)} }`;
    }
    const fields = Object.values(type.getFields());
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const parts = depth >= DEEPEST || this.left <= 0 ? [] : fields.filter((field) => !leaves.includes(field));
    const some = [...leaves.filter(() => this.pick(3) === 0), ...parts.filter(() => this.pick(3) > 0)];
    const chosen = some.length > 0 ? some : parts.length > 0 ? [this.one(parts)] : leaves.slice(0, 1);
    const asked = chosen.map((field) => this.field(field, depth + 1)).join(' ') || '__typename';
    return this.wrapped(type, asked);
  }

  private wrapped(type: Owner, asked: string): string {
    switch (this.pick(8)) {
      case 0:
        return `... on ${type.name} { ${asked} }`;
      case 1:
        return `... @include(if: true) { ${asked} }`;
      case 2: {
        const name = `F${this.fragments.length}`;
        this.fragments.push(`fragment ${name} on ${type.name} { ${asked} }`);
        return `...${name}`;
      }
      default:
        return asked;
    }
  }

  /** A field with arguments gets an alias, because it may be selected again with others. */
  private field(field: Field, depth: number): string {
    this.left -= 1;
    const type = getNamedType(field.type);
    const args = field.args.flatMap((arg) => this.argument(field, arg));
    const alias = field.args.length > 0 ? `a${this.aliases++}: ` : '';
    const inside = isLeafType(type) ? '' : ` { ${this.selection(type as Owner, depth)} }`;
    return `${alias}${field.name}${args.length === 0 ? '' : `(${args.join(', ')})`}${inside}`;
  }

  private argument(field: Field, arg: GraphQLArgument): string[] {
    const isRequired = isNonNullType(arg.type) && arg.defaultValue === undefined;
    const known = this.valuesOf(field, arg);
    if (known === undefined) {
      if (isRequired) throw new Error(`No values for ${field.name}(${arg.name}: ${String(arg.type)})`);
      return [];
    }
    if (!isRequired && this.pick(2) === 0) return [];
    const value = this.one(known);
    if (this.pick(2) === 0) return [`${arg.name}: ${literal(value, arg)}`];
    return [`${arg.name}: $${this.variable(arg, value)}`];
  }

  private valuesOf(field: Field, arg: GraphQLArgument): readonly unknown[] | undefined {
    const named = getNamedType(arg.type);
    const values = this.values[`${field.name}.${arg.name}`] ?? this.values[arg.name];
    return values ?? (isEnumType(named) ? named.getValues().map(({ name }) => name) : undefined);
  }

  /** Sent, or left to its default. */
  private variable(arg: GraphQLArgument, value: unknown): string {
    const name = `v${this.declared.length}`;
    const isByDefault = this.pick(2) === 0;
    this.declared.push(`$${name}: ${String(arg.type)}${isByDefault ? ` = ${literal(value, arg)}` : ''}`);
    if (!isByDefault || this.pick(4) === 0) this.variables[name] = value;
    return name;
  }

  private one<T>(all: readonly T[]): T {
    return all[this.pick(all.length)]!;
  }
}

/** A value as a GraphQL literal; enum values are unquoted. */
function literal(value: unknown, { type }: Pick<GraphQLArgument, 'type'>): string {
  if (isEnumType(getNamedType(type)) && !isListType(type)) return String(value);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, { type: getNamedType(type) })).join(', ')}]`; // prettier-ignore
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${JSON.stringify(one).replace(/"(\w+)":/g, '$1: ')}`); // prettier-ignore
  return `{ ${fields.join(', ')} }`;
}
