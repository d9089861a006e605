import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { accessOf, readsToken } from '../../platform/access.js';
import { DomainError } from '../../platform/errors.js';
import type { Scope } from '../../platform/scopes.js';

/** Who asks, as a valid access token of a live session says. */
export interface Principal {
  /** Guests, bots and players whom an application manages would be other kinds. */
  readonly kind: 'user';
  readonly userId: string;
  readonly sessionId: string;
  /** What the access token is good for. */
  readonly scopes: readonly Scope[];
  /** When the access token ends. */
  readonly expiresAt: Date;
}

const hasScopes = (viewer: Principal, scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => viewer.scopes.includes(scope));

/** The viewer for whom these scopes are enough; null for any other, as for an anonymous one. */
export const entitled = (viewer: Principal | null, scopes: readonly Scope[]): Principal | null =>
  viewer !== null && hasScopes(viewer, scopes) ? viewer : null;

/** Throws INSUFFICIENT_SCOPE. Who is anonymous has no token that could lack one. */
export function demandScopes(viewer: Principal | null, scopes: readonly Scope[]): void {
  if (viewer === null || hasScopes(viewer, scopes)) return;
  const missing = scopes.filter((scope) => !viewer.scopes.includes(scope)).join(', ');
  throw new DomainError(
    'INSUFFICIENT_SCOPE',
    `The access token lacks ${missing} among its scopes. Ask the user for a token that has it.`,
    { scope: scopes.join(' ') },
  );
}

/** A request that has passed the guard. */
export type ViewedRequest = FastifyRequest & {
  viewer?: Principal | null;
  /** Why a token that came along stands for nobody. */
  viewerFault?: Error;
};

/** What a subscription gets at each event. */
export interface SocketContext {
  /** Absent when somebody sends a subscription over HTTP. */
  readonly viewer?: Principal | null;
}

/** What resolvers get: the request over HTTP, or the viewer of a socket, known since it was opened. */
export interface GraphqlContext extends SocketContext {
  readonly req?: ViewedRequest;
}

/** The HTTP request of an execution, or null when it came over a socket. */
export function requestOf(context: ExecutionContext): ViewedRequest | null {
  if (isRest(context)) return context.switchToHttp().getRequest<ViewedRequest>();
  const { req, viewer } = graphqlContext(context);
  return viewer === undefined ? (req ?? null) : null;
}

/** Who asks, once the guard has looked; null for an anonymous viewer, and where the token is not good. */
export const knownViewer = (context: ExecutionContext): Principal | null =>
  isRest(context) ? (requestOf(context)?.viewer ?? null) : viewerIn(graphqlContext(context));

/** The same, as a resolver knows it. */
export const viewerIn = ({ req, viewer }: GraphqlContext): Principal | null => viewer ?? req?.viewer ?? null;

/** Throws what is wrong with the token of a request: that is not an anonymous one. Null where it lacks a scope. */
function viewerOf(context: ExecutionContext): Principal | null {
  const fault = requestOf(context)?.viewerFault;
  if (fault !== undefined) throw fault;
  return entitled(knownViewer(context), accessOf(context.getHandler()).scopes);
}

const isRest = (context: ExecutionContext) => context.getType<GqlContextType>() === 'http';

const graphqlContext = (context: ExecutionContext) =>
  GqlExecutionContext.create(context).getContext<GraphqlContext>();

/** The viewer, or null for an anonymous one and for a token that lacks a scope; one that is not good is refused. */
export const Viewing = readsToken(
  createParamDecorator((_: unknown, context: ExecutionContext) => viewerOf(context)),
  'optional',
);

/** Whose share of what is shared out it is: the user, else the address; behind a proxy only with TRUST_PROXY. */
export const Client = readsToken(
  createParamDecorator(
    (_: unknown, context: ExecutionContext) => knownViewer(context)?.userId ?? requestOf(context)?.ip ?? '',
  ),
  'optional',
);

/** The viewer; anonymous ones are refused. */
export const SignedIn = readsToken(
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    const viewer = viewerOf(context);
    if (viewer === null) {
      throw new DomainError('UNAUTHENTICATED', 'Sign in first: send an access token as a Bearer token.');
    }
    return viewer;
  }),
  'required',
);
