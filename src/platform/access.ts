import { SetMetadata } from '@nestjs/common';
import { Extensions } from '@nestjs/graphql';
import { ApiSecurity } from '@nestjs/swagger';
import type { GraphQLField } from 'graphql';
import type { Scope } from './scopes.js';

/** Who gets an answer: told at the definition of each query, subscription, act, route and field that depends on its viewer. */
export interface Access {
  /** What is done with an access token, as the parameter that reads it says. */
  readonly token: 'required' | 'optional' | 'unused';
  /** What a token that is sent must be good for; where none is required, one that lacks any of these counts as none. */
  readonly scopes: readonly Scope[];
}

const ACCESS = 'access';
const TOKEN = 'token';

type Use = Exclude<Access['token'], 'unused'>;

/** A parameter that reads the access token. */
export const readsToken =
  (parameter: () => ParameterDecorator, use: Use) => (): ParameterDecorator => (target, name, index) => {
    parameter()(target, name, index);
    Reflect.defineMetadata(TOKEN, use, target, name!);
  };

/** Refuses a token without all of these scopes; where none is required, such a token counts as none. */
export const Needs = (...scopes: readonly [Scope, ...Scope[]]): MethodDecorator => declared(scopes);

/** Answers whatever scopes a token has. */
export const Public = (): MethodDecorator => declared([]);

const declared =
  (scopes: readonly Scope[]): MethodDecorator =>
  (target, name, descriptor) => {
    // Decorators of parameters have run before those of their method.
    const token = (Reflect.getMetadata(TOKEN, target, name) as Use | undefined) ?? 'unused';
    const access: Access = { token, scopes };
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

/** Of a route or a root field. One that says nothing answers nobody. */
export function accessOf(handler: object & { readonly name: string }): Access {
  const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
  if (access === undefined) throw new Error(`${handler.name} has neither @Needs nor @Public.`);
  return access;
}

/** A field below the roots is refused whether a token is required or not: whoever asks for it wants it. */
export const scopesOfField = (scopes: readonly Scope[]): string =>
  `Needs ${listed(scopes)}; null if the token lacks ${scopes.length > 1 ? 'one of them' : 'it'}.`;

/** The same of a root field. */
export const scopesOfRoot = ({ token, scopes }: Access): string =>
  token === 'required' ? `Needs ${listed(scopes)}.` : `A token without ${listed(scopes)} counts as none.`;

const listed = (scopes: readonly Scope[]): string =>
  `the scope${scopes.length > 1 ? 's' : ''} ${scopes.map((scope) => `\`${scope}\``).join(', ')}`;

/** Of a field of the schema; undefined below the roots, where a field shows the same to everybody. */
export const accessOfField = ({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'extensions'>): Access | undefined =>
  extensions[ACCESS] as Access | undefined;
