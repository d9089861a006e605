import { applyDecorators, SetMetadata } from '@nestjs/common';
import { Extensions } from '@nestjs/graphql';
import { ApiSecurity } from '@nestjs/swagger';
import type { GraphQLField } from 'graphql';
import type { Scope } from './scopes.js';

/** Access control, declared with each query, subscription, act, route and field that depends on its viewer. */
export interface Access {
  /** How the access token is used, from the parameter that reads it. */
  readonly token: 'required' | 'optional' | 'unused';
  /** The required scopes. Where no token is required, one that lacks any of them counts as none. */
  readonly scopes: readonly Scope[];
  /** The kinds of sessions whose tokens are accepted, where one is required. */
  readonly kinds: readonly Kind[];
}

/**
 * Who a token acts for: a person who signed in with the password, or by a personal token; a guest; an application, or one
 * of its players.
 */
export const KINDS = ['password', 'personal', 'guest', 'application', 'player'] as const;
export type Kind = (typeof KINDS)[number];

/** Who plays. What they may is a matter of the scopes that each can have. */
const PLAYERS = ['password', 'personal', 'guest', 'player'] as const satisfies readonly Kind[];

/** Who has webhooks: persons, and applications that act as themselves. */
export const OWNERS = ['password', 'personal', 'application'] as const satisfies readonly Kind[];

const ACCESS = 'access';
const TICKET = 'ticket';
const TOKEN = 'token';

type Use = Exclude<Access['token'], 'unused'>;

/** A parameter that reads the access token. */
export const readsToken =
  (parameter: () => ParameterDecorator, use: Use) => (): ParameterDecorator => (target, name, index) => {
    parameter()(target, name, index);
    Reflect.defineMetadata(TOKEN, use, target, name!);
  };

/** Requires a token with all of these scopes; where no token is required, one without them counts as none. */
export const Needs = (...scopes: readonly [Scope, ...Scope[]]): MethodDecorator => declared(scopes);

/** Requires no scopes. */
export const Public = (): MethodDecorator => declared([]);

/** A stream that a ticket in its address opens, in place of a token. */
export const TakesTicket = (): MethodDecorator =>
  applyDecorators(SetMetadata(TICKET, true), ApiSecurity(TICKET));

export const takesTicket = (handler: object): boolean => Reflect.getMetadata(TICKET, handler) === true;

/** As Needs, for a kind or some kinds alone, whatever the scopes of others. */
export const NeedsKind = (
  kinds: Kind | readonly Kind[],
  ...scopes: readonly [Scope, ...Scope[]]
): MethodDecorator => declared(scopes, typeof kinds === 'string' ? [kinds] : kinds);

const declared =
  (scopes: readonly Scope[], kinds: readonly Kind[] = PLAYERS): MethodDecorator =>
  (target, name, descriptor) => {
    // Decorators of parameters run before those of their method.
    const token = (Reflect.getMetadata(TOKEN, target, name) as Use | undefined) ?? 'unused';
    const access: Access = { token, scopes, kinds };
    const security = {
      required: [{ bearer: [...scopes] }],
      optional: [{}, { bearer: [...scopes] }],
      unused: [],
    };
    const schemes: readonly Record<string, string[]>[] = security[token];
    SetMetadata(ACCESS, access)(target, name, descriptor);
    Extensions({ [ACCESS]: access })(target, name);
    for (const scheme of schemes) ApiSecurity(scheme)(target, name, descriptor);
  };

/** The access rule of a route or a root field. Without one every request fails. */
export function accessOf(handler: object & { readonly name: string }): Access {
  const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
  if (access === undefined) throw new Error(`${handler.name} has neither @Needs nor @Public.`);
  return access;
}

/** A nested field is refused even where no token is required, because it was selected explicitly. */
export const scopesOfField = (scopes: readonly Scope[]): string =>
  `Needs ${listed(scopes)}; null if the token lacks ${scopes.length > 1 ? 'one of them' : 'it'}.`;

/** The same for a root field. */
export const scopesOfRoot = ({ token, scopes }: Access): string =>
  token === 'required' ? `Needs ${listed(scopes)}.` : `A token without ${listed(scopes)} counts as none.`;

const listed = (scopes: readonly Scope[]): string =>
  `the scope${scopes.length > 1 ? 's' : ''} ${scopes.map((scope) => `\`${scope}\``).join(', ')}`;

/** The access rule of a field; undefined for a nested field that is the same for every viewer. */
export const accessOfField = ({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'extensions'>): Access | undefined =>
  extensions[ACCESS] as Access | undefined;
