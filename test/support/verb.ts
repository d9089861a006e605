import { readFileSync } from 'node:fs';
import { Kind, parse, print, type TypeNode } from 'graphql';
import {
  type Answer,
  type Body,
  type By,
  type Graphql,
  graphql,
  type Http,
  type Rest,
  rest,
} from './transport.js';

/** Defines an operation of the API once: its REST request and its GraphQL request for the same arguments. */

/** An operation that exists only in REST. */
export interface RestVerb<Args extends readonly unknown[], T> {
  rest(this: void, ...args: Args): Rest;
  /** Never set; carries the type of the answer. */
  readonly shown?: T;
}

export interface Verb<Args extends readonly unknown[], T> extends RestVerb<Args, T> {
  graphql(this: void, ...args: Args): Graphql;
}

export const verb = <Args extends readonly unknown[], T>(forms: Verb<Args, T>): Verb<Args, T> => forms;
export const restVerb = <Args extends readonly unknown[], T>(forms: RestVerb<Args, T>): RestVerb<Args, T> =>
  forms;

interface AnyVerb {
  rest(this: void, ...args: never): Rest;
  graphql?(this: void, ...args: never): Graphql;
}

/** The operations of a table as functions that send them. */
export type Spoken<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends RestVerb<infer Args, infer T>
    ? (by: By, ...args: Args) => Promise<Answer<T>>
    : never;
};

/** The operations over one transport. What GraphQL lacks is sent over REST. */
export function speak<Table extends Readonly<Record<string, AnyVerb>>>(
  table: Table,
  transport: 'REST' | 'GraphQL',
  http: Http,
): Spoken<Table> {
  const spoken = Object.entries(table).map(([name, forms]) => {
    const inGraphql = transport === 'GraphQL' ? forms.graphql : undefined;
    const call =
      inGraphql === undefined
        ? (by: By, ...args: never) => rest(http, by, forms.rest(...args))
        : (by: By, ...args: never) => graphql(http, by, inGraphql(...args));
    return [name, call];
  });
  return Object.fromEntries(spoken) as Spoken<Table>;
}

export const get = (path: string, query?: Body): Rest => ({ method: 'get', path, query });
interface Listed {
  readonly items: readonly unknown[];
  readonly next: string | null;
  readonly previous?: string | null;
}

/** Converts a REST list to the form of GraphQL. */
export const getEdges = (path: string, query?: Body): Rest => ({
  ...get(path, query),
  read: ({ items, ...listed }: Listed) => ({ edges: items.map((node) => ({ node })), ...placeOf(listed) }),
});

/** A REST list of games. */
export const getGames = (path: string, query?: Body): Rest => ({
  ...get(path, query),
  read: ({ items: games, ...listed }: Listed) => ({ games, ...placeOf(listed) }),
});

/** The items of a REST list that has only one page. */
export const getAll = (path: string, query?: Body): Rest => ({
  ...get(path, query),
  read: ({ items }: Listed) => items,
});

const placeOf = ({ next, previous, ...more }: Omit<Listed, 'items'>) => ({
  pageInfo: {
    hasNextPage: next !== null,
    hasPreviousPage: previous === undefined ? undefined : previous !== null,
    startCursor: previous ?? null,
    endCursor: next,
  },
  ...more,
});

export const post = (path: string, body?: unknown, key?: string): Rest => ({
  method: 'post',
  path,
  body,
  key,
});
export const put = (path: string, body?: unknown): Rest => ({ method: 'put', path, body });
export const remove = (path: string): Rest => ({ method: 'delete', path });

/** The idempotency key of an input, if given. */
export const keyed = (input: Body, key?: string): Body =>
  key === undefined ? input : { ...input, idempotencyKey: key };

export const query = (field: string, args?: Body, selection?: string): Graphql =>
  operation('query', field, args, selection);
export const mutation = (field: string, input?: Body, selection?: string): Graphql =>
  operation('mutation', field, input && { input }, selection);

/** A request of which only this part of the payload matters. */
export const part = <Sent extends Rest | Graphql>(name: string, sent: Sent): Sent => ({
  ...sent,
  part: name,
});

/** A nested field of a query's answer, such as `viewer.note` of a game; null if any parent is null. */
export function queryPart(
  owner: string,
  ownerArgs: Body,
  path: string,
  args: Body = {},
  selection = '',
): Graphql {
  const names = path.split('.');
  const [field, way] = [names.at(-1)!, names.slice(0, -1)];
  const type = way.reduce(
    (parent, name) => FIELDS.get(`${parent}.${name}`)!.type,
    FIELDS.get(`Query.${owner}`)!.type,
  );
  const [of, asked] = [called('Query', owner, ownerArgs), called(type, field, args)];
  return {
    document: (fields) => {
      const part = way.reduceRight((inner, name) => `${name} { ${inner} }`, `${asked.text} ${fields}`);
      return `query ${declared([...of.declared, ...asked.declared])} { ${of.text} { ${part} } }`;
    },
    selection,
    variables: { ...ownerArgs, ...args },
    read: (answer: Body | null) =>
      names.reduce<unknown>((found, name) => (found as Body | null) && (found as Body)[name], answer),
  };
}

function operation(kind: 'query' | 'mutation', field: string, args: Body = {}, selection = ''): Graphql {
  const { text, declared: types } = called(kind === 'query' ? 'Query' : 'Mutation', field, args);
  const document = (fields: string) => `${kind} ${declared(types)} { ${text} ${fields} }`;
  return { document, selection, variables: args };
}

const declared = (types: readonly string[]) => (types.length === 0 ? '' : `(${types.join(', ')})`);

interface Field {
  /** The name of its type. */
  readonly type: string;
  /** The types of its arguments. */
  readonly args: Readonly<Record<string, string>>;
}

/** A field with a variable for each argument that is given or required. */
function called(type: string, name: string, args: Body): { text: string; declared: readonly string[] } {
  const types = FIELDS.get(`${type}.${name}`)!.args;
  const unknown = Object.keys(args).find((arg) => args[arg] !== undefined && types[arg] === undefined);
  if (unknown !== undefined) throw new Error(`${type}.${name} has no argument ${unknown}`);
  const sent = Object.keys(types).filter((arg) => args[arg] !== undefined || types[arg]!.endsWith('!'));
  return {
    text: sent.length === 0 ? name : `${name}(${sent.map((arg) => `${arg}: $${arg}`).join(', ')})`,
    declared: sent.map((arg) => `$${arg}: ${types[arg]}`),
  };
}

const FIELDS = readFields(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

/** All fields of the schema, as `Query.game`. */
function readFields(schema: string): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const definition of parse(schema, { noLocation: true }).definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    for (const { name, type, arguments: args = [] } of definition.fields ?? []) {
      const types = args.map((arg) => {
        // Arguments with a default are optional.
        const text = print(arg.type);
        return [arg.name.value, arg.defaultValue === undefined ? text : text.replace(/!$/, '')] as const;
      });
      fields.set(`${definition.name.value}.${name.value}`, {
        type: named(type),
        args: Object.fromEntries(types),
      });
    }
  }
  return fields;
}

function named(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type);
}
