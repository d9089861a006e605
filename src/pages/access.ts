import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { type Access, accessOf, accessOfField } from '../platform/access.js';
import { type Scope, SCOPES } from '../platform/scopes.js';

/** Who gets an answer to what: read from the definitions, so that nothing is told twice. */

export interface AccessRow {
  /** As `game`, `Game.viewer` or `GET /v1/games/:id`. */
  readonly name: string;
  readonly access: Access;
}

export const ACCESS_KINDS = ['Query', 'Mutation', 'Subscription', 'Field', 'Route'] as const;
export type AccessTable = Readonly<Record<(typeof ACCESS_KINDS)[number], readonly AccessRow[]>>;

/** Throws where a root field or a route does not say what it needs. */
export function accessTable(app: NestFastifyApplication): AccessTable {
  const { schema } = app.get(GraphQLSchemaHost);
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!] as const;
  const [Query, Mutation, Subscription] = roots.map(rootRows) as [AccessRow[], AccessRow[], AccessRow[]];
  return { Query, Mutation, Subscription, Field: fieldRows(schema, roots), Route: routeRows(app) };
}

const rootRows = (root: GraphQLObjectType): AccessRow[] =>
  Object.values(root.getFields()).map((field) => {
    const access = accessOfField(field);
    if (access === undefined) throw new Error(`${root.name}.${field.name} has neither @Needs nor @Public.`);
    return { name: field.name, access };
  });

const fieldRows = (schema: GraphQLSchema, roots: readonly GraphQLObjectType[]): AccessRow[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter((type) => !roots.includes(type))
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => {
        const access = accessOfField(field);
        return access === undefined ? [] : [{ name: `${type.name}.${field.name}`, access }];
      }),
    );

const routeRows = (app: NestFastifyApplication): AccessRow[] =>
  [...app.get(ModulesContainer).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype }) => routesOf(metatype as new () => unknown))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

function routesOf(controller: new () => unknown): AccessRow[] {
  const prototype = controller.prototype as Readonly<Record<string, () => unknown>>;
  const handlers = new MetadataScanner().getAllMethodNames(prototype).map((name) => prototype[name]!);
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return handlers
    .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler))
    .map((handler) => {
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const path = [base, Reflect.getMetadata(PATH_METADATA, handler) as string].map(trimmed);
      return { name: `${method} /${path.filter(Boolean).join('/')}`, access: accessOf(handler) };
    });
}

const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '');

const HEAD = `# Scopes, and what needs them

Written by \`npm run schema\` from the definitions in the code; do not edit it.

An access token is good for what its scopes say. The tokens of a session that a user has opened with their password have
all scopes. Where a token is required, one that lacks a scope is refused with \`INSUFFICIENT_SCOPE\`, which names what is
needed in \`scope\`. What is answered without a token is answered to every valid token; one that lacks a scope counts as no
token there, and what depends on the viewer is null or left out. A field of GraphQL is refused alone: it is null, beside the
answer to the rest and an error. Without a token it is null without an error.`;

const TITLES: Readonly<Record<keyof AccessTable, string>> = {
  Query: 'Queries',
  Mutation: 'Mutations',
  Subscription: 'Subscriptions',
  Field: 'Fields that depend on the viewer',
  Route: 'Routes',
};

/** The table for people, as docs/access.md has it. */
export function accessText(app: NestFastifyApplication): string {
  const table = accessTable(app);
  const told = Object.entries(SCOPES).map(([scope, sentence]) => [code(scope), sentence]);
  const scopes = section('Scopes', ['Scope', 'What a user allows with it'], told);
  const parts = ACCESS_KINDS.map((kind) =>
    section(
      TITLES[kind],
      [kind, ...COLUMNS],
      table[kind].map((row) => cellsOf(kind, row)),
    ),
  );
  return `${[HEAD, scopes, ...parts].join('\n\n')}\n`;
}

const COLUMNS = ['Without a token', 'Scopes that a token needs'];

const cellsOf = (kind: keyof AccessTable, { name, access }: AccessRow): string[] => [
  code(name),
  access.token === 'required' ? 'no' : 'yes',
  scopesText(access.scopes, kind !== 'Field' && access.token !== 'required'),
];

function scopesText(scopes: readonly Scope[], isOptional: boolean): string {
  if (scopes.length === 0) return 'none';
  const all = scopes.map(code).join(', ');
  return isOptional ? `none; ${all} to be answered as its user` : all;
}

const code = (text: string): string => `\`${text}\``;

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [`## ${title}`, '', ...lines].join('\n');
}
