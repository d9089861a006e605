import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { openApi } from '../../src/pages/openapi.js';
import { restApi } from '../support/api.js';
import { bearer, type Person, register } from '../support/people.js';
import { rounds } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type Body, must, type Request, send, sendGraphql } from '../support/transport.js';

/** Junk in every field of every mutation, query and route: each is refused by name, and nothing breaks. */
// Long: it plays many random cases.

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const MOMENT = '2026-01-31T12:00:00.000Z';
const TEXTS = [
  '',
  'x',
  'x'.repeat(5000),
  '__proto__',
  'toString',
  'constructor',
  '1',
  '0x10',
  'true',
  '\ud800',
];
const OTHERS: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  {},
  { toString: 1 },
  { length: -1 },
  [],
  [null],
  [1],
  [[1]],
  ['x'],
];
/** The quick suite tries a quarter of the values, another one in each field. */
const STEP = rounds(1, 4);
const junkFor = (at: number) => [...TEXTS, ...OTHERS].filter((_, n) => (n + at) % STEP === 0);

let server: TestServer;
let ann: Person;
let gus: { readonly authorization: string };
let site: { readonly authorization: string };
/** Who may send this, so that it is read. */
const sender = (name: string) => {
  if (name.includes('claim')) return gus;
  return OF_A_SITE.test(name) ? site : ann;
};
/** What an application does as itself. */
const OF_A_SITE =
  /\/v1\/application\/|^(?:savePlayers?|createPlayerToken|erasePlayer|createGames|own[A-Z]\w+)$/;
beforeAll(async () => {
  server = await sharedServer();
  ann = await register(server.http, 'ann');
  const api = restApi(server.http);
  const { application, secret } = must(await api.createApplication(ann, { name: 'A site', url: 'https://example.org' })); // prettier-ignore
  const { token } = must(await api.createApplicationToken(null, application.id, secret));
  site = { authorization: `Bearer ${token}` };
  gus = bearer(must(await restApi(server.http).createGuest(null)));
});
afterAll(() => server.close());

interface Fault {
  readonly code: string;
  readonly field?: string;
}

/** Whether an error names this part, as `input.timeControl.type` and `status[1]` do. */
const names = ({ field = '' }: Fault, name: string): boolean => field.split(/[.[]/).includes(name);

describe('over REST', () => {
  interface Schema {
    /** One type, or one and null. */
    readonly type?: string | readonly string[];
    readonly items?: Schema;
    readonly format?: string;
    readonly enum?: readonly unknown[];
    readonly nullable?: boolean;
    readonly $ref?: string;
    readonly oneOf?: readonly Schema[];
    readonly anyOf?: readonly Schema[];
    readonly allOf?: readonly Schema[];
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  }
  interface Parameter {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }
  interface Route {
    readonly name: string;
    readonly method: NonNullable<Request['method']>;
    readonly path: string;
    readonly parameters: readonly Parameter[];
    readonly body: Schema | null;
  }

  let routes: readonly Route[];
  let resolve: (schema: Schema) => Schema;

  beforeAll(() => {
    const { paths, components } = openApi(server.app) as unknown as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, {
        readonly parameters?: readonly Parameter[];
        readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
      }>>>>;
      readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
    }; // prettier-ignore
    resolve = (given) => {
      const schema = given.$ref ? components.schemas[given.$ref.split('/').at(-1)!]! : given;
      // The first form of a choice; a described reference is alone in an allOf.
      const form = schema.allOf?.[0] ?? schema.oneOf?.[0];
      if (form !== undefined) return resolve(form);
      if (schema.anyOf !== undefined) return { ...resolve(schema.anyOf[0]!), nullable: true };
      const types = [schema.type ?? []].flat();
      const type = types.find((one) => one !== 'null');
      return { ...schema, ...(type === undefined ? {} : { type }), nullable: types.includes('null') };
    };
    routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
        name: `${method} ${path}`,
        method: method as Route['method'],
        path,
        parameters,
        body: requestBody === undefined ? null : resolve(requestBody.content['application/json']!.schema),
      })),
    );
  });

  /** What passes the check of a field, whatever happens to it later. */
  function passing(given: Schema): unknown {
    const schema = resolve(given);
    if (schema.properties !== undefined) return passingObject(schema);
    if (schema.enum !== undefined) return schema.enum.find((word) => word !== null);
    if (schema.format === 'uuid') return NOWHERE;
    if (schema.format === 'date-time') return MOMENT;
    return { string: 'x', integer: 1, boolean: true, array: [], object: {} }[String(schema.type ?? 'string')];
  }
  const passingObject = ({ properties = {}, required = [] }: Schema): Body =>
    Object.fromEntries(required.map((name) => [name, passing(properties[name]!)]));

  /** Whether a value is of the wrong type or not in the enum, so that the check must refuse it. */
  function misfits(given: Schema, value: unknown): boolean {
    const schema = resolve(given);
    // Trees of conditional moves have their own reader, after the game is found.
    if (schema.items?.anyOf !== undefined) return false;
    if (value === null) return schema.nullable !== true;
    if (schema.properties !== undefined) return true;
    if (schema.enum !== undefined) return !schema.enum.includes(value);
    if (schema.format !== undefined) return value !== (schema.format === 'uuid' ? NOWHERE : MOMENT);
    switch (schema.type) {
      case 'string':
        return typeof value !== 'string';
      case 'integer':
        return !Number.isInteger(value);
      case 'boolean':
        return typeof value !== 'boolean';
      case 'object':
        return typeof value !== 'object' || Array.isArray(value);
      default:
        return !Array.isArray(value);
    }
  }

  const pathOf = ({ path, parameters }: Route, junk: Body = {}): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const { schema } = parameters.find((each) => each.in === 'path' && each.name === name)!;
      return encodeURIComponent(String(junk[name] ?? (name === 'id' ? NOWHERE : passing(schema))));
    });

  async function refusalOf(route: Route, request: Request, path = pathOf(route)): Promise<Fault | null> {
    const { status, body } = await send(
      server.http,
      path,
      { method: route.method, ...request },
      sender(route.name),
    );
    if (status >= 500) throw new Error(`${route.name} ${JSON.stringify(request)}: ${JSON.stringify(body)}`);
    return status < 400 ? null : (body as Fault);
  }

  it('refuses junk in every field of every body', async () => {
    const wrong: string[] = [];
    for (const route of routes.filter(({ body }) => body !== null)) {
      const whole = passingObject(route.body!);
      for (const [at, [name, schema]] of Object.entries(route.body!.properties ?? {}).entries()) {
        for (const junk of junkFor(at)) {
          const refusal = await refusalOf(route, { body: { ...whole, [name]: junk } });
          // Of a choice, null is no form at all.
          const isNamed = refusal && (names(refusal, name) || (junk === null && names(refusal, 'body')));
          const isRefused = refusal?.code === 'BAD_INPUT' && isNamed === true;
          if (misfits(schema, junk) && !isRefused)
            wrong.push(`${route.name} ${name} ${JSON.stringify(junk)}: ${JSON.stringify(refusal)}`);
        }
        if (!(route.body!.required ?? []).includes(name)) continue;
        const { [name]: _, ...rest } = whole;
        const refusal = await refusalOf(route, { body: rest });
        // If no form of a choice is given, the error is about the whole body.
        const isNamed = refusal?.code === 'BAD_INPUT' && (names(refusal, name) || names(refusal, 'body'));
        if (!isNamed) wrong.push(`${route.name} without ${name}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it('refuses junk as the whole body, and unknown fields', async () => {
    const wrong: string[] = [];
    for (const route of routes.filter(({ body }) => body !== null)) {
      const whole = passingObject(route.body!);
      const strange = ['nothing', 'toString', 'hasOwnProperty', '__proto__', 'constructor', 'x'.repeat(5000)];
      const bodies = [
        ...['[]', '[1]', '[{}]', '"x"', '5', 'true'],
        ...strange.map((name) => JSON.stringify(whole).replace(/\}$/, `${whole && Object.keys(whole).length > 0 ? ',' : ''}"${name}":1}`)),
      ]; // prettier-ignore
      for (const body of bodies) {
        const headers = { 'Content-Type': 'application/json' };
        const refusal = await refusalOf(route, { body, headers });
        if (refusal?.code !== 'BAD_INPUT')
          wrong.push(`${route.name} ${body.slice(0, 80)}: ${JSON.stringify(refusal)}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it('refuses junk in every part of every address', async () => {
    const wrong: string[] = [];
    for (const route of routes) {
      const inQuery = route.parameters.filter((each) => each.in === 'query');
      const needed = inQuery.filter(({ required }) => required);
      const query = Object.fromEntries(needed.map(({ name, schema }) => [name, passing(schema)]));
      const body = route.body === null ? {} : { body: passingObject(route.body) };
      for (const { name, schema: given } of inQuery) {
        const schema = resolve(given);
        // A flag that is set is no junk, and one ends the session.
        for (const junk of TEXTS.filter((text) => schema.type !== 'boolean' || text !== 'true')) {
          const refusal = await refusalOf(route, { query: { ...query, [name]: junk }, ...body });
          const kind = schema.items ?? schema;
          const isText = kind.type === 'string' && kind.format === undefined && kind.enum === undefined;
          const isRight = isText || (schema.type === 'integer' && junk === '1');
          if (!isRight && (refusal?.code !== 'BAD_INPUT' || !names(refusal, name)))
            wrong.push(`${route.name}?${name}=${junk}: ${JSON.stringify(refusal)}`);
        }
        await refusalOf(route, body, `${pathOf(route)}?${name}=a&${name}=b`);
      }
      for (const name of inQuery.length > 0 && route.body === null
        ? ['nothing', 'toString', '__proto__']
        : []) {
        const refusal = await refusalOf(route, {}, `${pathOf(route)}?${name}=1`);
        if (refusal?.code !== 'BAD_INPUT') wrong.push(`${route.name}?${name}: ${JSON.stringify(refusal)}`);
      }
      for (const { name } of route.parameters.filter((each) => each.in === 'path')) {
        for (const junk of ['x', '__proto__', 'toString', '%00', '1', '-1', ' ']) {
          const refusal = await refusalOf(route, { query, ...body }, pathOf(route, { [name]: junk }));
          if (name === 'id' && !route.path.includes('rulesets') && refusal?.code !== 'NOT_FOUND')
            wrong.push(`${route.name} ${name} ${junk}: ${JSON.stringify(refusal)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});

describe('over GraphQL', () => {
  type Input = GraphQLArgument | GraphQLInputField;

  const isRequired = ({ type, defaultValue }: Input) => isNonNullType(type) && defaultValue === undefined;

  /** What passes the check of a field, whatever happens to it later. */
  function passing(type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return passing(type.ofType);
    if (isListType(type)) return [];
    if (isInputObjectType(type)) return passingAll(type);
    if (isEnumType(type)) return type.getValues()[0]!.name;
    return { Int: 1, Boolean: true, ID: NOWHERE, DateTime: MOMENT, JSON: {} }[type.name] ?? 'x';
  }
  const passingArgs = (inputs: readonly Input[]): Record<string, unknown> =>
    Object.fromEntries(inputs.filter(isRequired).map(({ name, type }) => [name, passing(type)]));
  /** The first form of a choice. */
  function passingAll(type: GraphQLInputObjectType): Record<string, unknown> {
    const fields = Object.values(type.getFields());
    return type.isOneOf ? { [fields[0]!.name]: passing(fields[0]!.type) } : passingArgs(fields);
  }

  /** The same with each junk value in each field, also in nested inputs. */
  function* junked(
    inputs: readonly Input[],
    isChoice = false,
    within: readonly GraphQLInputType[] = [],
  ): Generator<[Input, unknown, Body]> {
    const whole = isChoice ? {} : passingArgs(inputs);
    for (const [at, input] of inputs.entries()) {
      for (const junk of junkFor(at)) yield [input, junk, { ...whole, [input.name]: junk }];
      const type = getNamedType(input.type);
      // A recursive input is tried once.
      if (!isInputObjectType(type) || within.includes(type)) continue;
      const fields = Object.values(type.getFields());
      for (const [inner, junk, part] of junked(fields, type.isOneOf, [...within, type]))
        yield [inner, junk, { ...whole, [input.name]: isListType(input.type) ? [part] : part }];
    }
  }

  /** Whether a value is of the wrong type or not in the enum, so that it must be refused. */
  function misfits({ type, name }: Input, value: unknown): boolean {
    const kind = isNonNullType(type) ? type.ofType : type;
    if (value === null) return isNonNullType(type);
    if (isListType(kind) || isInputObjectType(kind)) return false;
    switch (getNamedType(kind).name) {
      case 'Int':
        return !Number.isInteger(value) || Math.abs(value as number) >= 2 ** 31;
      case 'Boolean':
        return typeof value !== 'boolean';
      case 'JSON':
        // Trees of conditional moves have their own reader, after the game is found.
        return name === 'options' && (typeof value !== 'object' || Array.isArray(value));
      case 'String':
        return typeof value !== 'string';
      default:
        return true;
    }
  }

  const document = (operation: string, { name, args, type }: GraphQLField<unknown, unknown>): string => {
    const declared = args.map((each) => `$${each.name}: ${String(each.type)}`).join(', ');
    const given = args.map((each) => `${each.name}: $${each.name}`).join(', ');
    const isLeaf = isLeafType(getNamedType(type));
    return `${operation} (${declared}) { ${name}(${given}) ${isLeaf ? '' : '{ __typename }'} }`;
  };

  it.each(['query', 'mutation'] as const)(
    'refuses junk in every argument of every %s',
    async (operation) => {
      const { schema } = server.app.get(GraphQLSchemaHost);
      const root = operation === 'query' ? schema.getQueryType()! : schema.getMutationType()!;
      const wrong: string[] = [];
      for (const field of Object.values(root.getFields())) {
        for (const [input, junk, variables] of junked(field.args)) {
          if (field.name === 'endSessions' && junk === true) continue;
          const { status, body } = await sendGraphql(
            server.http,
            document(operation, field),
            variables,
            sender(field.name),
          );
          const told = (body.errors as { extensions: Fault }[] | undefined)?.[0]?.extensions;
          const isNamed = ['BAD_INPUT', 'NOT_FOUND'].includes(told?.code ?? '') && names(told!, input.name);
          // The cost is checked before the arguments.
          const isRefused = told?.code === 'QUERY_TOO_COSTLY' || isNamed;
          const isFault = status >= 500 || /INTERNAL|UNAVAILABLE/.test(told?.code ?? '');
          // An invalid id finds nothing.
          const isMissing = !told && /^(node)?id$/i.test(input.name) && body.data[field.name] === null;
          if (isFault || (misfits(input, junk) && !isRefused && !isMissing))
          wrong.push(`${field.name} ${JSON.stringify(variables).slice(0, 200)}: ${JSON.stringify(body).slice(0, 300)}`); // prettier-ignore
        }
      }
      expect(wrong).toEqual([]);
    },
    300_000,
  );
});
